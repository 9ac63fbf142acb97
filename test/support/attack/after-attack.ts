import { describe, expect, test } from 'vitest'
import { canonicalEmail } from '../../../accounts/address/address.ts'
import type { ChangeItem } from '../../../accounts/change/change.ts'
import { type IdentityItem, identityKey } from '../../../accounts/identity/identity.ts'
import { type PasskeyItem, passkeyKey } from '../../../accounts/passkey/passkey.ts'
import type { SessionItem } from '../../../accounts/session/session.ts'
import { accountKinds } from '../../../shared/base/families.ts'
import { leaksOf } from '../service/log-law.ts'
import { leastCost } from '../stack/settings.ts'
import { keyOf } from '../system/operator.ts'
import { canary } from './safe-answer.ts'
import type { Target } from './target.ts'

const rfc3339 = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const hash = expect.stringMatching(/^[0-9a-f]{64}$/)

/** Sessions: of their refresh tokens, only the hash of the secret. */
const sessions = expect.toSatisfy((held: Record<string, SessionItem>) =>
  Object.entries(held).every(([id, { secret_hash }]) => /^[\w-]{22}$/.test(id) && /^[\w-]{43}$/.test(secret_hash)),
)

/** At most ten passkeys, by the hashes of their ids. */
const heldPasskeys = expect.toSatisfy(
  (held: Record<string, PasskeyItem>) =>
    Object.keys(held).length <= 10 &&
    Object.entries(held).every(([key, { credential_id }]) => key === passkeyKey(credential_id)),
)

/** Identities: each under its key, with its provider's subject. */
const identities = expect.toSatisfy((held: Record<string, IdentityItem>) =>
  Object.entries(held).every(([key, { issuer, subject }]) => key === identityKey(issuer, subject)),
)

/** Changes of a week, at most twenty of a mailbox: of the tokens of their notices, only the hashes. */
const changes = expect.toSatisfy(
  (made: Record<string, ChangeItem>) =>
    Object.keys(made).every(each => /^[0-9a-f]{64}$/.test(each)) &&
    Object.values(Object.groupBy(Object.values(made), ({ email }) => email)).every(of => (of?.length ?? 0) <= 20),
)

