import { randomBytes } from 'node:crypto'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DeleteCommand, DynamoDBDocumentClient, PutCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { noPassword } from '../../../accounts/account/account.ts'
import type { AccountItem } from '../../../accounts/account/attributes.ts'
import { identityKey, toIdentityItems } from '../../../accounts/identity/identity.ts'
import { type ChallengePurpose, drawChallenge } from '../../../accounts/passkey/challenge.ts'
import { passkeyKey } from '../../../accounts/passkey/passkey.ts'
import { challengeStore } from '../../../accounts/passkey/writes.ts'
import { drawToken, oneTimeToken } from '../../../accounts/token/token.ts'
import type { Running } from '../../../local/system.ts'
import { type AccountKind, accountKinds } from '../../../shared/base/families.ts'
import { configOf } from './small-stack.ts'

type Item = Record<string, unknown>

/** The table of accounts, read and changed directly. */
export interface Users {
  /** The accounts. */
  all(): Promise<Item[]>
  /** The entries that lead to accounts: the id in each, by its key. */
  entries(): Promise<Record<string, unknown>>
  find(email: string): Promise<Item | undefined>
  change(email: string, members: Item): Promise<void>
  /** Removes an account with all that leads to it, and leaves no mark. */
  remove(email: string): Promise<void>
}

/** The tables' names in the local system. */
export const accountsTable = 'Gatehouse-Accounts'
export const rateLimitsTable = 'Gatehouse-RateLimits'

/** The key of an item in the table of accounts. */
export const keyOf = (kind: AccountKind, name: unknown): string => `${accountKinds[kind]}${name}`

/** DynamoDB, through an operator's credential. */
const databaseOf = (system: Running) => DynamoDBDocumentClient.from(new DynamoDBClient(configOf(system, 'operator')))

export function openUsers(system: Running): Users {
  const db = databaseOf(system)
  const TableName = accountsTable

  async function scan(isWanted: (key: string) => boolean): Promise<Item[]> {
    const { Items = [] } = await db.send(new ScanCommand({ TableName, ConsistentRead: true }))
    return Items.filter(({ key }) => isWanted(key))
  }
  const isAccount = (key: string) => key.startsWith(accountKinds.Accounts)

  const users: Users = {
    all: () => scan(isAccount),
    entries: async () => Object.fromEntries((await scan(key => !isAccount(key))).map(({ key, id }) => [key, id])),
    find: async email => (await users.all()).find(item => item.email === email),
    async change(email, members) {
      const { key } = (await users.find(email)) ?? {}
      const names = Object.keys(members)
      await db.send(
        new UpdateCommand({
          TableName,
          Key: { key },
          UpdateExpression: `SET ${names.map((_, i) => `#m${i} = :m${i}`).join(', ')}`,
          ExpressionAttributeNames: Object.fromEntries(names.map((name, i) => [`#m${i}`, name])),
          ExpressionAttributeValues: Object.fromEntries(names.map((name, i) => [`:m${i}`, members[name]])),
        }),
      )
    },
    async remove(email) {
      const { id } = (await users.find(email)) ?? {}
      const leading = Object.entries(await users.entries()).filter(([, held]) => held === id)
      for (const key of [keyOf('Accounts', id), ...leading.map(([key]) => key)])
        await db.send(new DeleteCommand({ TableName, Key: { key } }))
    },
  }
  return users
}

const now = new Date().toISOString()
const bytes = new Uint8Array([1])
/** An account with every attribute. */
export const fullAccount = (email: string): Required<AccountItem> => ({
  ...{ email, id: email, name: 'Ada', language: 'en', language_before: 'de', language_until: now },
  ...{
    password_hash: '$2b$10$',
    former_password_hash: '$2b$10$',
    is_admin: false,
    is_verified: false,
    roles: ['reader'],
  },
  ...{ invited_until: now, token_version: 0, locked_at: now, created_at: now, updated_at: now },
  ...{ email_verification_token: 'a', email_verification_expires: now, email_verification_requested_at: now },
  ...{ email_verification_to: 'new@example.com', email_verified_by: 'a', password_reset_token: 'a' },
  ...{
    password_reset_expires: now,
    password_reset_requested_at: now,
    password_changed_by: 'a',
    password_changed_at: now,
    reset_verifies: true,
  },
  ...{ remembered_remotes: [{ hash: 'a', at: now }], totp_secret: bytes, totp_last_step: 1, totp_used_by: 'a' },
  ...{
    wrong_codes: new Set(['a']),
    totp_pending_secret: bytes,
    totp_pending_expires: now,
    totp_pending_by_passkey: true,
  },
  ...{ recovery_codes: new Set(['a']), recovery_code_used_by: 'a', factor_changed_by: 'a' },
  sessions: {
    a: {
      ...{
        secret_hash: 'a',
        salt: 'a',
        current: 1,
        parent: 0,
        rotated_at: now,
        created_at: now,
        auth_time: now,
        amr: ['pwd'],
      },
      ...{ version: 0, label: 'Phone', application: 'app', scope: 'openid', browser: true, through: 'a', tab: true },
    },
  },
  passkeys: {
    [passkeyKey('YQ')]: {
      ...{
        credential_id: 'YQ',
        public_key: bytes,
        transports: ['usb'],
        sign_count: 0,
        backup_eligible: true,
        backed_up: true,
      },
      ...{ label: 'Phone', created_at: now, last_used_at: now },
    },
  },
  ...{
    passkey_handle: 'a',
    passkey_rp_id: 'example.com',
    passkey_removed_by: 'a',
    passkey_used_by: 'a',
  },
  identities: { a: { issuer: 'https://provider.example', subject: 'a', email: 'a@example.com', connected_at: now } },
  ...{ identity_changed_by: 'a', logged_out_by: 'a' },
  changes: { a: { kind: 'passkey', email: 'a@example.com', at: now, link: true, language: 'en' } },
  ...{ changes_at: now, password_reset_lists: new Set(['a']) },
})

/** Turns an account into one that an operator has invited. @returns the token of its link */
export async function invite(system: Running, email: string): Promise<string> {
  const token = drawToken({ randomBytes })
  const { hash, expiresAt } = oneTimeToken('invitation', token, new Date())
  const end = expiresAt.toISOString()
  const link = { password_reset_token: hash, password_reset_expires: end, invited_until: end }
  await openUsers(system).change(email, { password_hash: noPassword, ...link })
  return token
}

/** Connects an identity, whose subject is the address, directly in the table. @returns its key in the account */
export async function identify(system: Running, email: string): Promise<string> {
  const users = openUsers(system)
  const issuer = 'https://provider.example'
  const identity = { key: identityKey(issuer, email), issuer, subject: email, email, connectedAt: new Date() }
  const { id } = (await users.find(email)) ?? {}
  await putEntry(system, identity.key, id)
  await users.change(email, { identities: toIdentityItems([identity]) })
  return identity.key
}

/** Puts the entry of an identity directly into the table. @param id of the account that it leads to */
export async function putEntry(system: Running, identity: string, id: unknown): Promise<void> {
  const Item = { key: keyOf('Identities', identity), id }
  await databaseOf(system).send(new PutCommand({ TableName: accountsTable, Item }))
}

/** Dates a session back by an hour, so that its refresh token is rotated at its next use, without a wait. */
export async function dateBack(system: Running, email: string, id: string): Promise<void> {
  const { key } = (await openUsers(system).find(email)) ?? {}
  await databaseOf(system).send(
    new UpdateCommand({
      TableName: accountsTable,
      Key: { key },
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
