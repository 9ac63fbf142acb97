import { isDeepStrictEqual, promisify } from 'node:util'
import deleteItem from 'dynalite/actions/deleteItem.js'
import putItem from 'dynalite/actions/putItem.js'
import updateItem from 'dynalite/actions/updateItem.js'
import db, { type Item, type Items, type Store, type Write } from 'dynalite/db/index.js'
import deleteRules from 'dynalite/validations/deleteItem.js'
import validations from 'dynalite/validations/index.js'
import putRules from 'dynalite/validations/putItem.js'
import updateRules from 'dynalite/validations/updateItem.js'
import type { JsonObject } from '../template/template.ts'
import { cancellation, type Reason, tokenRefusal } from './transaction-protocol.ts'

/** Amazon DynamoDB, "TransactWriteItems": actions, and bytes of all their items and keys. */
const limits = { actions: 100, size: 4 * 1024 * 1024 }

/** The actions of a transaction, with dynalite's actions that check and perform them. */
const kinds = {
  Put: { rules: putRules, act: putItem },
  Delete: { rules: deleteRules, act: deleteItem },
  Update: { rules: updateRules, act: updateItem },
  // Only the condition of a deletion; nothing is written.
  ConditionCheck: { rules: deleteRules, act: deleteItem },
}
type Kind = keyof typeof kinds

interface Entry {
  TableName: string
  Item?: Item
  Key?: Item
  ReturnValuesOnConditionCheckFailure?: 'ALL_OLD' | 'NONE'
}
type Action = Entry & { kind: Kind }
type Transaction = { TransactItems: (Partial<Record<Kind, Entry>> | null)[] }

/** Milliseconds for which a transaction is known by its token (Amazon DynamoDB, "TransactWriteItems", Idempotency). */
const tokenLifetime = 10 * 60_000

interface Known {
  items: unknown
  /** When it was written; null while it is in progress. */
  writtenAt: number | null
}

/** Transactions by their `ClientRequestToken`, until this process ends. */
const knownIn = new WeakMap<Store, Map<string, Known>>()

const types = {
  ClientRequestToken: { type: 'String', lengthGreaterThanOrEqual: 1, lengthLessThanOrEqual: 36 },
  TransactItems: {
    type: 'List',
    notNull: true,
    lengthGreaterThanOrEqual: 1,
    children: {
      type: 'ValueStruct<TransactWriteItem>',
      children: Object.fromEntries(
        Object.entries(kinds).map(([kind, { rules }]) => [
          kind,
          { type: `FieldStruct<${kind}>`, children: typesOf(kind, rules) },
        ]),
      ),
    },
  },
}

function typesOf(kind: string, { types }: typeof putRules) {
  const { TableName, Item, Key, UpdateExpression, ConditionExpression } = types
  const { ExpressionAttributeNames, ExpressionAttributeValues } = types
  const all = {
    TableName,
    Item,
    Key,
    UpdateExpression: UpdateExpression && { ...UpdateExpression, notNull: true },
    ConditionExpression: { ...ConditionExpression, ...(kind === 'ConditionCheck' && { notNull: true }) },
    ExpressionAttributeNames,
    ExpressionAttributeValues,
    ReturnValuesOnConditionCheckFailure: { type: 'String', enum: ['ALL_OLD', 'NONE'] },
  }
  return Object.fromEntries(Object.entries(all).filter(([, type]) => type))
}

/**
 * TransactWriteItems, which dynalite lacks. It locks all keys at once, tries every action, and writes the results in
 * one batch, which LevelDB applies as a whole even if the process is killed.
 *
 * @throws {AwsError} TransactionCanceledException, IdempotentParameterMismatchException, TransactionInProgressException
 * @throws dynalite's errors for invalid input
 */
export async function transactWrite(store: Store, input: JsonObject): Promise<void> {
  const actions = readActions(store, input)
  const { ClientRequestToken: token, TransactItems: items } = input
  if (typeof token !== 'string') return writeAll(store, actions)
  const known = knownIn.get(store) ?? new Map<string, Known>()
  knownIn.set(store, known)
  const earlier = known.get(token)
  if (earlier && !isExpired(earlier)) {
    if (!isDeepStrictEqual(earlier.items, items)) throw tokenRefusal('IdempotentParameterMismatchException')
    if (earlier.writtenAt === null) throw tokenRefusal('TransactionInProgressException')
    return
  }
  const request: Known = { items, writtenAt: null }
  known.set(token, request)
  try {
    await writeAll(store, actions)
    request.writtenAt = Date.now()
  } catch (error) {
    known.delete(token)
    throw error
  }
  for (const [token, other] of known) if (isExpired(other)) known.delete(token)
}

