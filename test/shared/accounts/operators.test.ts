import { describe, expect, test, vi } from 'vitest'
import type { Account } from '../../../shared/accounts/account.ts'
import { verifyEmail } from '../../../shared/accounts/email-verification.ts'
import { logIn } from '../../../shared/accounts/login.ts'
import { requestMail } from '../../../shared/accounts/mail/queue.ts'
import { deliverMail } from '../../../shared/accounts/mail/worker.ts'
import { changePassword } from '../../../shared/accounts/passwords/password-change.ts'
import { hashPassword } from '../../../shared/accounts/passwords/password-hash.ts'
import { resetPassword } from '../../../shared/accounts/passwords/password-reset.ts'
import { issueAccessToken } from '../../../shared/accounts/tokens/access-token.ts'
import { authenticate } from '../../../shared/accounts/tokens/authentication.ts'
import type { TokenKind } from '../../../shared/accounts/tokens/one-time-token.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, find, lastMessage, register, requestToken } from '../../support/service/people.ts'

/** What operators do to accounts, and what happens to requests under way. */

const harness = createHarness()
const { deps } = harness
const remote = '203.0.113.7'
const newPassword = 'battery staple'
const kinds: TokenKind[] = ['verification', 'reset']

type Act = 'lock' | 'unlock' | 'signOut' | 'revoke'

const act = async (name: Act) => {
  expect(await harness.operator[name](await find(harness), deps.now())).toBe(true)
}
const item = async () => (await harness.items('Users'))[0]
const deliver = () => deliverMail(deps, lastMessage(harness), deps.now())
const droppedFor = () => harness.events.at(-1)?.reason

/** Runs `what` just before the first call of that kind to the users table. */
function before(call: RegExp, what: () => Promise<unknown>): void {
  let isDone = false
  harness.beforeCall = async (command, table) => {
    if (isDone || !call.test(command) || table !== 'Users') return
    isDone = true
    await what()
  }
}

test.each([-10, 10])('acts are dated by the clock of the table, not by an operator’s %i minutes off', async minutes => {
  await register(harness)
  const real = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: real + minutes * 60_000 })
  try {
    await harness.operator.find(ada.email)
    expect(Math.abs(harness.operator.now().getTime() - real)).toBeLessThan(60_000)
  } finally {
    vi.useRealTimers()
  }
})

