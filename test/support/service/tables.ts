import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parse } from 'node:url'
import { promisify } from 'node:util'
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { Store, Table, Write } from 'dynalite/db/index.js'
import { accountIndexes } from '../../../accounts/account/attributes.ts'
import type { Credential } from '../../../local/aws/credentials.ts'
import { startDynalite } from '../../../local/aws/start-dynalite.ts'

/** The two empty tables, a client of them, and the configuration for other clients. */
interface StartedTables {
  db: DynamoDBDocumentClient
  config: { endpoint: string; region: string; credentials: Credential; maxAttempts: number; signer?: typeof signer }
  /** Sends requests to them, like a client's handler. */
  send: ReturnType<typeof passTo>
  /** Empties this process's tables. */
  clear(): Promise<void>
  /** The content of this process's tables. */
  kept(): Promise<Write[]>
  /** Fills empty tables with such content. */
  fill(kept: Write[]): Promise<void>
  close(): void
}

/**
 * Starts the stack's tables in this process, with dynalite as in `npm start`.
 *
 * @param endpoint another DynamoDB, to create them in
 * @param more tables
 */
export async function startTables(endpoint?: string, more: readonly Definition[] = []): Promise<StartedTables> {
  const { server, store } = startDynalite({})
  // Closing an idle connection could break the next request, which nobody retries: 0 closes none.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const config = {
    endpoint: endpoint ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'eu-central-1',
    // DynamoDB Local separates tables by access key: a new key has new tables.
    credentials: { accessKeyId: randomBytes(8).toString('hex'), secretAccessKey: 'test', sessionToken: 'test' },
    maxAttempts: 1,
    ...(endpoint === undefined && { signer }),
  }
  const send = passTo(server)
  // Everything but items and indexes follows in its order.
  const items = { lt: 'table~' }
  const db = DynamoDBDocumentClient.from(
    endpoint === undefined ? directClient(config, send) : new DynamoDBClient(config),
  )
  await createTables(db, more)
  if (endpoint === undefined) {
    keepCalls(db)
    await keepDefinitions(store)
  }
  return {
    db,
    config,
    send,
    clear: () => store.db.clear(items),
    kept: async () => (await store.db.iterator(items).all()).map(([key, value]) => ({ type: 'put', key, value })),
    fill: kept => store.db.batch(kept),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/**
 * A client without the SDK's network features, three quarters of a call's time: it neither logs, looks up endpoints,
 * identifies itself, signs nor retries.
 */
function directClient(config: StartedTables['config'], handle: ReturnType<typeof passTo>): DynamoDBClient {
  const here = { protocol: 'http:', hostname: '127.0.0.1', path: '/' }
  const client = new DynamoDBClient({ ...config, requestHandler: { handle } })
  Object.assign(client.config, { endpointProvider: () => here })
  // A call copies its configuration three times. Only these two are read of a copy.
  const own = ['endpointProvider', 'isCustomEndpoint']
  const all = Object.getOwnPropertyDescriptors(client.config)
  for (const name of Object.keys(all)) if (!own.includes(name)) Reflect.deleteProperty(client.config, name)
  Object.setPrototypeOf(client.config, Object.create(null, all))
  for (const part of [
    'loggerMiddleware',
    'contentLengthMiddleware',
    'getUserAgentMiddleware',
    'hostHeaderMiddleware',
    'recursionDetectionMiddleware',
    'retryMiddleware',
    'httpAuthSchemeMiddleware',
    'httpSigningMiddleware',
  ]) {
    if (!client.middlewareStack.remove(part)) throw new Error(`The SDK has no ${part}`)
  }
  return client
}

interface Command {
  /** The command that is sent for a document command. */
  clientCommand?: object | undefined
  resolveMiddleware(stack: object, config: object): (command: Command) => Promise<{ output: object }>
}

/** Composes the parts of a call once for each kind, like `cacheMiddleware` for clients without documents. */
function keepCalls(db: DynamoDBDocumentClient): void {
  const known = new Map<unknown, { first: Command; call: ReturnType<Command['resolveMiddleware']> }>()
  const { add } = db.middlewareStack
  const send = async (command: Command): Promise<object> => {
    const { middlewareStack, config } = db
    const kept = known.get(command.constructor) ?? {
      first: command,
      call: command.resolveMiddleware(middlewareStack, config),
    }
    known.set(command.constructor, kept)
    // The sender of the first document command takes the present one from here.
    kept.first.clientCommand = command.clientCommand
    return (await kept.call(command)).output
  }
  const addAnew = (...part: Parameters<typeof add>): void => {
    known.clear()
    add(...part)
  }
  Object.assign(db.middlewareStack, { add: addAnew })
  Object.assign(db, { send })
}

/** Reads the tables' definitions once: they do not change. */
async function keepDefinitions(store: Store): Promise<void> {
  const tables = new Map<string, Table | undefined>()
  for (const name of ['Accounts', 'RateLimits']) tables.set(name, await promisify(store.getTable)(name))
  const { getTable } = store
  store.getTable = (name, done) => {
    const table = tables.get(name)
    // In another turn, like a read, so that others' calls come in between.
    if (table) setImmediate(done, null, table)
    else getTable(name, done)
  }
}

/** dynalite requires a signature but does not check it. */
const signature = {
  authorization: 'AWS4-HMAC-SHA256 Credential=none, SignedHeaders=none, Signature=none',
  'x-amz-date': '20260301T120000Z',
}

/** Signs nothing: a valid signature takes a quarter of a call's time. */
const signer = {
  async sign<R>(request: R): Promise<R> {
    return request
  },
}

// dynalite calls `url.parse`. Until Node has warned once, the check whether the caller is ours takes a tenth of dynalite's time.
process.noDeprecation = true
parse('/')
process.noDeprecation = false

interface Request {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

/** The tables' own clock, because tests set this process's. */
const { now } = Date

/** Passes the SDK's requests to a server of the same process, without sockets and streams, which take half of a call's time. */
function passTo(server: Server) {
  return ({ method, path, headers, body = '' }: Request) =>
    new Promise<{ response: { statusCode: number; headers: object; body: Uint8Array } }>(resolve => {
      const request = Object.assign(new EventEmitter(), { method, url: path, headers: { ...headers, ...signature } })
      // Node's own server adds it.
      const received: Record<string, string> = { date: new Date(now()).toUTCString() }
      const answer = {
        statusCode: 200,
        setHeader: (name: string, value: unknown) => {
          received[name.toLowerCase()] = String(value)
        },
        end: (text: string) =>
          resolve({
            response: { statusCode: answer.statusCode, headers: received, body: new TextEncoder().encode(text) },
          }),
      }
      server.emit('request', request, answer)
      request.emit('data', Buffer.from(body))
      request.emit('end')
    })
}

type Definition = Omit<CreateTableCommandInput, 'BillingMode'>

const keyNamed = (AttributeName: string) => ({ AttributeName, KeyType: 'HASH' as const })
const textNamed = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' as const })

/** A table with sparse indexes. */
export const definitionOf = (TableName: string, key: string, indexes: typeof accountIndexes): Definition => ({
  TableName,
  KeySchema: [keyNamed(key)],
  AttributeDefinitions: [textNamed(key), ...indexes.map(({ attribute }) => textNamed(attribute))],
  GlobalSecondaryIndexes: indexes.map(({ index, attribute }) => ({
    IndexName: index,
    KeySchema: [keyNamed(attribute)],
    Projection: { ProjectionType: 'KEYS_ONLY' as const },
  })),
})

async function createTables(db: DynamoDBDocumentClient, more: readonly Definition[]): Promise<void> {
  const tables = [
    definitionOf('Accounts', 'key', accountIndexes),
    { TableName: 'RateLimits', KeySchema: [keyNamed('key')], AttributeDefinitions: [textNamed('key')] },
    ...more,
  ]
  for (const table of tables) {
    await db.send(new CreateTableCommand({ ...table, BillingMode: 'PAY_PER_REQUEST' }))
    await waitUntilTableExists({ client: db, minDelay: 0.005, maxDelay: 0.01, maxWaitTime: 5 } as never, {
      TableName: table.TableName,
    })
  }
}
