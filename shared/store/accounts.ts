import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb'
import type { Account, Accounts } from '../accounts/account.ts'
import { attempt, reach } from '../aws.ts'
import { type AccountItem, toAccount, toItem } from './account-item.ts'
import { tokenAttributes } from './tables.ts'

/**
 * Accounts in DynamoDB, one item each. An index only finds the candidate: the condition on the item decides. Each
 * update names the account's `id`, since an update of a deleted account would otherwise bring part of it back.
 */
export function accountStore(db: DynamoDBDocumentClient, table: string): Accounts {
  async function find(email: string): Promise<Account | null> {
    const found = await reach(db.send(new GetCommand({ TableName: table, Key: { email }, ConsistentRead: true })))
    return found.Item ? toAccount(found.Item as AccountItem) : null
  }

  /** One conditional update of the very account that was read. Null when the account or `condition` moved on. */
  async function update(
    { email, id }: Account,
    now: Date,
    expression: string,
    condition: string,
    values: Record<string, unknown>,
    names?: UpdateCommandInput['ExpressionAttributeNames'],
  ): Promise<Account | null> {
    const updated = await attempt(
      db.send(
        new UpdateCommand({
          TableName: table,
          Key: { email },
          UpdateExpression: expression,
          ConditionExpression: `id = :id AND ${condition}`,
          ExpressionAttributeValues: { ':id': id, ':now': now.toISOString(), ...values },
          ...(names && { ExpressionAttributeNames: names }),
          ReturnValues: 'ALL_NEW',
        }),
      ),
    )
    return updated?.Attributes ? toAccount(updated.Attributes as AccountItem) : null
  }

  return {
    find,

    async findByToken(kind, hash) {
      const { index, hash: attribute } = tokenAttributes[kind]
      const found = await reach(
        db.send(
          new QueryCommand({
            TableName: table,
            IndexName: index,
            KeyConditionExpression: `${attribute} = :hash`,
            ExpressionAttributeValues: { ':hash': hash },
            Limit: 1,
          }),
        ),
      )
      const email = found.Items?.[0]?.email
      const account = typeof email === 'string' ? await find(email) : null
      return account?.tokens[kind].hash === hash ? account : null
    },

    async insert(account) {
      const item = toItem(account, account.createdAt, account.verification)
      const written = await attempt(
        db.send(new PutCommand({ TableName: table, Item: item, ConditionExpression: 'attribute_not_exists(email)' })),
      )
      // A put whose answer was lost is sent again by the SDK, and then finds its own account.
      return written !== null || (await find(account.email))?.id === account.id
    },

    rename(account, name, now) {
      return update(
        account,
        now,
        'SET #name = :name, updated_at = :now',
        'token_version = :version',
        { ':name': name, ':version': account.tokenVersion },
        { '#name': 'name' },
      )
    },

    async replaceHash(account, hash, now) {
      const updated = await update(
        account,
        now,
        'SET password_hash = :new, updated_at = :now',
        'password_hash = :old',
        {
          ':new': hash,
          ':old': account.passwordHash,
        },
      )
      return updated !== null
    },

    async storeToken(kind, account, token, now) {
      const { hash, expires, requestedAt } = tokenAttributes[kind]
      const isWanted = kind === 'verification' ? ' AND is_verified = :false' : ''
      const updated = await update(
        account,
        now,
        `SET ${hash} = :hash, ${expires} = :expires, ${requestedAt} = :requested, updated_at = :now`,
        // Or it is this very token: a write whose answer was lost is sent again by the SDK.
        `(attribute_not_exists(${requestedAt}) OR ${requestedAt} < :requested OR ${hash} = :hash)${isWanted}`,
        {
          ':hash': token.hash,
          ':expires': token.expiresAt.toISOString(),
          ':requested': token.requestedAt.toISOString(),
          ...(isWanted && { ':false': false }),
        },
      )
      return updated !== null
    },

    async spendVerificationToken(account, hash, now) {
      const a = tokenAttributes.verification
      const updated = await update(
        account,
        now,
        `SET is_verified = :true, updated_at = :now REMOVE ${a.hash}, ${a.expires}`,
        `${a.hash} = :hash AND ${a.expires} > :now`,
        { ':true': true, ':hash': hash },
      )
      return updated !== null
    },

    async spendResetToken(account, hash, passwordHash, now) {
      const a = tokenAttributes.reset
      const updated = await update(
        account,
        now,
        `SET password_hash = :password, token_version = token_version + :one, updated_at = :now REMOVE ${a.hash}, ${a.expires}`,
        `${a.hash} = :hash AND ${a.expires} > :now`,
        { ':password': passwordHash, ':one': 1, ':hash': hash },
      )
      // Sent again, it finds its own password hash, whose salt nobody else has drawn.
      return updated !== null || (await find(account.email))?.passwordHash === passwordHash
    },
  }
}
