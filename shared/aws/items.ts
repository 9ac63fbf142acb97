import { type DynamoDBDocumentClient, GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { type AccountKind, accountKinds } from '../base/families.ts'
import { callAws, conditionalWrite } from './aws.ts'
import { type Waiting, type Write, writeTogether } from './transactions.ts'

/** Identifies an account's item: its key follows from the id. */
interface Named {
  id: string
}

/**
 * An update of an item. `assign` and `conditions` are DynamoDB's own expressions, with their `values` and `names`.
 *
 * @typeParam Mark the attributes for idempotency tokens
 */
export interface ItemChange<Item = Record<string, unknown>, Mark extends string = string> {
  /** Attributes and their new values, in addition to `updated_at` and the idempotency token. */
  set?: Partial<Item>
  assign?: readonly string[]
  /** Raises the token version. */
  raises?: boolean
  remove?: readonly string[]
  /** A member to add to a set. */
  add?: readonly [set: string, member: string]
  /** A member to remove from a set. */
  take?: readonly [set: string, member: string]
  /** The required token version of the account. */
  version?: number
  /** In addition to the account's id and version. */
  conditions?: readonly string[]
  values?: Record<string, unknown>
  names?: Record<string, string>
  /** An attribute, and the idempotency token to store there. */
  mark?: readonly [attribute: Mark, mark: string]
  /** Whether an item shows that this very write has happened; for one without `mark`. */
  isDone?: (item: Item) => boolean
}

/** Conditions of a deletion, in addition to the account's id. */
type ItemConditions = Pick<ItemChange, 'version' | 'conditions' | 'values' | 'names'>

/** Reserved words (Amazon DynamoDB, "Reserved words"), written as `#name` in expressions. */
const reserved = ['name', 'language', 'roles']
const placeholder = (name: string): string => (reserved.includes(name) ? `#${name}` : name)

/** The part of an input that names the conditions on an account, its id first. */
function conditionsOf({ id }: Named, { version, conditions = [], values = {}, names = {} }: ItemConditions) {
  const isVersion = version === undefined ? [] : ['token_version = :version']
  return {
    ConditionExpression: ['id = :id', ...isVersion, ...conditions].join(' AND '),
    ExpressionAttributeValues: { ':id': id, ...(version !== undefined && { ':version': version }), ...values },
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
  }
}

/**
 * The expressions of an update of an account. Their condition includes the `id`, because an update of a deleted account would
 * restore part of it.
 *
 * @param now null leaves `updated_at` alone
 */
function updateOf(account: Named, now: Date | null, change: ItemChange) {
  const { set = {}, assign = [], raises, remove = [], add, take, mark: [marked, mark] = [] } = change
  const attributes = Object.entries({ ...set, ...(marked && { [marked]: mark }) })
  const assignments = [
    ...attributes.map(([name]) => `${placeholder(name)} = :${name}`),
    ...assign,
    ...(raises ? ['token_version = token_version + :one'] : []),
    ...(now ? ['updated_at = :now'] : []),
  ]
  const clauses = [
    `SET ${assignments.join(', ')}`,
    ...(remove.length > 0 ? [`REMOVE ${remove.map(placeholder).join(', ')}`] : []),
    ...(add ? [`ADD ${add[0]} :added`] : []),
    ...(take ? [`DELETE ${take[0]} :taken`] : []),
  ]
  const written = [...attributes.map(([name]) => name), ...remove].filter(name => reserved.includes(name))
  return {
    UpdateExpression: clauses.join(' '),
    ...conditionsOf(account, {
      ...change,
      names: { ...change.names, ...Object.fromEntries(written.map(name => [`#${name}`, name])) },
      values: {
        ...Object.fromEntries(attributes.map(([name, value]) => [`:${name}`, value])),
        ...(raises && { ':one': 1 }),
        ...(now && { ':now': now.toISOString() }),
        ...(add && { ':added': new Set([add[1]]) }),
        ...(take && { ':taken': new Set([take[1]]) }),
        ...change.values,
      },
    }),
  }
}

/** An entry that leads to an account, and the id that it holds. */
type EntryKind = Exclude<AccountKind, 'Accounts'>

/**
 * The table of accounts: each is an item, and what leads to it, its address and its identities, are unique entries with its id.
 *
 * @param toView converts an account's item
 */
export function accountItems<Item extends Named, View, Mark extends keyof Item & string>(
  db: DynamoDBDocumentClient,
  table: string,
  waiting: Waiting,
  toView: (item: Item) => View,
) {
  type Change = ItemChange<Item, Mark>

  const keyOf = (kind: AccountKind, name: string) => ({
    TableName: table,
    Key: { key: `${accountKinds[kind]}${name}` },
  })

  async function get<T>(kind: AccountKind, name: string): Promise<T | null> {
    const found = await callAws(db.send(new GetCommand({ ...keyOf(kind, name), ConsistentRead: true })))
    return (found.Item as T | undefined) ?? null
  }

  const findItem = (id: string): Promise<Item | null> => get<Item>('Accounts', id)

  async function read(id: string): Promise<View | null> {
    const item = await findItem(id)
    return item && toView(item)
  }

  /** The id in an entry. Its account may be gone, or have another address or no such identity by now. */
  const findEntry = async (kind: EntryKind, name: string): Promise<string | null> =>
    (await get<Named>(kind, name))?.id ?? null

  /** The account with a value, by a consistent read: an index may lag. */
  async function findBy(
    index: string,
    attribute: string,
    value: string,
    hasValue: (view: View) => boolean,
  ): Promise<View | null> {
    const found = await callAws(
      db.send(
        new QueryCommand({
          TableName: table,
          IndexName: index,
          KeyConditionExpression: `${attribute} = :value`,
          ExpressionAttributeValues: { ':value': value },
          Limit: 1,
        }),
      ),
    )
    const [{ key } = {}] = found.Items ?? []
    const view = key === undefined ? null : await read(String(key).slice(accountKinds.Accounts.length))
    return view !== null && hasValue(view) ? view : null
  }

  /** Updates an account. Null when it is gone, or the condition fails. */
  async function update(account: Named, now: Date | null, change: Change): Promise<View | null> {
    const input = { ...keyOf('Accounts', account.id), ...updateOf(account, now, change as ItemChange) }
    const updated = await conditionalWrite(db.send(new UpdateCommand({ ...input, ReturnValues: 'ALL_NEW' })))
    if (updated?.Attributes) return toView(updated.Attributes as Item)
    const { mark: [attribute, mark] = [], isDone = attribute && ((item: Item) => item[attribute] === mark) } = change
    // The SDK retries a write whose answer was lost: the second one finds what the first has written.
    const item = isDone ? await findItem(account.id) : null
    return item && isDone?.(item) ? toView(item) : null
  }

  /**
   * Updates an account, and writes other items in the same transaction. False where `update` returns null, and when the condition
   * of another item fails.
   */
  async function write(
    account: Named,
    now: Date | null,
    change: Change,
    others: readonly Write[] = [],
  ): Promise<boolean> {
    if (others.length === 0) return (await update(account, now, change)) !== null
    return (await together([parts.change(account, now, change), ...others])) === null
  }

  /** @returns null when written; else, for each write in order, whether its condition failed */
  const together = (writes: readonly Write[]): Promise<boolean[] | null> => writeTogether(db, waiting, writes)

  /** The writes of a transaction. */
  const parts = {
    /** Adds an account where there is none of its id. */
    add: (item: Item): Write => ({
      Put: {
        TableName: table,
        Item: { ...keyOf('Accounts', item.id).Key, ...item },
        ConditionExpression: 'attribute_not_exists(id)',
      },
    }),

    change: (account: Named, now: Date | null, change: Change): Write => ({
      Update: { ...keyOf('Accounts', account.id), ...updateOf(account, now, change as ItemChange) },
    }),

    delete: (account: Named, conditions: ItemConditions): Write => ({
      Delete: { ...keyOf('Accounts', account.id), ...conditionsOf(account, conditions) },
    }),

    /** Requires that an account is gone, or that an attribute of it is. */
    lacks: (id: string, path: string, names: Record<string, string>): Write => ({
      ConditionCheck: {
        ...keyOf('Accounts', id),
        ConditionExpression: `attribute_not_exists(${path})`,
        ExpressionAttributeNames: names,
      },
    }),

    /** Leads an address or an identity to an account. @param read the id in its entry as read; null without one */
    lead: (kind: EntryKind, name: string, id: string, read: string | null = null): Write => {
      const { TableName, Key } = keyOf(kind, name)
      const isAsRead =
        read === null
          ? { ConditionExpression: 'attribute_not_exists(id)' }
          : { ConditionExpression: 'id = :read', ExpressionAttributeValues: { ':read': read } }
      return { Put: { TableName, Item: { ...Key, id }, ...isAsRead } }
    },

    /** Frees an address or an identity, unless it leads to another account by now. */
    free: (kind: EntryKind, name: string, id: string): Write => ({
      Delete: {
        ...keyOf(kind, name),
        ConditionExpression: 'attribute_not_exists(id) OR id = :id',
        ExpressionAttributeValues: { ':id': id },
      },
    }),
  }

  return { findItem, read, findEntry, findBy, update, write, together, ...parts }
}

export type AccountItems<Item extends Named, View, Mark extends keyof Item & string> = ReturnType<
  typeof accountItems<Item, View, Mark>
>
