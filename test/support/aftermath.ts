import { describe, expect, test } from 'vitest'
import { canonicalEmail } from '../../shared/accounts/email.ts'
import { canary } from './civility.ts'
import type { Siege } from './siege.ts'

const rfc3339 = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const hash = expect.stringMatching(/^[0-9a-f]{64}$/)

/** An account as it is stored, whole. */
const whole = {
  email: expect.stringMatching(/@/),
  id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
  name: expect.toSatisfy(name => name === null || typeof name === 'string'),
  // Or none, after a revocation.
  password_hash: expect.stringMatching(/^(?:\*|\$bcrypt-sha256\$v=2,t=2b,r=10\$[./\w]{22}\$[./\w]{31})$/),
  is_admin: false,
  is_verified: expect.any(Boolean),
  token_version: expect.any(Number),
  created_at: rfc3339,
  updated_at: rfc3339,
}

const uuid = expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

/** What writes leave on accounts, to be recognised by. */
const marks = { password_changed_by: hash, email_verified_by: uuid, logged_out_by: uuid }

/** Where people have logged in from; nobody reads an address from it. */
const remembered = expect.toSatisfy(
  (remotes: unknown) =>
    Array.isArray(remotes) && remotes.length <= 5 && remotes.every(({ hash }) => /^[\w-]{43}$/.test(hash)),
)

/** Attributes that come and go with a token: the first two together, and never without the third. */
const token = (kind: string) =>
  [`${kind}_token`, `${kind}_expires`, `${kind}_requested_at`] as [hash: string, expires: string, requested: string]

function expectWhole(item: Record<string, unknown>): void {
  const rest = { ...item }
  for (const [held, expires, requested] of [token('email_verification'), token('password_reset')]) {
    if (held in rest || expires in rest) {
      expect(rest).toMatchObject({ [held]: hash, [expires]: rfc3339, [requested]: rfc3339 })
    }
    for (const name of [held, expires, requested]) delete rest[name]
  }
  const comesAndGoes = { ...marks, remembered_remotes: remembered, locked_at: rfc3339 }
  const left = Object.fromEntries(Object.entries(comesAndGoes).filter(([name]) => name in rest))
  expect(rest).toEqual({ ...whole, ...left })
  expect(canonicalEmail(String(item.email))).toBe(item.email)
}

/** What must hold once an attack is over. Called last in its file. */
export function holdsUp(siege: Siege): void {
  describe('after the attack', () => {
    test('the system answers as before, and from the accounts that were there', async () => {
      const person = await siege.register()
      const authorization = `Bearer ${await siege.logIn(person)}`
      const { status, body } = await siege.send({ path: '/auth/me', headers: { authorization } })
      expect([status, body.email]).toEqual([200, person.email])
    })

    test('every stored account is whole', async () => {
      const items = await siege.users.all()
      expect(items).not.toEqual([])
      for (const item of items) expectWhole(item)
    })

    test('the functions have written events and metrics alone, and nothing secret in them', () => {
      expect(siege.logs).not.toEqual([])
      const all = siege.logs.map(({ line }) => line).join('\n')
      for (const secret of [...siege.secrets, canary]) expect(all.includes(secret), secret).toBe(false)
      expect(all).not.toMatch(/[\w.+-]+@[\w-]+\.\w/)
      for (const { line } of siege.logs) {
        const record = JSON.parse(line)
        if (!('_aws' in record)) {
          expect(record).toMatchObject({ level: 'INFO', message: { event: expect.any(String) } })
        }
      }
    })
  })
}
