import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { callAws, conditionalWrite } from '../../shared/aws/aws.ts'
import type { Account } from './account.ts'
import { type AccountItem, toAccount } from './attributes.ts'

type MarkAttribute =
  | 'password_changed_by'
  | 'email_verified_by'
  | 'logged_out_by'
  | 'factor_set_up_by'
  | 'factor_changed_by'
  | 'recovery_code_used_by'
  | 'totp_used_by'
  | 'passkey_added_by'
  | 'passkey_removed_by'
  | 'passkey_used_by'
  | 'identity_changed_by'

/** One update of an account. `assign` and `conditions` are DynamoDB's own expressions, with their `values` and `names`. */
export interface AccountChange {
  /** Attributes and their new values, in addition to `updated_at` and the mark. */
  set?: Partial<AccountItem>
  assign?: readonly string[]
  /** Raises the token version. */
  raises?: boolean
  remove?: readonly string[]
  /** A member that it adds to a set. */
  add?: readonly [set: string, member: string]
  /** A member that it takes out of a set. */
  take?: readonly [set: string, member: string]
  /** The token version that the account must still have. */
  version?: number
  /** In addition to the account's id and version. */
  conditions?: readonly string[]
  values?: Record<string, unknown>
  names?: Record<string, string>
  /** The attribute that this write leaves its mark in, and the mark. */
  mark?: readonly [attribute: MarkAttribute, mark: string]
}

/** Words that expressions reserve (Amazon DynamoDB, "Reserved words"): they stand there as `#name`. */
const reserved = ['name', 'language', 'roles']
const placeholder = (name: string): string => (reserved.includes(name) ? `#${name}` : name)

/**
 * An update of the account that was read. Checks its `id`, because otherwise an update of a deleted account would bring part
 * of it back.
 *
 * @param now null leaves `updated_at` as it is
 */
export function updateOf(
  table: string,
  { email, id }: Pick<Account, 'email' | 'id'>,
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
  }: AccountChange,
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

/** Reads and updates single items of the users table. */
export function usersTable(db: DynamoDBDocumentClient, table: string) {
  async function findItem(email: string): Promise<AccountItem | null> {
    const found = await callAws(db.send(new GetCommand({ TableName: table, Key: { email }, ConsistentRead: true })))
    return (found.Item as AccountItem | undefined) ?? null
  }

  /** The account at an address. */
  async function read(email: string): Promise<Account | null> {
    const item = await findItem(email)
    return item && toAccount(item)
  }

  /** Updates the account that was read. Null when that account is gone, or the condition is not met. */
  async function update(
    account: Pick<Account, 'email' | 'id'>,
    now: Date | null,
    change: AccountChange,
  ): Promise<Account | null> {
    const input = { ...updateOf(table, account, now, change), ReturnValues: 'ALL_NEW' } as const
    const updated = await conditionalWrite(db.send(new UpdateCommand(input)))
    if (updated?.Attributes) return toAccount(updated.Attributes as AccountItem)
    return change.mark ? findMarked(account.email, account.id, change.mark) : null
  }

  /** The account, if it has the mark: then this write had succeeded before, and was repeated. */
  async function findMarked(email: string, id: string, [attribute, mark]: NonNullable<AccountChange['mark']>) {
    const item = await findItem(email)
    return item?.id === id && item[attribute] === mark ? toAccount(item) : null
  }

  /** The same. False where `update` returns null. */
  const write = async (...args: Parameters<typeof update>): Promise<boolean> => (await update(...args)) !== null

  return { findItem, read, update, write }
}

export type UsersTable = ReturnType<typeof usersTable>
