import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Account } from '../accounts/account.ts'
import { type AccountItem, toAccount } from './account-item.ts'
import { callAws, conditionalWrite } from './aws.ts'

type MarkAttribute =
  | 'password_changed_by'
  | 'email_verified_by'
  | 'logged_out_by'
  | 'factor_set_up_by'
  | 'factor_changed_by'
  | 'recovery_code_used_by'
  | 'totp_used_by'

/** One update of an account, in DynamoDB's expressions. */
export interface AccountChange {
  /** What it sets in addition to `updated_at` and the mark. */
  set?: readonly string[]
  remove?: readonly string[]
  /** A member that it adds to a set. */
  add?: readonly [set: string, member: string]
  /** A member that it takes out of a set. */
  take?: readonly [set: string, member: string]
  /** In addition to the account's id. */
  condition?: string
  values?: Record<string, unknown>
  names?: Record<string, string>
  /** The attribute that this write leaves its mark in, and the mark. */
  mark?: readonly [attribute: MarkAttribute, mark: string]
}

/** Reads and updates single items of the users table. */
export function usersTable(db: DynamoDBDocumentClient, table: string) {
  async function findItem(email: string): Promise<AccountItem | null> {
    const found = await callAws(db.send(new GetCommand({ TableName: table, Key: { email }, ConsistentRead: true })))
    return (found.Item as AccountItem | undefined) ?? null
  }

  /**
   * Updates the account that was read. Checks its `id`, because otherwise an update of a deleted account would bring part
   * of it back. Null when that account is gone, or the condition is not met.
   *
   * @param now null leaves `updated_at` as it is
   */
  async function update(
    { email, id }: Pick<Account, 'email' | 'id'>,
    now: Date | null,
    change: AccountChange,
  ): Promise<Account | null> {
    const { set = [], remove = [], add, take, condition, values, names, mark } = change
    const assignments = [...set, ...(now ? ['updated_at = :now'] : []), ...(mark ? [`${mark[0]} = :mark`] : [])]
    const clauses = [
      `SET ${assignments.join(', ')}`,
      ...(remove.length > 0 ? [`REMOVE ${remove.join(', ')}`] : []),
      ...(add ? [`ADD ${add[0]} :added`] : []),
      ...(take ? [`DELETE ${take[0]} :taken`] : []),
    ]
    const updated = await conditionalWrite(
      db.send(
        new UpdateCommand({
          TableName: table,
          Key: { email },
          UpdateExpression: clauses.join(' '),
          ConditionExpression: condition ? `id = :id AND ${condition}` : 'id = :id',
          ExpressionAttributeValues: {
            ':id': id,
            ...(now && { ':now': now.toISOString() }),
            ...values,
            ...(add && { ':added': new Set([add[1]]) }),
            ...(take && { ':taken': new Set([take[1]]) }),
            ...(mark && { ':mark': mark[1] }),
          },
          ...(names && { ExpressionAttributeNames: names }),
          ReturnValues: 'ALL_NEW',
        }),
      ),
    )
    if (updated?.Attributes) return toAccount(updated.Attributes as AccountItem)
    return mark ? findMarked(email, id, mark) : null
  }

  /** The account, if it has the mark: then this write had succeeded before, and was repeated. */
  async function findMarked(email: string, id: string, [attribute, mark]: NonNullable<AccountChange['mark']>) {
    const item = await findItem(email)
    return item?.id === id && item[attribute] === mark ? toAccount(item) : null
  }

  return { findItem, update }
}

export type UsersTable = ReturnType<typeof usersTable>
