import { randomBytes } from 'node:crypto'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DeleteCommand, DynamoDBDocumentClient, PutCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { noPassword } from '../../../accounts/account/account.ts'
import { identityKey, pointerPrefix, toIdentityItems } from '../../../accounts/identity/identity.ts'
import { type ChallengePurpose, drawChallenge } from '../../../accounts/passkey/challenge.ts'
import { challengeStore } from '../../../accounts/passkey/writes.ts'
import { drawToken, oneTimeToken } from '../../../accounts/token/token.ts'
import type { Running } from '../../../local/system.ts'
import { configOf } from './small-stack.ts'

type Item = Record<string, unknown>

/** The users table, read and changed directly. */
export interface Users {
  all(): Promise<Item[]>
  find(email: string): Promise<Item | undefined>
  change(email: string, members: Item): Promise<void>
  remove(email: string): Promise<void>
}

/** The tables' names in the local system. */
export const usersTable = 'Gatehouse-Users'
export const rateLimitsTable = 'Gatehouse-RateLimits'

/** DynamoDB, through an operator's credential. */
const databaseOf = (system: Running) => DynamoDBDocumentClient.from(new DynamoDBClient(configOf(system, 'operator')))

export function openUsers(system: Running): Users {
  const db = databaseOf(system)
  const TableName = usersTable

  const users: Users = {
    async all() {
      const { Items = [] } = await db.send(new ScanCommand({ TableName, ConsistentRead: true }))
      return Items
    },
    find: async email => (await users.all()).find(item => item.email === email),
    async change(email, members) {
      const names = Object.keys(members)
      await db.send(
        new UpdateCommand({
          TableName,
          Key: { email },
          UpdateExpression: `SET ${names.map((_, i) => `#m${i} = :m${i}`).join(', ')}`,
          ExpressionAttributeNames: Object.fromEntries(names.map((name, i) => [`#m${i}`, name])),
          ExpressionAttributeValues: Object.fromEntries(names.map((name, i) => [`:m${i}`, members[name]])),
        }),
      )
    },
    async remove(email) {
      await db.send(new DeleteCommand({ TableName, Key: { email } }))
    },
  }
  return users
}

/** Turns an account into one that an operator has invited. @returns the token of its link */
export async function invite(system: Running, email: string): Promise<string> {
  const token = drawToken({ randomBytes })
  const { hash, expiresAt } = oneTimeToken('invitation', token, new Date())
  const end = expiresAt.toISOString()
  const link = { password_reset_token: hash, password_reset_expires: end, invited_until: end }
  await openUsers(system).change(email, { password_hash: noPassword, ...link })
  return token
}

/** Connects an identity, whose subject is the address, directly in the table. @returns the key of its index entry */
export async function identify(system: Running, email: string): Promise<string> {
  const users = openUsers(system)
  const issuer = 'https://provider.example'
  const identity = { key: identityKey(issuer, email), issuer, subject: email, email, connectedAt: new Date() }
  const { id } = (await users.find(email)) ?? {}
  const pointer = { email: `${pointerPrefix}${identity.key}`, id, address: email }
  await databaseOf(system).send(new PutCommand({ TableName: usersTable, Item: pointer }))
  await users.change(email, { identities: toIdentityItems([identity]) })
  return pointer.email
}

/** Dates a session back by an hour, so that its refresh token is rotated at its next use, without a wait. */
export async function dateBack(system: Running, email: string, id: string): Promise<void> {
  await databaseOf(system).send(
    new UpdateCommand({
      TableName: usersTable,
      Key: { email },
      UpdateExpression: 'SET sessions.#id.rotated_at = :then',
      ExpressionAttributeNames: { '#id': id },
      ExpressionAttributeValues: { ':then': new Date(Date.now() - 3_600_000).toISOString() },
    }),
  )
}

/** Draws a passkey's challenge directly in the table. @param accountId null for a login */
export const drawChallengeFor = (
  system: Running,
  purpose: ChallengePurpose,
  accountId: string | null,
): Promise<string> =>
  drawChallenge(
    { now: () => new Date(), randomBytes, challenges: challengeStore(databaseOf(system), rateLimitsTable) },
    purpose,
    accountId,
  )
