import { findPackageJSON } from 'node:module'
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { buildApp } from 'fauxqs'
import type { QueueDefinition } from '../template/read-stack.ts'
import type { AwsCall, AwsReply } from './service.ts'

/** fauxqs's internals: the package itself only exports a server that listens on all interfaces. */
interface Internals {
  SqsStore: new () => QueueStore
  PersistenceManager: new (directory: string) => Persistence
}
interface QueueStore {
  persistence?: Persistence
  createQueue(name: string, url: string, arn: string, attributes: Record<string, string>): unknown
  getQueueByName(name: string): KeptQueue | undefined
  allQueues(): Iterable<KeptQueue>
  inspectQueue(
    name: string,
  ): { messages: Record<'ready' | 'delayed', QueuedMessage[]> & { inflight: { message: QueuedMessage }[] } } | undefined
}
interface KeptQueue {
  persistence?: Persistence
  setAttributes(attributes: Record<string, string>): void
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
}

/** The stack's queues, kept by fauxqs. @param directory null keeps them in memory */
export async function startQueues(directory: string | null) {
  const [{ SqsStore }, { PersistenceManager }] = await Promise.all([
    importInternal<Internals>('sqs/sqsStore.js'),
    importInternal<Internals>('persistence.js'),
  ])
  const store = new SqsStore()
  const persistence = directory === null ? null : new PersistenceManager(directory)
  let definitions: readonly QueueDefinition[] = []
  // fauxqs creates the other stores.
  const app = buildApp({ logger: false, stores: { sqsStore: store } as never })
  await app.ready()

  return {
    /** Creates missing queues. Those that are kept have their messages. */
    create(all: readonly QueueDefinition[]): void {
      definitions = all
      if (persistence) load(store, patched(persistence), definitions)
      for (const definition of definitions) {
        const attributes = attributesOf(definition)
        const kept = store.getQueueByName(definition.name)
        if (kept) kept.setAttributes(attributes)
        else store.createQueue(definition.name, definition.url, definition.arn, attributes)
      }
    },
    async service({ headers, body }: AwsCall): Promise<AwsReply> {
      const { 'content-length': _, ...rest } = headers
      const reply = await app.inject({ method: 'POST', url: '/', headers: rest, payload: body })
      const { 'content-type': type = '', 'x-amzn-query-error': queryError } = reply.headers
      return {
        status: reply.statusCode,
        headers: { 'content-type': String(type), ...(queryError && { 'x-amzn-query-error': String(queryError) }) },
        body: reply.body,
      }
    },
    /** The messages on a queue: visible, delayed and in flight. */
    messages(id: string): QueuedMessage[] {
      const definition = definitions.find(queue => queue.id === id)
      const kept = definition && store.inspectQueue(definition.name)?.messages
      return kept ? [...kept.ready, ...kept.delayed, ...kept.inflight.map(({ message }) => message)] : []
    },
    async close() {
      await app.close()
      persistence?.close()
    },
  }
}

const importInternal = async <T>(file: string): Promise<T> => {
  const root = pathToFileURL(findPackageJSON('fauxqs', import.meta.url) ?? '')
  return (await import(new URL(`dist/${file}`, root).href)) as T
}

/** fauxqs 2.4.1 loses a message whose visibility is set to 0: it sets a column to NULL that does not allow it. */
function patched(persistence: Persistence): Persistence {
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