describe('a lock', () => {
  test('sets a time and raises the token version; unlocking removes the time only', async () => {
    await register(harness)
    const open = await item()
    harness.advance(1000)
    await act('lock')
    const at = deps.now().toISOString()
    expect(await item()).toEqual({ ...open, locked_at: at, updated_at: at, token_version: 1 })
    harness.advance(1000)
    await act('lock')
    expect(await item()).toMatchObject({ locked_at: at })
    await act('unlock')
    const { locked_at: _, ...unlocked } = (await item()) as Record<string, unknown>
    expect(unlocked).toEqual({ ...open, updated_at: deps.now().toISOString(), token_version: 2 })
  })

  test('refuses a right password, before the address’s verification is checked', async () => {
    await register(harness)
    harness.config.requireEmailVerification = true
    await act('lock')
    await expect(logIn(deps, remote, ada)).rejects.toMatchObject({ code: 'account-locked' })
    expect(harness.events.at(-1)).toMatchObject({ event: 'login-failed', reason: 'locked' })
    await expect(logIn(deps, remote, { ...ada, password: 'wrong' })).rejects.toMatchObject({ code: 'bad-credentials' })
    await act('unlock')
    await expect(logIn(deps, remote, ada)).rejects.toMatchObject({ code: 'email-not-verified' })
  })

  test('is not changed by an attempt to log in', async () => {
    const { account } = await register(harness)
    await deps.accounts.replaceHash(
      account,
      await hashPassword({ ...deps, config: { bcryptCost: 5 } }, ada.password),
      deps.now(),
    )
    await act('lock')
    const locked = await item()
    await expect(logIn(deps, remote, ada)).rejects.toMatchObject({ code: 'account-locked' })
    expect(await item()).toEqual(locked)
  })

  test('voids the token of a login that is under way', async () => {
    await register(harness)
    before(/Update/, () => act('lock'))
    const { token } = await issueAccessToken(deps, await logIn(deps, remote, ada))
    await expect(authenticate(deps, token)).rejects.toMatchObject({ code: 'invalid-access-token' })
    await act('unlock')
    await expect(authenticate(deps, token)).rejects.toMatchObject({ code: 'invalid-access-token' })
  })

  test.each(kinds)('lets no %s link be mailed', async kind => {
    await register(harness)
    harness.advance(1000)
    await act('lock')
    const locked = await item()
    await requestMail(deps, kind, ada.email)
    expect([await deliver(), droppedFor()]).toEqual(['dropped', 'locked'])
    expect([await item(), harness.mails]).toEqual([locked, []])
    expect((await harness.items('RateLimits')).filter(({ key }) => String(key).startsWith('mail'))).toEqual([])
  })

  test('stops the link of a registration, too', async () => {
    await register(harness)
    await act('lock')
    expect([await deliver(), droppedFor()]).toEqual(['dropped', 'locked'])
  })

  test('is not undone by a link that was mailed before: it changes the password, or verifies', async () => {
    const { token } = await register(harness)
    const reset = await requestToken(harness, 'reset')
    await verifyEmail(deps, token)
    await act('lock')
    await resetPassword(deps, remote, { token: reset, new_password: newPassword })
    expect(await find(harness)).toMatchObject({ lockedAt: deps.now(), isVerified: true })
    const changed = { ...ada, password: newPassword }
    await expect(logIn(deps, remote, changed)).rejects.toMatchObject({ code: 'account-locked' })
    await act('unlock')
    await logIn(deps, remote, changed)
  })

  test('is not undone by a reset that is under way', async () => {
    await register(harness)
    const token = await requestToken(harness, 'reset')
    before(/Update/, () => act('lock'))
    await resetPassword(deps, remote, { token, new_password: newPassword })
    expect((await find(harness)).lockedAt).toEqual(deps.now())
  })

  test('makes a password change under way fail', async () => {
    const { account } = await register(harness)
    before(/Update/, () => act('lock'))
    await expect(change(account)).rejects.toMatchObject({ code: 'invalid-access-token' })
    await act('unlock')
    await logIn(deps, remote, ada)
  })

  test('does not suppress the notice of a changed password', async () => {
    const { token } = await register(harness)
    await verifyEmail(deps, token)
    const reset = await requestToken(harness, 'reset')
    await act('lock')
    await resetPassword(deps, remote, { token: reset, new_password: newPassword })
    expect(await deliver()).toBe('sent')
    expect(harness.mails.at(-1)).toMatchObject({ subject: expect.stringMatching(/password was changed/) })
  })
})

const change = (account: Account) =>
  changePassword(deps, remote, account, { current_password: ada.password, new_password: newPassword })

