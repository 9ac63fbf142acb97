import { type DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { callAws, conditionalWrite } from '../../shared/aws/aws.ts'
import { itemTable } from '../../shared/aws/items.ts'
import type { Waiting } from '../../shared/aws/transactions.ts'
import { pendingEmailAttribute } from '../address/address.ts'
import { factorWrites } from '../factor/writes.ts'
import { identityTable } from '../identity/table.ts'
import { identityWrites } from '../identity/writes.ts'
import { passkeyHandle } from '../passkey/passkey.ts'
import { passkeyWrites } from '../passkey/writes.ts'
import { passwordWrites } from '../password/writes.ts'
import { sessionWrites } from '../session/writes.ts'
import { tokenAttributes } from '../token/token.ts'
import type { Account } from './account.ts'
import type { Accounts } from './accounts.ts'
import { invitedAttribute, toAccount, toItem, tokenItem, type UsersTable } from './attributes.ts'

export const usersTable = (db: DynamoDBDocumentClient, table: string): UsersTable => itemTable(db, table, toAccount)

/** Accounts in DynamoDB, one item each, and the pointers of their identities. An index only finds a candidate: the condition on the item decides. */
export function accountStore(db: DynamoDBDocumentClient, table: string, waiting: Waiting): Accounts {
  const users = usersTable(db, table)
  const identities = identityTable(db, table, waiting, users)
  const { findItem, read, update, write } = users

  /** The account with a value: an index only finds candidates. One that has just moved may be listed at both its addresses. */
  async function findBy(
    index: string,
    attribute: string,
    value: string,
    hasValue: (account: Account) => boolean,
  ): Promise<Account | null> {
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
      const account = await read(email)
      if (account && hasValue(account)) return account
    }
    return null
  }

  return {
    find: read,

    findByToken(kind, hash) {
      const { index, hash: attribute } = tokenAttributes[kind]
      return findBy(index, attribute, hash, account => account.tokens[kind].hash === hash)
    },

    findByPasskeyHandle: handle =>
      findBy(passkeyHandle.index, passkeyHandle.attribute, handle, account => account.passkeyHandle === handle),

    async insert(account) {
      const item = toItem(account, account.createdAt, account.verification)
      const written = await conditionalWrite(
        db.send(new PutCommand({ TableName: table, Item: item, ConditionExpression: 'attribute_not_exists(email)' })),
      )
      // The SDK repeats a put whose answer was lost. The second one finds its own account.
      return written !== null || (await findItem(account.email))?.id === account.id
    },

    changeProfile: (account, { noticesIn, ...change }, now) =>
      update(account, now, {
        set: {
          ...change,
          ...(noticesIn && { language_before: noticesIn.language, language_until: noticesIn.until.toISOString() }),
        },
        version: account.tokenVersion,
      }),

    storeToken(kind, account, token, now, to) {
      const { hash, requestedAt } = tokenAttributes[kind]
      const provesOwn = kind === 'verification' && to === undefined
      // After an acceptance it would be a reset link that lives for days.
      const invited = kind === 'reset' ? account.invitedUntil : null
      // The last one: it is stored already, because the SDK repeats a write whose answer was lost.
      const isNewest = [
        `attribute_not_exists(${requestedAt})`,
        `${requestedAt} < :${requestedAt}`,
        `(${hash} = :${hash} AND ${requestedAt} = :${requestedAt})`,
      ]
      return write(account, now, {
        set: { ...tokenItem(kind, token), ...(to !== undefined && { [pendingEmailAttribute]: to }) },
        remove: provesOwn ? [pendingEmailAttribute] : [],
        conditions: [
          `(${isNewest.join(' OR ')})`,
          ...(provesOwn ? ['is_verified = :false'] : []),
          ...(invited ? [`${invitedAttribute} = :invited`] : []),
        ],
        values: {
          ...(provesOwn && { ':false': false }),
          ...(invited && { ':invited': invited.toISOString() }),
        },
      })
    },

    verify(account, now) {
      const { hash, expires } = tokenAttributes.verification
      const remove = [hash, expires, pendingEmailAttribute]
      return write(account, now, { set: { is_verified: true }, remove, version: account.tokenVersion })
    },

    spendVerificationToken(account, tokenHash, mark, now) {
      const { hash, expires } = tokenAttributes.verification
      return write(account, now, {
        set: { is_verified: true },
        remove: [hash, expires],
        conditions: [`${hash} = :hash`, `${expires} > :now`, `attribute_not_exists(${pendingEmailAttribute})`],
        values: { ':hash': tokenHash },
        mark: ['email_verified_by', mark],
      })
    },

    ...passwordWrites(users, identities),
    ...sessionWrites(users),
    ...factorWrites(users),
    ...passkeyWrites(users),
    ...identityWrites(db, table, waiting, users, identities),
  }
}
