import { findPackageJSON } from 'node:module'
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { QueueDefinition } from '../template/read-stack.ts'
import type { AwsCall, AwsReply } from './service.ts'

/** fauxqs's internals: the package exports only a server, which listens on all interfaces and takes 0.3 s to load. */
interface Internals {
  SqsStore: new () => QueueStore
  SqsRouter: new (store: QueueStore) => Router
  PersistenceManager: new (directory: string) => Persistence
}
/** The used part of the web server's reply. */
interface Reply {
  status(code: number): void
  header(name: string, value: string): void
}
interface Router {
  register(action: string, handler: unknown): void
  handle(request: { headers: object; body: object }, reply: Reply): Promise<unknown>
}
interface QueueStore {
  persistence?: Persistence
  createQueue(name: string, url: string, arn: string, attributes: Record<string, string>): unknown
  getQueueByName(name: string): KeptQueue | undefined
  allQueues(): Iterable<KeptQueue>
  shutdown(): void
  inspectQueue(
    name: string,
  ): { messages: Record<'ready' | 'delayed', QueuedMessage[]> & { inflight: { message: QueuedMessage }[] } } | undefined
}
interface KeptQueue {
  persistence?: Persistence
  delayedMessages: QueuedMessage[]
  setAttributes(attributes: Record<string, string>): void
  purge(): void
  /** Makes messages visible after their delay. */
  processTimers(): void
}
interface Persistence {
  db: DatabaseSync
  loadSqsAndSns(queues: QueueStore, topics: object): void
  updateMessageReady(messageId: string): void
  close(): void
}

interface QueuedMessage {
  messageId: string
  body: string
  sentTimestamp: number
  approximateReceiveCount: number
  /** Milliseconds since the epoch. */
  delayUntil?: number
}

/** The supported actions, by fauxqs's file names. The stack itself creates queues. */
const actions = [
  'changeMessageVisibility',
  'changeMessageVisibilityBatch',
  'deleteMessage',
  'deleteMessageBatch',
  'getQueueAttributes',
  'getQueueUrl',
  'purgeQueue',
  'receiveMessage',
  'sendMessage',
  'sendMessageBatch',
]

/** The stack's queues, in fauxqs. @param directory null keeps them in memory */
export async function startQueues(directory: string | null) {
  const [{ SqsStore }, { SqsRouter }, { PersistenceManager }, handlers] = await Promise.all([
    importInternal<Internals>('sqs/sqsStore.js'),
    importInternal<Internals>('sqs/sqsRouter.js'),
    importInternal<Internals>('persistence.js'),
    Promise.all(actions.map(action => importInternal<Record<string, unknown>>(`sqs/actions/${action}.js`))),
  ])
  const store = new SqsStore()
  const router = new SqsRouter(store)
  for (const [i, action] of actions.entries()) {
    router.register(
      action.replace(/^./, first => first.toUpperCase()),
      handlers[i]?.[action],
    )
  }
  const persistence = directory === null ? null : new PersistenceManager(directory)
  let definitions: readonly QueueDefinition[] = []

  return {
    /** Creates missing queues. Existing queues keep their messages. */
    create(all: readonly QueueDefinition[]): void {
      definitions = all
      if (persistence) load(store, patch(persistence), definitions)
      for (const definition of definitions) {
        const attributes = attributesOf(definition)
        const kept = store.getQueueByName(definition.name)
        if (kept) kept.setAttributes(attributes)
        else store.createQueue(definition.name, definition.url, definition.arn, attributes)
      }
    },
    async service({ headers, input }: AwsCall): Promise<AwsReply> {
      const reply: AwsReply = { status: 200, headers: { 'content-type': 'application/x-amz-json-1.0' }, body: '' }
      const answer = await router.handle(
        { headers, body: input },
        {
          status: code => {
            reply.status = code
          },
          header: (name, value) => {
            reply.headers[name] = value
          },
        },
      )
      return { ...reply, body: answer === undefined ? '' : JSON.stringify(answer) }
    },
    /** A queue's messages: visible, delayed and in flight. */
    messages(id: string): QueuedMessage[] {
      const definition = definitions.find(queue => queue.id === id)
      const kept = definition && store.inspectQueue(definition.name)?.messages
      return kept ? [...kept.ready, ...kept.delayed, ...kept.inflight.map(({ message }) => message)] : []
    },
    /** Ends all delays. Messages in flight stay there. */
    endDelays() {
      for (const queue of store.allQueues()) {
        for (const message of queue.delayedMessages) delete message.delayUntil
        queue.processTimers()
      }
    },
    /** How many messages of a queue a poller will take, now or after a delay. */
    waiting(name: string): number {
      const kept = store.inspectQueue(name)?.messages
      return kept ? kept.ready.length + kept.delayed.length : 0
    },
    purge() {
      for (const queue of store.allQueues()) queue.purge()
    },
    close() {
      store.shutdown()
      persistence?.close()
    },
  }
}

const importInternal = async <T>(file: string): Promise<T> => {
  const root = pathToFileURL(findPackageJSON('fauxqs', import.meta.url) ?? '')
  return (await import(new URL(`dist/${file}`, root).href)) as T
}

/** fauxqs 2.4.1 loses a message whose visibility is set to 0: it writes NULL into a column that refuses it. */
function patch(persistence: Persistence): Persistence {
  const release = persistence.db.prepare(
    'UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL WHERE message_id = ?',
  )
  persistence.updateMessageReady = messageId => {
    release.run(messageId)
  }
  return persistence
}

/** Loads the messages of an earlier process. Its consumers are gone, so all messages are visible again. */
function load(store: QueueStore, persistence: Persistence, definitions: readonly QueueDefinition[]): void {
  // Writes survive a crash of the process; only a power failure may lose the last ones.
  persistence.db.exec('PRAGMA synchronous = NORMAL')
  persistence.db.exec('UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL')
  const expire = persistence.db.prepare('DELETE FROM sqs_messages WHERE queue_name = ? AND sent_timestamp < ?')
  for (const { name, MessageRetentionPeriod = 345_600 } of definitions) {
    expire.run(name, Date.now() - MessageRetentionPeriod * 1000)
  }
  persistence.loadSqsAndSns(store, { topics: new Map(), subscriptions: new Map() })
  store.persistence = persistence
  for (const queue of store.allQueues()) queue.persistence = persistence
}

function attributesOf({ RedrivePolicy, ...definition }: QueueDefinition): Record<string, string> {
  const numbers = Object.entries(definition).filter(([, value]) => typeof value === 'number')
  return {
    ...Object.fromEntries(numbers.map(([name, value]) => [name, String(value)])),
    ...(RedrivePolicy && { RedrivePolicy: JSON.stringify(RedrivePolicy) }),
  }
}