describe('a revocation', () => {
  test('is one write, and leaves nothing that opens the account', async () => {
    const { account, token } = await register(harness)
    await logIn(deps, remote, ada)
    const access = await issueAccessToken(deps, account)
    const reset = await requestToken(harness, 'reset')
    harness.advance(1000)
    await act('revoke')
    const at = deps.now().toISOString()
    expect(await item()).toEqual({
      id: account.id,
      email: ada.email,
      name: 'Ada',
      is_admin: false,
      is_verified: false,
      created_at: account.createdAt.toISOString(),
      updated_at: at,
      password_hash: '*',
      token_version: 1,
      email_verification_requested_at: at,
      password_reset_requested_at: at,
    })
    await expect(logIn(deps, remote, ada)).rejects.toMatchObject({ code: 'bad-credentials' })
    await expect(authenticate(deps, access.token)).rejects.toMatchObject({ code: 'invalid-access-token' })
    await expect(verifyEmail(deps, token)).rejects.toMatchObject({ code: 'invalid-verification-token' })
    const again = { token: reset, new_password: newPassword }
    await expect(resetPassword(deps, remote, again)).rejects.toMatchObject({ code: 'invalid-reset-token' })
  })

  test.each(kinds)('voids a %s link that is still on the queue, and no later one', async kind => {
    await register(harness)
    harness.advance(1000)
    await requestMail(deps, kind, ada.email)
    await act('revoke')
    expect([await deliver(), droppedFor()]).toEqual(['dropped', 'superseded'])
    harness.advance(1)
    await requestMail(deps, kind, ada.email)
    expect(await deliver()).toBe('sent')
  })

  test('voids the link of a registration on the queue', async () => {
    await register(harness)
    harness.advance(1)
    await act('revoke')
    expect([await deliver(), droppedFor()]).toEqual(['dropped', 'superseded'])
  })

  test('is not undone by a reset, a login or a renewed hash that is under way', async () => {
    const { account } = await register(harness)
    const token = await requestToken(harness, 'reset')
    before(/Update/, () => act('revoke'))
    const reset = resetPassword(deps, remote, { token, new_password: newPassword })
    await expect(reset).rejects.toMatchObject({ code: 'invalid-reset-token' })

    const outdated = await hashPassword({ ...deps, config: { bcryptCost: 5 } }, ada.password)
    await deps.accounts.replaceHash({ ...account, passwordHash: '*' }, outdated, deps.now())
    before(/Update/, () => act('revoke'))
    const { token: access } = await issueAccessToken(deps, await logIn(deps, remote, ada))
    expect(await find(harness)).toMatchObject({ passwordHash: '*', remotes: [] })
    await expect(authenticate(deps, access)).rejects.toMatchObject({ code: 'invalid-access-token' })
  })

  test('does not make a used link work again, though its operator’s clock is slow', async () => {
    await register(harness)
    harness.advance(60_000)
    const token = await requestToken(harness, 'verification')
    await verifyEmail(deps, token)
    const behind = new Date(deps.now().getTime() - 30_000)
    expect(await harness.operator.revoke(await find(harness), behind)).toBe(true)
    const at = deps.now().toISOString()
    expect(await item()).toMatchObject({ email_verification_requested_at: at, password_reset_requested_at: at })
    expect(await deliver()).toBe('dropped')
    expect((await find(harness)).tokens.verification.hash).toBeNull()
  })

  test('leaves a reset by mail as the way back', async () => {
    await register(harness)
    await act('revoke')
    harness.advance(1)
    await resetPassword(deps, remote, { token: await requestToken(harness, 'reset'), new_password: newPassword })
    await logIn(deps, remote, { ...ada, password: newPassword })
  })

  test('makes a login cost what a wrong password costs, in calls too', async () => {
    await register(harness)
    const cost = async () => {
      harness.calls.length = 0
      await logIn(deps, remote, { ...ada, password: 'wrong' }).catch(() => {})
      return [...harness.calls]
    }
    const calls = await cost()
    await act('revoke')
    expect(await cost()).toEqual(calls)
  })
})

describe.each([
  ['a lock', 'stops', 'lock', 'locked'],
  ['a revocation', 'voids', 'revoke', 'superseded'],
] as const)('%s', (_, stops, name, reason) => {
  test.each(kinds)(`${stops} a %s link whose token is just being stored`, async kind => {
    await register(harness)
    harness.advance(1000)
    await requestMail(deps, kind, ada.email)
    before(/Update/, () => act(name))
    expect([await deliver(), droppedFor()]).toEqual(['dropped', reason])
    expect(harness.mails).toEqual([])
  })
})

test('signing an account out voids its tokens and forgets its remotes, and its password and links stay', async () => {
  const { account, token } = await register(harness)
  await logIn(deps, remote, ada)
  const access = await issueAccessToken(deps, account)
  const { remembered_remotes: _, ...open } = (await item()) as Record<string, unknown>
  await act('signOut')
  expect(await item()).toEqual({ ...open, token_version: 1 })
  await expect(authenticate(deps, access.token)).rejects.toMatchObject({ code: 'invalid-access-token' })
  await logIn(deps, remote, ada)
  await verifyEmail(deps, token)
})

test('an operator’s change to a deleted account does nothing, and does not recreate it', async () => {
  const { account } = await register(harness)
  await deps.accounts.delete(account)
  const writes = ['lock', 'unlock', 'signOut', 'revoke', 'verify'] as const
  for (const write of writes) expect(await harness.operator[write](account, deps.now())).toBe(false)
  expect(await harness.operator.setAdmin(account, true, deps.now())).toBe(false)
  expect(await harness.items('Users')).toEqual([])
})
