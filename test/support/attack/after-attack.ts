import { describe, expect, test } from 'vitest'
import { canonicalEmail } from '../../../accounts/address/address.ts'
import type { IdentityItem } from '../../../accounts/identity/identity.ts'
import { identityKey, pointerPrefix } from '../../../accounts/identity/identity.ts'
import { type PasskeyItem, passkeyKey } from '../../../accounts/passkey/passkey.ts'
import type { SessionItem } from '../../../accounts/session/session.ts'
import { leaksOf } from '../service/log-law.ts'
import { leastCost } from '../stack/settings.ts'
import { canary } from './safe-answer.ts'
import type { Target } from './target.ts'

const rfc3339 = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const hash = expect.stringMatching(/^[0-9a-f]{64}$/)

/** The attributes that every stored account has. */
const required = {
  email: expect.stringMatching(/@/),
  id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
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
}

const uuid = expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

/** Idempotency tokens, by which a retried write recognises that it has succeeded. */
const marks = {
  ...{ password_changed_by: hash, email_verified_by: uuid, logged_out_by: uuid },
  ...{ factor_set_up_by: hash, factor_changed_by: hash, totp_used_by: expect.any(String) },
  ...{ recovery_code_used_by: expect.any(String), passkey_added_by: hash, passkey_removed_by: hash },
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

/** Sessions: of their refresh tokens, only the hash of the secret. */
const sessions = expect.toSatisfy((held: Record<string, SessionItem>) =>
  Object.entries(held).every(([id, { secret_hash }]) => /^[\w-]{22}$/.test(id) && /^[\w-]{43}$/.test(secret_hash)),
)

/** An app's secret is encrypted, recovery codes are hashed. */
const factor = {
  totp_secret: expect.any(Uint8Array),
  totp_last_step: expect.any(Number),
  wrong_codes: expect.any(Set),
  recovery_codes: expect.toSatisfy((codes: Set<string>) => [...codes].every(code => /^[0-9a-f]{64}$/.test(code))),
}

/** At most ten, by the hashes of their ids. */
const passkeys = {
  passkey_handle: expect.stringMatching(/^[\w-]{86}$/),
  passkey_rp_id: 'localhost',
  passkeys: expect.toSatisfy(
    (held: Record<string, PasskeyItem>) =>
      Object.keys(held).length <= 10 &&
      Object.entries(held).every(([key, { credential_id }]) => key === passkeyKey(credential_id)),
  ),
}

/** Identities: each under its key, with its provider's subject. */
const identities = expect.toSatisfy((held: Record<string, IdentityItem>) =>
  Object.entries(held).every(([key, { issuer, subject }]) => key === identityKey(issuer, subject)),
)

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
  // A former password is kept only while there is none.
  const former = item.password_hash === '*' ? { former_password_hash: required.password_hash } : {}
  const spoken = { language: offered, language_before: offered, language_until: rfc3339 }
  const optional = {
    ...{ ...marks, ...pending, ...former, ...spoken, ...factor, ...passkeys, sessions },
    ...{ identities, remembered_remotes: remembered, locked_at: rfc3339 },
  }
  const present = Object.fromEntries(Object.entries(optional).filter(([name]) => name in rest))
  expect(rest).toEqual({ ...required, ...present })
  expect(canonicalEmail(String(item.email))).toBe(item.email)
}

const isPointer = (email: unknown): boolean => String(email).startsWith(pointerPrefix)

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
      const items = await target.users.all()
      const accounts = items.filter(({ email }) => !isPointer(email))
      expect(accounts).not.toEqual([])
      for (const account of accounts) expectValidAccount(account)
    })

    test('each index entry leads to the account with its identity, and each identity has one', async () => {
      const items = await target.users.all()
      const held = items.flatMap(({ email, id, identities = {} }) =>
        Object.keys(identities as object).map(key => ({ email: `${pointerPrefix}${key}`, id, address: email })),
      )
      const byEmail = (a: { email?: unknown }, b: { email?: unknown }) => (String(a.email) < String(b.email) ? -1 : 1)
      expect(items.filter(({ email }) => isPointer(email)).sort(byEmail)).toEqual(held.sort(byEmail))
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