/** The attributes that every stored account has. */
const required = {
  email: expect.stringMatching(/@/),
  id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
  key: expect.stringMatching(/^account#/),
  name: expect.toSatisfy(name => name === null || typeof name === 'string'),
  // `*` after a revocation.
  password_hash: expect.stringMatching(
    new RegExp(String.raw`^(?:\*|\$bcrypt-sha256\$v=2,t=2b,r=${leastCost}\$[./\w]{22}\$[./\w]{31})$`),
  ),
  is_admin: false,
  is_verified: expect.any(Boolean),
  token_version: expect.any(Number),
  created_at: rfc3339,
  updated_at: rfc3339,
  ...{ sessions, passkeys: heldPasskeys, identities, changes },
}

const uuid = expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

/** Idempotency tokens, by which a retried write recognises that it has succeeded. */
const marks = {
  ...{ password_changed_by: hash, email_verified_by: uuid, logged_out_by: uuid },
  ...{ factor_changed_by: hash, totp_used_by: expect.any(String) },
  ...{ recovery_code_used_by: expect.any(String), passkey_removed_by: hash },
  identity_changed_by: hash,
  passkey_used_by: expect.stringMatching(/^[\w-]{43}$/),
}

/** The languages of an attacked system: nothing else is ever stored. */
const offered = expect.stringMatching(/^(?:en|en-XA)$/)

/** Remembered clients: hashes that reveal no address. */
const remembered = expect.toSatisfy(
  (clients: unknown) =>
    Array.isArray(clients) && clients.length <= 5 && clients.every(({ hash }) => /^[\w-]{43}$/.test(hash)),
)

/** An app's secret is encrypted, recovery codes are hashed. */
const factor = {
  totp_secret: expect.any(Uint8Array),
  totp_last_step: expect.any(Number),
  wrong_codes: expect.any(Set),
  recovery_codes: expect.toSatisfy((codes: Set<string>) => [...codes].every(code => /^[0-9a-f]{64}$/.test(code))),
}

/** What is drawn for the first passkey. */
const handle = { passkey_handle: expect.stringMatching(/^[\w-]{86}$/), passkey_rp_id: 'localhost' }

/** The attributes of a one-time token: the first two occur together, and never without the third. */
const tokenAttributes = (kind: string) =>
  [`${kind}_token`, `${kind}_expires`, `${kind}_requested_at`] as [hash: string, expires: string, requested: string]

function expectValidAccount(item: Record<string, unknown>): void {
  const rest = { ...item }
  for (const [held, expires, requested] of [tokenAttributes('email_verification'), tokenAttributes('password_reset')]) {
    if (held in rest || expires in rest) {
      expect(rest).toMatchObject({ [held]: hash, [expires]: rfc3339, [requested]: rfc3339 })
    }
    for (const name of [held, expires, requested]) delete rest[name]
  }
  // A pending change of address needs its link.
  const pending = 'email_verification_token' in item ? { email_verification_to: expect.stringMatching(/@/) } : {}
  // What a mail listed is known while its link is.
  const lists = 'password_reset_token' in item ? { password_reset_lists: expect.any(Set) } : {}
  // A former password is kept only while there is none.
  const former = item.password_hash === '*' ? { former_password_hash: required.password_hash } : {}
  const spoken = { language: offered, language_before: offered, language_until: rfc3339 }
  const optional = {
    ...{ ...marks, ...pending, ...former, ...spoken, ...factor, ...handle, ...lists },
    ...{ changes_at: rfc3339, password_changed_at: rfc3339, remembered_remotes: remembered, locked_at: rfc3339 },
  }
  const present = Object.fromEntries(Object.entries(optional).filter(([name]) => name in rest))
  expect(rest).toEqual({ ...required, ...present })
  expect(canonicalEmail(String(item.email))).toBe(item.email)
}

/**
 * Adds the tests of the invariants after an attack. Called last in its file.
 *
 * @param isRequired whether people get a token only with a second factor
 */
export function testAfterAttack(target: Target, isRequired = false): void {
  describe('after the attack', () => {
    test('the system still registers people, logs them in and answers them', async () => {
      const person = await target.register()
      if (isRequired) return expect((await target.post('/auth/login', person)).body.code).toBe('second-factor-setup')
      const authorization = `Bearer ${await target.logIn(person)}`
      const { status, body } = await target.send({ path: '/auth/me', headers: { authorization } })
      expect([status, body.email]).toEqual([200, person.email])
    })

    test('every stored account is valid', async () => {
      const accounts = await target.users.all()
      expect(accounts).not.toEqual([])
      for (const account of accounts) expectValidAccount(account)
    })

    test('each account has one address entry, and no other leads anywhere; each identity has an entry that leads to it', async () => {
      const accounts = await target.users.all()
      const entries = await target.users.entries()
      const ofAddresses = Object.entries(entries).filter(([key]) => key.startsWith(accountKinds.Addresses))
      const addresses = accounts.map(({ email, id }) => [keyOf('Addresses', email), id])
      expect(Object.fromEntries(ofAddresses)).toEqual(Object.fromEntries(addresses))
      const held = accounts.flatMap(({ id, identities }) =>
        Object.keys(identities as object).map(key => [keyOf('Identities', key), id]),
      )
      // One that was connected while others were removed may stay behind, and counts as none.
      expect(entries).toMatchObject(Object.fromEntries(held))
    })

    test('the functions have logged events and metrics alone, without any secret', () => {
      expect(target.logs).not.toEqual([])
      const all = target.logs.map(({ line }) => line).join('\n')
      for (const secret of [...target.secrets, canary]) expect(all.includes(secret), secret).toBe(false)
      expect(all).not.toMatch(/[\w.+-]+@[\w-]+\.\w/)
      for (const { line } of target.logs) {
        const record = JSON.parse(line)
        if (!('_aws' in record)) {
          expect(record).toMatchObject({ level: 'INFO', message: { event: expect.any(String) } })
          expect(leaksOf(record.message)).toEqual([])
        }
      }
    })
  })
}
