import { createHash, randomBytes } from 'node:crypto'
import { noPassword } from '../accounts/account/account.ts'
import { type AccountItem, toAccount, toClients } from '../accounts/account/attributes.ts'
import { undoToken } from '../accounts/address/undo.ts'
import type { Client } from '../accounts/application/client.ts'
import { grantKey } from '../accounts/application/grant.ts'
import type { GrantItem } from '../accounts/application/writes.ts'
import type { Change } from '../accounts/change/change.ts'
import { firstChange } from '../accounts/change/changes.ts'
import { writeRefreshToken } from '../accounts/session/refresh-token.ts'
import { callerAlone } from '../accounts/session/remembered-clients.ts'
import { newSession, toSessionItem } from '../accounts/session/session.ts'
import { hashToken } from '../accounts/token/token.ts'
import { families } from '../shared/base/families.ts'
import { challengeLike, passkeyHandle, passkeyMembers } from './passkey.ts'
import { connected, identityMembers } from './provider.ts'

/** The accounts in the stand-in for DynamoDB. */

/** The id of an account, of the length of a UUID. */
const idOf = (email: string): string => createHash('sha256').update(email).digest('hex').slice(0, 36)

export const person = { email: 'ada@example.com', password: 'correct horse' }
/** The address of the imported account with a hash. */
export const importedWith = (hash: string): string => `${hashToken(hash).slice(0, 16)}@example.com`
/** An account with a second factor, whose secret this is, and a pending one. */
export const guarded = { email: 'guarded@example.com', secret: randomBytes(20) }
/** A verified account with a passkey. */
export const holder = { email: 'holder@example.com' }
const opening = { now: () => new Date(Date.now() - 3_600_000), randomBytes }
/** An account with a session that is an hour old. */
function withSession(email: string, label: string | null, special?: Parameters<typeof newSession>[4]) {
  const { session, secret } = newSession(
    opening,
    { tokenVersion: 0, sessions: [] },
    label,
    { authTime: opening.now(), amr: ['pwd'] },
    special,
  )
  return { email, session, refreshToken: writeRefreshToken(idOf(email), session, secret) }
}
export const returning = withSession('returning@example.com', 'Phone')

/** The secret of a confidential application. */
export const shopSecret = `ghc1_${'s'.repeat(43)}`
export const shop: Client = {
  id: 'shop',
  name: 'Shop',
  redirects: ['https://shop.example.com/callback'],
  logouts: ['https://shop.example.com/'],
  home: null,
  secrets: [createHash('sha256').update(shopSecret).digest('hex')],
  api: true,
  unverified: true,
  pkce: 'required' as const,
}
/** An account with a session of that application, and with a browser session. */
export const shopping = withSession('shopping@example.com', shop.name, {
  application: shop.id,
  scope: ['openid', 'email', 'offline_access'],
})
export const staying = withSession('staying@example.com', null, { isBrowser: true })

/** Codes made just now, by kind of grant, and their verifier. */
export const codes = { plain: 'c'.repeat(43), offline: 'o'.repeat(43) }
export const verifier = 'v'.repeat(43)
export const challenge = createHash('sha256').update(verifier).digest('base64url')
/** An account that is changing its address. */
const moving = { email: 'moving@example.com', to: 'bob@example.com', token: 'm'.repeat(43) }

/** An account without a password yet. */
const invited = { email: 'invited@example.com', token: 'i'.repeat(43) }

/** The token of the notice of a change that can be undone. */
const notice = Buffer.alloc(32, 'u').toString('base64url')

/** The valid one-time tokens. */
export const oneTimeTokens = {
  usual: 'x'.repeat(43),
  'email-change': moving.token,
  'accept-invitation': invited.token,
  undo: undoToken(notice, idOf(person.email)),
}

/** Accounts that an index finds by a token's hash or a user handle. */
export const foundBy: readonly [value: string, email: string][] = [
  [hashToken(moving.token), moving.email],
  [hashToken(invited.token), invited.email],
  [passkeyHandle, holder.email],
]

/** The client of all requests, where `person` has logged in today. */
export const clientAddress = '203.0.113.7'

const opened = '2026-01-01T00:00:00.000Z'
const later = '2100-01-01T00:00:00.000Z'

/** The item of `person`, with both tokens valid. */
export function itemOf(passwordHash: string): AccountItem {
  const item: AccountItem = {
    email: person.email,
    id: idOf(person.email),
    name: 'Ada',
    password_hash: passwordHash,
    is_admin: false,
    is_verified: false,
    token_version: 0,
    created_at: opened,
    updated_at: opened,
    email_verification_token: hashToken(oneTimeTokens.usual),
    email_verification_expires: later,
    email_verification_requested_at: opened,
    password_reset_token: hashToken(oneTimeTokens.usual),
    password_reset_expires: later,
    password_reset_requested_at: opened,
    sessions: {},
    passkeys: {},
    identities: {},
    ...firstChange(undoable()),
  }
  return { ...item, remembered_remotes: toClients(callerAlone(toAccount(item), clientAddress, new Date())) }
}

/** A passkey of `person` was added an hour ago. */
const undoable = (): Change => ({
  hash: hashToken(notice),
  kind: 'passkey',
  email: person.email,
  at: opening.now(),
  hasLink: true,
  language: null,
})

/** The accounts. @param item of `person` */
export const accountsLike = (item: AccountItem, importedHashes: readonly string[]): AccountItem[] =>
  others(item, importedHashes).map(account => ({ ...account, id: idOf(account.email) }))

const others = (item: AccountItem, importedHashes: readonly string[]): AccountItem[] => [
  item,
  ...importedHashes.map(hash => ({ ...item, email: importedWith(hash), password_hash: hash })),
  { ...item, ...passkeyMembers, email: holder.email },
  { ...item, ...identityMembers, email: connected.email },
  {
    ...item,
    email: guarded.email,
    // The length of an encrypted secret.
    totp_secret: randomBytes(180),
    totp_last_step: 0,
    totp_pending_secret: randomBytes(180),
    totp_pending_expires: later,
    recovery_codes: new Set([hashToken('a code')]),
  },
  ...[returning, shopping, staying].map(({ email, session }) => ({
    ...item,
    email,
    sessions: { [session.id]: toSessionItem(session) },
  })),
  {
    ...item,
    email: invited.email,
    password_hash: noPassword,
    invited_until: later,
    password_reset_token: hashToken(invited.token),
  },
  {
    ...item,
    email: moving.email,
    email_verification_token: hashToken(moving.token),
    email_verification_to: moving.to,
  },
]

/** The grant of a code made just now. */
const grantLike = ({ id, token_version }: AccountItem, isOffline: boolean): GrantItem => ({
  client: shop.id,
  redirect: shop.redirects[0] ?? '',
  challenge,
  nonce: 'nonce',
  scope: isOffline ? 'openid email offline_access' : 'openid email',
  id,
  token_version,
  auth_time: opened,
  amr: ['pwd'],
  browser_session: null,
  created_at: new Date().toISOString(),
})

/** An item of the table of counters: a grant, a challenge, no mark, or a count. */
export function counterLike(item: AccountItem, key: string): object | undefined {
  if (key === grantKey(codes.plain)) return grantLike(item, false)
  if (key === grantKey(codes.offline)) return grantLike(item, true)
  const challenge = challengeLike(key, idOf(holder.email))
  if (challenge) return challenge
  const isAbsent = [families.DeletionMarks, families.ProviderTokens].some(prefix => key.startsWith(prefix))
  return isAbsent ? undefined : { n: 100, guesses: new Set(['0#guess']) }
}
