import { describe, expect, test } from 'vitest'
import { verifyEmail } from '../../../../shared/accounts/email-verification.ts'
import { logIn } from '../../../../shared/accounts/login.ts'
import { resetPassword } from '../../../../shared/accounts/passwords/password-reset.ts'
import { hashToken } from '../../../../shared/accounts/tokens/one-time-token.ts'
import { createHarness } from '../../../support/service/harness.ts'
import { ada, find, register, requestToken } from '../../../support/service/people.ts'

const harness = createHarness()
const { deps } = harness
const clientAddress = '203.0.113.7'
const second = 1000
const hour = 60 * 60 * second

describe('a reset token', () => {
  const reset = (token: string, new_password = 'battery staple') =>
    resetPassword(deps, clientAddress, { token, new_password })

  test.each([
    ['works until the last moment of its hour', hour - 1, true],
    ['is dead when its hour is over', hour, false],
  ])('%s', async (_, age, works) => {
    await register(harness)
    const token = await requestToken(harness, 'reset')
    harness.advance(age)
    if (works) await reset(token)
    else await expect(reset(token)).rejects.toMatchObject({ code: 'invalid-reset-token' })
    await logIn(deps, clientAddress, { ...ada, password: works ? 'battery staple' : ada.password })
  })

  test('replaces the password, raises the token version and is cleared with its expiry', async () => {
    await register(harness)
    await reset(await requestToken(harness, 'reset'))
    const [item] = await harness.items('Users')
    expect(item).toMatchObject({ token_version: 1, password_reset_requested_at: '2026-03-01T12:00:00.000Z' })
    expect(item).not.toHaveProperty('password_reset_token')
    expect(item).not.toHaveProperty('password_reset_expires')
    await expect(logIn(deps, clientAddress, ada)).rejects.toMatchObject({ code: 'bad-credentials' })
  })

  test('works once, even when ten use it at once', async () => {
    await register(harness)
    const token = await requestToken(harness, 'reset')
    const passwords = Array.from({ length: 10 }, (_, i) => `battery staple ${i}`)
    const outcomes = await Promise.allSettled(passwords.map(password => reset(token, password)))
    const winners = passwords.filter((_, i) => outcomes[i]?.status === 'fulfilled')
    expect(winners).toHaveLength(1)
    await logIn(deps, clientAddress, { ...ada, password: winners[0] ?? '' })
    expect((await find(harness)).tokenVersion).toBe(1)
  })

  test('does not verify an address, nor does a verification token reset a password', async () => {
    const { token: verification } = await register(harness)
    const token = await requestToken(harness, 'reset')
    await expect(verifyEmail(deps, token)).rejects.toMatchObject({ code: 'invalid-verification-token' })
    await expect(reset(verification)).rejects.toMatchObject({ code: 'invalid-reset-token' })
  })

  test.each([
    ['too short a password', 'short', 'password-too-short'],
    ['a good password', 'battery staple', 'invalid-reset-token'],
  ])('that is unknown is refused, with %s, for the right reason', async (_, password, code) => {
    await expect(reset('', password)).rejects.toMatchObject({ code })
  })

  test('clears what was counted against the address', async () => {
    await register(harness)
    for (let i = 0; i < 10; i++) await logIn(deps, clientAddress, { ...ada, password: 'wrong' }).catch(() => {})
    await reset(await requestToken(harness, 'reset'))
    await logIn(deps, clientAddress, { ...ada, password: 'battery staple' })
  })

  test('still works after the counters did not answer', async () => {
    await register(harness)
    const token = await requestToken(harness, 'reset')
    harness.broken = 'RateLimits'
    await expect(reset(token)).rejects.toMatchObject({ code: 'unavailable' })
    harness.broken = null
    await reset(token)
  })

  test('has its effect and success though its write is sent twice', async () => {
    await register(harness)
    const token = await requestToken(harness, 'reset')
    harness.retriesWrites = true
    await reset(token)
    expect((await find(harness)).tokenVersion).toBe(1)
    await logIn(deps, clientAddress, { ...ada, password: 'battery staple' })
  })

  test('of an account that vanished in between brings nothing back', async () => {
    const { account } = await register(harness)
    const token = await requestToken(harness, 'reset')
    const gone = { ...account, email: 'gone@example.com' }
    expect(
      await deps.accounts.spendResetToken(
        gone,
        hashToken(token),
        { passwordHash: 'hash', mark: 'mark', clients: [] },
        deps.now(),
      ),
    ).toBe(false)
    expect(await harness.items('Users')).toHaveLength(1)
  })
})
