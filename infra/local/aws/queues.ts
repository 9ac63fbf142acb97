import { findPackageJSON } from 'node:module'
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { buildApp } from 'fauxqs'
import type { QueueDefinition } from '../template/definitions.ts'
import type { Service } from './service.ts'

/** fauxqs's inner parts, as far as they are used here: its package exports only a server that listens to the world. */
interface Parts {
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

/** A message on a queue, as a test may look at it. */
export interface QueuedMessage {
  messageId: string
  body: string
  sentTimestamp: number
  approximateReceiveCount: number
}

export interface Queues {
  service: Service
  /** What is on a queue, in whatever state. */
  messages(id: string): QueuedMessage[]
  close(): Promise<void>
}

/** The stack's queues, kept by fauxqs. @param directory null keeps them in memory */
export async function startQueues(definitions: readonly QueueDefinition[], directory: string | null): Promise<Queues> {
  const [{ SqsStore }, { PersistenceManager }] = await Promise.all([
    part<Parts>('sqs/sqsStore.js'),
    part<Parts>('persistence.js'),
  ])
  const store = new SqsStore()
  const persistence = directory === null ? null : new PersistenceManager(directory)
  if (persistence) load(store, mend(persistence), definitions)

  for (const definition of definitions) {
    const attributes = attributesOf(definition)
    const kept = store.getQueueByName(definition.name)
    if (kept) kept.setAttributes(attributes)
    else store.createQueue(definition.name, definition.url, definition.arn, attributes)
  }
  // It makes the stores that are not given by itself.
  const app = buildApp({ logger: false, stores: { sqsStore: store } as never })
  await app.ready()

  return {
    async service({ headers, body }) {
      const { 'content-length': _, ...rest } = headers
      const reply = await app.inject({ method: 'POST', url: '/', headers: rest, payload: body })
      const { 'content-type': type = '', 'x-amzn-query-error': queryError } = reply.headers
      return {
        status: reply.statusCode,
        headers: { 'content-type': String(type), ...(queryError && { 'x-amzn-query-error': String(queryError) }) },
        body: reply.body,
      }
    },
    messages(id) {
      const definition = definitions.find(queue => queue.id === id)
      const {
        ready = [],
        delayed = [],
        inflight = [],
      } = (definition && store.inspectQueue(definition.name)?.messages) ?? {}
      return [...ready, ...delayed, ...inflight.map(({ message }) => message)]
    },
    async close() {
      await app.close()
      persistence?.close()
    },
  }
}

const part = async <T>(file: string): Promise<T> => {
  const root = pathToFileURL(findPackageJSON('fauxqs', import.meta.url) ?? '')
  return (await import(new URL(`dist/${file}`, root).href)) as T
}

/** fauxqs 2.4.1 loses a message whose visibility is set to 0: it sets a column to NULL that may not be. */
function mend(persistence: Persistence): Persistence {
  const { db } = persistence
  // Survives the death of the process; only a loss of power may cost the last moments.
  db.exec('PRAGMA synchronous = NORMAL')
  const release = db.prepare(
    'UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL WHERE message_id = ?',
  )
  persistence.updateMessageReady = messageId => {
    release.run(messageId)
  }
  return persistence
}

/** Takes up what an earlier process left. The consumers that held messages then are gone, so all may be received again. */
function load(store: QueueStore, persistence: Persistence, definitions: readonly QueueDefinition[]): void {
  persistence.db.exec('UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL')
  const expire = persistence.db.prepare('DELETE FROM sqs_messages WHERE queue_name = ? AND sent_timestamp < ?')
  for (const { name, MessageRetentionPeriod = 345_600 } of definitions) {
    expire.run(name, Date.now() - MessageRetentionPeriod * 1000)
  }
  persistence.loadSqsAndSns(store, { topics: new Map(), subscriptions: new Map() })
  store.persistence = persistence
  for (const queue of store.allQueues()) queue.persistence = persistence
}

/** SQS knows every attribute as text. */
function attributesOf({ RedrivePolicy, ...definition }: QueueDefinition): Record<string, string> {
  const numbers = Object.entries(definition).filter(([, value]) => typeof value === 'number')
  return {
    ...Object.fromEntries(numbers.map(([name, value]) => [name, String(value)])),
    ...(RedrivePolicy && { RedrivePolicy: JSON.stringify(RedrivePolicy) }),
  }
}
