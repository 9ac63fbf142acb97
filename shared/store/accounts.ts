import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb'
import type { Account } from '../account.ts'
import type { Accounts } from '../deps.ts'
import { attempt } from './attempt.ts'
import { tokenAttributes } from './tables.ts'

/** An item of the users table. Times are RFC 3339 in UTC with milliseconds, so that text order is time order. */
interface Item {
  email: string
  id: string
  name: string | null
  password_hash: string
  is_admin: boolean
  is_verified: boolean
  token_version: number
  created_at: string
  updated_at: string
  email_verification_token?: string
  email_verification_expires?: string
  email_verification_requested_at?: string
  password_reset_token?: string
  password_reset_expires?: string
  password_reset_requested_at?: string
}

/**
 * Accounts in DynamoDB, one item each. An index only finds the candidate: the condition on the item decides. Each
 * update names the account's `id`, since an update of a deleted account would otherwise bring part of it back.
 */
export function accountStore(db: DynamoDBDocumentClient, table: string): Accounts {
  async function find(email: string): Promise<Account | null> {
    const found = await attempt(db.send(new GetCommand({ TableName: table, Key: { email }, ConsistentRead: true })))
    return found?.Item ? toAccount(found.Item as Item) : null
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
    return updated?.Attributes ? toAccount(updated.Attributes as Item) : null
  }

  return {
    find,

    async findByToken(kind, hash) {
      const { index, hash: attribute } = tokenAttributes[kind]
      const found = await attempt(
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
      const email = found?.Items?.[0]?.email
      const account = typeof email === 'string' ? await find(email) : null
      return account?.tokens[kind].hash === hash ? account : null
    },

    async insert(account) {
      const { verification } = account
      const item: Item = {
        email: account.email,
        id: account.id,
        name: account.name,
        password_hash: account.passwordHash,
        is_admin: account.isAdmin,
        is_verified: account.isVerified,
        token_version: account.tokenVersion,
        created_at: account.createdAt.toISOString(),
        updated_at: account.createdAt.toISOString(),
        email_verification_token: verification.hash,
        email_verification_expires: verification.expiresAt.toISOString(),
        email_verification_requested_at: verification.requestedAt.toISOString(),
      }
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
        `(attribute_not_exists(${requestedAt}) OR ${requestedAt} < :requested)${isWanted}`,
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
      return updated !== null
    },
  }
}

const toDate = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text))

const toAccount = (item: Item): Account => ({
  id: item.id,
  email: item.email,
  name: item.name,
  passwordHash: item.password_hash,
  isAdmin: item.is_admin,
  isVerified: item.is_verified,
  tokenVersion: item.token_version,
  createdAt: new Date(item.created_at),
  tokens: {
    verification: {
      hash: item.email_verification_token ?? null,
      expiresAt: toDate(item.email_verification_expires),
      requestedAt: toDate(item.email_verification_requested_at),
    },
    reset: {
      hash: item.password_reset_token ?? null,
      expiresAt: toDate(item.password_reset_expires),
      requestedAt: toDate(item.password_reset_requested_at),
    },
  },
})