const isExpired = ({ writtenAt }: Known): boolean => writtenAt !== null && writtenAt + tokenLifetime < Date.now()

async function writeAll(store: Store, actions: readonly Action[]): Promise<void> {
  const unlock = await lock(store, await keysOf(store, actions))
  try {
    const outcomes = []
    for (const action of actions) outcomes.push(await attempt(store, action))
    if (outcomes.some(({ reason }) => reason.Code !== 'None')) throw cancellation(outcomes.map(({ reason }) => reason))
    await store.db.batch(outcomes.flatMap(({ writes }) => writes))
  } finally {
    unlock()
  }
}

function readActions(store: Store, input: JsonObject): Action[] {
  const checked = validations.checkTypes(input, types) as Transaction
  validations.checkValidations(checked, types, undefined, store)
  if (checked.TransactItems.length > limits.actions) {
    throw db.validationError(`Member must have length less than or equal to ${limits.actions}`)
  }
  const actions = checked.TransactItems.map(members => {
    const [[kind, entry] = [], ...others] = Object.entries(members ?? {}) as [Kind, Entry][]
    if (!kind || !entry) {
      throw db.validationError('Invalid Request: TransactWriteRequest should contain Delete or Put or Update request')
    }
    if (others.length > 0) {
      throw db.validationError('TransactItems can only contain one of Check, Put, Update or Delete')
    }
    const message = kinds[kind].rules.custom(entry, store)
    if (message) throw db.validationError(message)
    return { ...entry, kind }
  })
  const size = actions.reduce((sum, { Item, Key = {} }) => sum + db.itemSize(Item ?? Key), 0)
  if (size > limits.size) {
    throw db.validationError(`Transaction payload size cannot exceed 4MB. Payload Size: ${size}`)
  }
  return actions
}

/** The keys of each table. */
async function keysOf(store: Store, actions: readonly Action[]): Promise<Map<string, string[]>> {
  const all = new Map<string, string[]>()
  for (const { TableName, Item, Key = {} } of actions) {
    const table = await promisify(store.getTable)(TableName)
    if (!table) throw new Error(`The table ${TableName} has no definition`)
    const invalid = Item ? db.validateItem(Item, table) : db.validateKey(Key, table)
    if (invalid) throw invalid
    const key = db.createKey(Item ?? Key, table)
    const keys = all.get(TableName) ?? []
    if (keys.includes(key)) {
      throw db.validationError('Transaction request cannot include multiple operations on one item')
    }
    all.set(TableName, [...keys, key])
  }
  return all
}

/** Queues for all keys in one turn, so that transactions cannot deadlock. @returns the function that unlocks */
async function lock(store: Store, keys: ReadonlyMap<string, string[]>): Promise<() => void> {
  const releases = await Promise.all(
    [...keys].map(
      ([table, keys]) =>
        new Promise<() => void>(resolve => {
          store.getItemDb(table).lock(keys, release => resolve(release(() => {})))
        }),
    ),
  )
  return () => {
    for (const release of releases) release()
  }
}

/** Has dynalite try an action on a store that collects its writes. @throws any error but the condition's */
async function attempt(store: Store, { kind, ...entry }: Action): Promise<{ reason: Reason; writes: Write[] }> {
  const writes: Write[] = []
  let found: Item | undefined
  /** @param name of the items in LevelDB's keys */
  const collect = (name: string): Items => ({
    get: (key, done) =>
      store.getItemDb(entry.TableName).get(key, (error, item) => {
        found = item
        done(error, item)
      }),
    put(key, value, done) {
      writes.push({ type: 'put', key: `${name}~${key}`, value })
      done()
    },
    del(key, done) {
      writes.push({ type: 'del', key: `${name}~${key}` })
      done()
    },
    lock: (_, run) => run(done => done),
  })
  const collecting = {
    options: store.options,
    getTable: store.getTable,
    getItemDb: (table: string) => collect(`item-${table}`),
    getIndexDb: (type: string, table: string, index: string) =>
      collect(`index-${type.toLowerCase()}~${table}~${index}`),
  }
  try {
    await promisify(kinds[kind].act)(collecting, entry)
    return { reason: { Code: 'None' }, writes: kind === 'ConditionCheck' ? [] : writes }
  } catch (error) {
    if (!(error instanceof Error) || error.message !== 'The conditional request failed') throw error
    const isWanted = entry.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && found
    const reason: Reason = { Code: 'ConditionalCheckFailed', Message: error.message }
    return { reason: isWanted ? { ...reason, Item: found as JsonObject } : reason, writes: [] }
  }
}
