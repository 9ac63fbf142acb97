import bcrypt from 'bcryptjs'
import { describe, expect, test } from 'vitest'
import { noPassword } from '../../accounts/account/account.ts'
import { ownForm } from '../../accounts/password/form.ts'
import { otherForms } from '../../accounts/password/forms.ts'
import { verifyPassword } from '../../accounts/password/hash.ts'
import { toPassword } from '../../accounts/password/password.ts'
import { needsOf } from '../../api/needs.ts'
import { type Route, routes } from '../../api/routes.ts'
import { endpointNames, membersOf } from '../support/api/rows.ts'
import { made, passwords } from '../support/hashes.ts'
import { goodRequest, send } from '../support/service/endpoints.ts'
import { createHarness } from '../support/service/harness.ts'
import { ada, find } from '../support/service/people.ts'
import { expectProblem } from './problem.ts'

/** Every form of a stored password, at every row that compares one. */

const harness = createHarness()
const { deps } = harness

interface Sample {
  /** For the failure's message. */
  what: string
  hash: string
  /** A password that the hash takes. */
  password: string
  /** Whether a right password replaces the hash where the row may write it. */
  isOutdated: boolean
}

/** 72 bytes in 36 characters: bcrypt reads no more. */
const beginning = 'ä'.repeat(36)

/** A vector of each form with each of its passwords; a hash that takes other texts too stays, whatever was typed. */
const samples: Sample[] = [
  ...[...otherForms, ownForm].flatMap(({ written, by, pattern }) =>
    made
      .filter(({ short }) => pattern.test(short))
      .slice(0, 1)
      .flatMap(vector =>
        (Object.keys(passwords) as (keyof typeof passwords)[]).map(kind => {
          const takesOthers =
            (kind === 'long' && written.startsWith('$2a$')) || (kind === 'composed' && by === 'Better Auth')
          const isOutdated = pattern !== ownForm.pattern && !takesOthers
          return { what: `${kind}: ${written}`, hash: vector[kind], password: passwords[kind], isOutdated }
        }),
      ),
  ),
  {
    what: 'the beginning of what bcrypt was given',
    hash: bcrypt.hashSync(`${beginning} and more`, 4),
    password: beginning,
    isOutdated: false,
  },
  {
    what: 'of another cost',
    hash: '$bcrypt-sha256$v=2,t=2b,r=5$LjLroeKyVr/dplJfP9A83u$oyGob5LMU8MijdCMfUyRvWUdajY4cHC',
    password: ada.password,
    isOutdated: true,
  },
]

test('each form has a sample', () => {
  for (const { pattern } of [...otherForms, ownForm]) expect(samples.some(({ hash }) => pattern.test(hash))).toBe(true)
})

/** Rows that compare a password with the account's own, and the row that compares a new password with a revoked one. */
const comparing = endpointNames.filter(name => {
  const { checksPassword, refuses }: Route = routes[name]
  return checksPassword || refuses?.includes('former-password')
})

describe.each(comparing)('%s, whatever the form of the hash,', name => {
  const { checksPassword, choosesPassword, refuses }: Route = routes[name]
  const attribute = checksPassword ? 'password_hash' : 'former_password_hash'
  const member = ['current_password', 'password', 'new_password'].find(each => membersOf(name).includes(each)) ?? ''
  const refusal = refuses?.find(code => /^(bad-credentials|wrong-password|former-password)$/.test(code)) ?? 'internal'
  const isLogin = refusal === 'bad-credentials'
  const isRenewing = needsOf(routes[name]).writes.includes('password') && !choosesPassword
  // A row that never writes the hash does not ask what else it takes.
  const each = samples.filter(({ what }) => isRenewing || !/^(?:long|composed): /.test(what))
  const stored = async () => (await harness.accountItems()).map(item => item[attribute])
  const isOwn = (hash = '') => ownForm.pattern.test(hash)

  /** Gives Ada's account a hash. @returns sends a good request with a password */
  async function prepare(hash: string) {
    await harness.clear()
    Object.assign(harness.config, { rateLimits: null })
    harness.providers = []
    const { body, ...good } = await goodRequest(harness, name)
    const { id } = await find(harness)
    await harness.setAttributes(id, { password_hash: noPassword, [attribute]: hash })
    return (password: string, email: string = ada.email) => {
      harness.calls.length = 0
      const address = membersOf(name).includes('email') && { email }
      return send(harness, name, { ...good, body: { ...(body as object), ...address, [member]: password } })
    }
  }

  test('takes the right password, and makes the hash anew where it may', async () => {
    for (const { what, hash, password, isOutdated } of each) {
      const ask = await prepare(hash)
      const answer = await ask(password)
      const kept = await stored()
      if (!checksPassword) {
        expectProblem(answer, refusal, what)
        expect(kept, what).toEqual([hash])
        continue
      }
      expect(answer.status, what).toBe(routes[name].reply[0])
      const [{ id, password_hash: passwordHash } = { id: '', password_hash: hash }] = await harness.accountItems()
      // One row replaces the password, and one deletes the account.
      if (choosesPassword) expect([isOwn(passwordHash), passwordHash === hash], what).toEqual([true, false])
      else if (!isOutdated || !isRenewing) expect(passwordHash, what).toBe(hash)
      else {
        expect([isOwn(passwordHash), passwordHash === hash], what).toEqual([true, false])
        expect(await verifyPassword(deps, toPassword(password), { id, passwordHash }), what).toBe(true)
      }
    }
  })

  test('refuses any other, and leaves the account as it is', async () => {
    for (const { what, hash, password } of each) {
      const ask = await prepare(hash)
      const before = await harness.items('Accounts')
      const answer = await ask(`?${password.slice(1)}`)
      const calls = [...harness.calls]
      if (!checksPassword) {
        expect(answer.status, what).toBe(200)
        expect(await stored(), what).toEqual([undefined])
        continue
      }
      expectProblem(answer, refusal, what)
      expect(await harness.items('Accounts'), what).toEqual(before)
      if (!isLogin) continue
      // An address without an account is refused by the same calls.
      expect((await ask(password, 'nobody@example.com')).text, what).toBe(answer.text)
      expect(harness.calls, what).toEqual(calls)
    }
  })
})
