import { describe, expect, test } from 'vitest'
import type { AccountItem } from '../../../accounts/account/attributes.ts'
import { undoChange } from '../../../accounts/address/undo.ts'
import { logIn } from '../../../accounts/login/login.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { resetPassword } from '../../../accounts/password/reset.ts'
import { moveAccount } from '../../../operations/users/move-account.ts'
import { createHarness } from '../../support/service/harness.ts'
import { connectAnnounced } from '../../support/service/identities.ts'
import {
  ada,
  find,
  lastMessage,
  lastUndoToken,
  move,
  register,
  registerVerified,
  requestToken,
} from '../../support/service/people.ts'
import { refusalOf } from '../../support/service/refusal.ts'

const harness = createHarness()
const { deps } = harness
const clientAddress = '203.0.113.7'
const second = 1000
const hour = 60 * 60 * second
const codeOf = async (attempt: Promise<unknown>) => (await refusalOf(attempt)).code

const reset = (token: string, new_password = 'battery staple') =>
  resetPassword(deps, clientAddress, { token, new_password: toPassword(new_password) })

describe('a reset token', () => {
  test.each([
    ['too short a password', 'short', 'password-too-short'],
    ['a good password', 'battery staple', 'invalid-reset-token'],
  ])('that is unknown is refused, with %s, for the right reason', async (_, password, code) => {
    await expect(reset('', password)).rejects.toMatchObject({ code })
  })
})

/** Acts that revoke a password, because somebody else may know it. @returns the token of a reset link */
const revoking = {
  'an undo': async () => {
    await registerVerified(harness)
    await undoChange(deps, await move(harness, 'ada@example.org'))
    return lastMessage(harness).token
  },
  'a revocation': async () => {
    await register(harness)
    await harness.operator.revoke(await find(harness), deps.now())
    harness.advance(second)
    return requestToken(harness, 'reset')
  },
}
/** Hashes are slower than the clock of a test. */
const checked = 3 * second

describe.each(Object.entries(revoking))('the password that %s revoked', (_, revokePassword) => {
  const again = { code: 'former-password', message: 'Choose another password than the one before' }

  test('is refused by the next reset, whose link takes another one, and then forgotten', async () => {
    const token = await revokePassword()
    await expect(reset(token, ada.password)).rejects.toMatchObject(again)
    await expect(reset(token, 'short')).rejects.toMatchObject({ code: 'password-too-short' })
    await reset(token)
    expect((await harness.accountItems())[0]).not.toHaveProperty('former_password_hash')
    harness.advance(second)
    await reset(await requestToken(harness, 'reset'), ada.password)
  })

  test('is still refused after a revocation that finds none', async () => {
    await revokePassword()
    await harness.operator.revoke(await find(harness), deps.now())
    harness.advance(second)
    await expect(reset(await requestToken(harness, 'reset'), ada.password)).rejects.toMatchObject(again)
  })

  test('can be guessed at as seldom as at login; a dead link comes first', async () => {
    const token = await revokePassword()
    for (let i = 1; i < 10; i++) await logIn(deps, clientAddress, ada).catch(() => {})
    harness.advance(checked)
    const codes = await Promise.all([ada.password, ada.password].map(async each => codeOf(reset(token, each))))
    expect(codes.sort()).toEqual(['former-password', 'too-many-requests'])
    harness.advance(checked)
    expect(await codeOf(reset(token))).toBe('too-many-requests')
    expect(await codeOf(reset('x'))).toBe('invalid-reset-token')
    harness.advance(15 * 60 * second)
    await reset(token)
  })
})

test('a reset that fails for another reason is no guess', async () => {
  const token = await revoking['an undo']()
  for (let i = 0; i <= 10; i++) {
    harness.broken = 'queue'
    await expect(reset(token)).rejects.toMatchObject({ code: 'unavailable' })
  }
  harness.broken = null
  await reset(token)
})

describe('in every order of revocations of a password', () => {
  const [before, after] = ['undoes what was before a move', 'undoes the move']
  const owner = async () => (await harness.accountItems())[0] as AccountItem
  const undo = async (link: string) =>
    expect([undefined, 'invalid-undo-token', 'unavailable']).toContain(
      await undoChange(deps, link).catch(error => error.code),
    )
  const acts: Record<string, (links: Record<string, string>) => Promise<unknown>> = {
    [before]: links => undo(links[before] ?? ''),
    [after]: links => undo(links[after] ?? ''),
    revokes: async () => harness.operator.revoke(await owner(), deps.now()),
    // By the harness's clock.
    moves: async () =>
      moveAccount({ ...deps, config: { mailFrom: null } }, await owner(), `ada.${deps.now().getTime()}@example.net`),
  }
  const names = Object.keys(acts)

  test.each(names)('a person who first %s leaves a password that the next reset refuses', async first => {
    const others = names.filter(name => name !== first)
    for (const [next, last] of others.flatMap(one => others.map(other => [one, other] as const))) {
      await harness.clear()
      const what = [first, next, last].join(', ')
      await registerVerified(harness)
      await connectAnnounced(harness, 'before')
      const earlier = lastUndoToken(harness)
      harness.advance(second)
      const links = { [before]: earlier, [after]: await move(harness, 'ada@example.org') }
      for (const act of [first, next, last]) {
        harness.advance(second)
        await acts[act]?.(links)
      }
      harness.advance(hour)
      expect((await owner()).password_hash, what).toBe('*')
      const link = await requestToken(harness, 'reset', (await owner()).email)
      expect(await codeOf(reset(link, ada.password)), what).toBe('former-password')
      await reset(link)
    }
  })
})
