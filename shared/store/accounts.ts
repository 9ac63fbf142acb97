import { DeleteCommand, type DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { Account, Accounts } from '../accounts/account.ts'
import { toAccount, toItem } from './account-item.ts'
import { pendingEmailAttribute, tokenAttributes } from './attributes.ts'
import { callAws, conditionalWrite } from './aws.ts'
import type { FactorWrites } from './factor-writes.ts'
import { passwordWrites } from './password-writes.ts'
import { type UsersTable, usersTable } from './users-table.ts'

/** Only a few functions write sessions, and login only when it is asked to: the others do not load how. */
const sessionWrites = async (update: UsersTable['update']) =>
  (await import('./session-writes.ts')).sessionWrites(update)

/** Accounts in DynamoDB, one item each. An index only finds a candidate: the condition on the item decides. */
export function accountStore(db: DynamoDBDocumentClient, table: string): Accounts {
  const { findItem, update } = usersTable(db, table)

  async function find(email: string): Promise<Account | null> {
    const item = await findItem(email)
    return item && toAccount(item)
  }

  /** A write of second factors, which few functions and logins make. */
  const ofFactor = <W extends keyof FactorWrites>(write: W) =>
    (async (...change: Parameters<FactorWrites[W]>) => {
      const { factorWrites } = await import('./factor-writes.ts')
      return (factorWrites(update)[write] as (...made: typeof change) => unknown)(...change)
    }) as unknown as FactorWrites[W]

  return {
    find,

    async findByToken(kind, hash) {
      const { index, hash: attribute } = tokenAttributes[kind]
      const found = await callAws(
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
      const written = await conditionalWrite(
        db.send(new PutCommand({ TableName: table, Item: item, ConditionExpression: 'attribute_not_exists(email)' })),
      )
      // The SDK repeats a put whose answer was lost. The second one finds its own account.
      return written !== null || (await findItem(account.email))?.id === account.id
    },

    rename(account, name, now) {
      return update(account, now, {
        set: ['#name = :name'],
        condition: 'token_version = :version',
        values: { ':name': name, ':version': account.tokenVersion },
        names: { '#name': 'name' },
      })
    },

    async storeToken(kind, account, token, now, to) {
      const { hash, expires, requestedAt } = tokenAttributes[kind]
      const provesOwn = kind === 'verification' && to === undefined
      const andUnverified = provesOwn ? ' AND is_verified = :false' : ''
      const updated = await update(account, now, {
        set: [
          `${hash} = :hash`,
          `${expires} = :expires`,
          `${requestedAt} = :requested`,
          ...(to === undefined ? [] : [`${pendingEmailAttribute} = :to`]),
        ],
        remove: provesOwn ? [pendingEmailAttribute] : [],
        // `= :hash`: it is stored already, because the SDK repeats a write whose answer was lost.
        condition: `(attribute_not_exists(${requestedAt}) OR ${requestedAt} < :requested OR (${hash} = :hash AND ${requestedAt} = :requested))${andUnverified}`,
        values: {
          ':hash': token.hash,
          ':expires': token.expiresAt.toISOString(),
          ':requested': token.requestedAt.toISOString(),
          ...(andUnverified && { ':false': false }),
          ...(to !== undefined && { ':to': to }),
        },
      })
      return updated !== null
    },

    async verify(account, now) {
      const { hash, expires } = tokenAttributes.verification
      const updated = await update(account, now, {
        set: ['is_verified = :true'],
        remove: [hash, expires, pendingEmailAttribute],
        condition: 'token_version = :version',
        values: { ':true': true, ':version': account.tokenVersion },
      })
      return updated !== null
    },

    async spendVerificationToken(account, hash, mark, now) {
      const a = tokenAttributes.verification
      const updated = await update(account, now, {
        set: ['is_verified = :true'],
        remove: [a.hash, a.expires],
        condition: `${a.hash} = :hash AND ${a.expires} > :now AND attribute_not_exists(${pendingEmailAttribute})`,
        values: { ':true': true, ':hash': hash },
        mark: ['email_verified_by', mark],
      })
      return updated !== null
    },

    ...passwordWrites(update),

    addSession: async (...change) => (await sessionWrites(update)).addSession(...change),
    changeSession: async (...change) => (await sessionWrites(update)).changeSession(...change),
    storePendingFactor: ofFactor('storePendingFactor'),
    setFactor: ofFactor('setFactor'),
    removeFactor: ofFactor('removeFactor'),
    replaceRecoveryCodes: ofFactor('replaceRecoveryCodes'),
    spendRecoveryCode: ofFactor('spendRecoveryCode'),
    spendCode: ofFactor('spendCode'),
    addWrongCode: ofFactor('addWrongCode'),
    returnWrongCode: ofFactor('returnWrongCode'),

    async delete({ email, id, tokenVersion }) {
      const deleted = await conditionalWrite(
        db.send(
          new DeleteCommand({
            TableName: table,
            Key: { email },
            ConditionExpression: 'id = :id AND token_version = :version',
            ExpressionAttributeValues: { ':id': id, ':version': tokenVersion },
          }),
        ),
      )
      if (deleted !== null) return 'deleted'
      return (await findItem(email))?.id === id ? 'changed' : 'absent'
    },
  }
}
