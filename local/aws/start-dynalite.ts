import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import dynalite from 'dynalite'
import db, { type Store } from 'dynalite/db/index.js'
import { keepParsed } from './parsed-expressions.ts'
import { protocols } from './protocols.ts'
import { AwsError, type AwsReply } from './service.ts'
import { transactWrite } from './transactions.ts'

/**
 * dynalite plus TransactWriteItems and a missing check: DynamoDB refuses `""` as an index key, in a put before the
 * condition and in an update after it. The messages are those of DynamoDB Local 2.6.1.
 *
 * @returns the server, and the store of its tables
 */
export function startDynalite(options: { path?: string }): { server: Server; store: Store } {
  const stores: Store[] = []
  db.create = options => {
    const store = create(options)
    stores.push(store)
    return store
  }
  const server = dynalite({ ...options, createTableMs: 0 })
  db.create = create
  const [store] = stores
  const [serveOthers] = server.listeners('request')
  if (!store || !serveOthers) throw new Error('dynalite has made no store')
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    if (String(request.headers['x-amz-target']).endsWith('.TransactWriteItems'))
      serveTransaction(store, request, response)
    else serveOthers(request, response)
  })
  return { server, store }
}

function serveTransaction(store: Store, request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = []
  request.on('data', chunk => chunks.push(chunk))
  request.on('end', async () => {
    const { status, headers, body } = await answer(store, Buffer.concat(chunks).toString())
    response.statusCode = status
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    response.end(body)
  })
}

async function answer(store: Store, body: string): Promise<AwsReply> {
  const { read, render } = protocols.dynamodb
  try {
    await transactWrite(store, read({ method: 'POST', path: '/', headers: {}, body }).input)
    return { status: 200, headers: { 'content-type': 'application/x-amz-json-1.0' }, body: '{}' }
  } catch (error) {
    return render(toAwsError(error))
  }
}

function toAwsError(error: unknown): AwsError {
  if (error instanceof AwsError) return error
  const { statusCode, body } = error as { statusCode?: number; body?: { __type: string; message?: string } }
  return statusCode === undefined || body === undefined
    ? new AwsError(500, 'InternalServerError', 'Internal server error')
    : new AwsError(statusCode, body.__type.replace(/^.*#/, ''), body.message ?? '')
}

keepParsed()

const { create, validateItem, updateIndexes } = db
const rule = 'The AttributeValue for a key attribute cannot contain an empty string value.'

db.validateItem = (item, table) => {
  const found = emptyIndexKey(item, table)
  return found === undefined
    ? validateItem(item, table)
    : db.validationError(
        'One or more parameter values are not valid. A value specified for a secondary index key is not supported. ' +
          `${rule} IndexName: ${found.index}, IndexKey: ${found.key}`,
      )
}

/** Called before a write, with the item after it; without an item for a delete. */
db.updateIndexes = (store, table, before, item, done) =>
  item && emptyIndexKey(item, table)
    ? done(
        db.validationError(
          'One or more parameter values are not valid. The update expression attempted to update a secondary index key ' +
            `to a value that is not supported. ${rule}`,
        ),
      )
    : updateIndexes(store, table, before, item, done)

const emptyIndexKey = (item: DynaliteItem, { GlobalSecondaryIndexes = [] }: DynaliteTable) =>
  GlobalSecondaryIndexes.flatMap(({ IndexName, KeySchema }) =>
    KeySchema.map(({ AttributeName }) => ({ index: IndexName, key: AttributeName })),
  ).find(({ key }) => item[key]?.S === '')

type DynaliteItem = Parameters<typeof validateItem>[0]
type DynaliteTable = Parameters<typeof validateItem>[1]
