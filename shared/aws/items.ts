import { type DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { callAws, conditionalWrite } from '../../shared/aws/aws.ts'

/** Identifies an item: its key, and the id that distinguishes it from former items of the key. */
interface Named {
  email: string
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
}

/** Reserved words (Amazon DynamoDB, "Reserved words"), written as `#name` in expressions. */
const reserved = ['name', 'language', 'roles']
const placeholder = (name: string): string => (reserved.includes(name) ? `#${name}` : name)

/**
 * An update of an account. Its condition includes the `id`, because an update of a deleted account would restore part of it.
 *
 * @param now null leaves `updated_at` alone
 */
export function updateOf(
  table: string,
  { email, id }: Named,
  now: Date | null,
  {
    set = {},
    assign = [],
    raises,
    remove = [],
    add,
    take,
    version,
    conditions = [],
    names = {},
    ...change
  }: ItemChange,
) {
  const { mark: [marked, mark] = [] } = change
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
  const written = [...attributes.map(([name]) => name), ...remove]
  const placeholders = {
    ...names,
    ...Object.fromEntries(written.filter(name => reserved.includes(name)).map(name => [`#${name}`, name])),
  }
  const isVersion = version === undefined ? [] : ['token_version = :version']
  return {
    TableName: table,
    Key: { email },
    UpdateExpression: clauses.join(' '),
    ConditionExpression: ['id = :id', ...isVersion, ...conditions].join(' AND '),
    ExpressionAttributeValues: {
      ':id': id,
      ...(version !== undefined && { ':version': version }),
      ...Object.fromEntries(attributes.map(([name, value]) => [`:${name}`, value])),
      ...(raises && { ':one': 1 }),
      ...(now && { ':now': now.toISOString() }),
      ...(add && { ':added': new Set([add[1]]) }),
      ...(take && { ':taken': new Set([take[1]]) }),
      ...change.values,
    },
    ...(Object.keys(placeholders).length > 0 && { ExpressionAttributeNames: placeholders }),
  }
}

/** Reads and updates single items of a table of accounts. @param toView converts an item */
export function itemTable<Item extends Named, View, Mark extends keyof Item & string>(
  db: DynamoDBDocumentClient,
  table: string,
  toView: (item: Item) => View,
) {
  type Change = ItemChange<Item, Mark>

  async function findItem(email: string): Promise<Item | null> {
    const found = await callAws(db.send(new GetCommand({ TableName: table, Key: { email }, ConsistentRead: true })))
    return (found.Item as Item | undefined) ?? null
  }

  /** The account at an address. */
  async function read(email: string): Promise<View | null> {
    const item = await findItem(email)
    return item && toView(item)
  }

  /** The item with a value, by a consistent read: an index may lag, and list an account twice that has just moved. */
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
          Limit: 2,
        }),
      ),
    )
    for (const { email } of found.Items ?? []) {
      const view = await read(email)
      if (view && hasValue(view)) return view
    }
    return null
  }

  /** Adds an item. False when its key is taken. */
  async function add(item: Item): Promise<boolean> {
    const input = { TableName: table, Item: item, ConditionExpression: 'attribute_not_exists(email)' }
    return (await conditionalWrite(db.send(new PutCommand(input)))) !== null
  }

  /** Updates an account. Null when it is gone, or the condition fails. */
  async function update(account: Named, now: Date | null, change: Change): Promise<View | null> {
    const input = { ...updateOf(table, account, now, change as ItemChange), ReturnValues: 'ALL_NEW' } as const
    const updated = await conditionalWrite(db.send(new UpdateCommand(input)))
    if (updated?.Attributes) return toView(updated.Attributes as Item)
    return change.mark ? findMarked(account.email, account.id, change.mark) : null
  }

  /** The account if it has the idempotency token: this write succeeded before, and was retried. */
  async function findMarked(email: string, id: string, [attribute, mark]: NonNullable<Change['mark']>) {
    const item = await findItem(email)
    return item?.id === id && item[attribute] === mark ? toView(item) : null
  }

  /** The same. False where `update` returns null. */
  const write = async (...args: Parameters<typeof update>): Promise<boolean> => (await update(...args)) !== null

  return { add, findBy, findItem, read, update, write }
}

export type ItemTable<Item extends Named, View, Mark extends keyof Item & string> = ReturnType<
  typeof itemTable<Item, View, Mark>
>
