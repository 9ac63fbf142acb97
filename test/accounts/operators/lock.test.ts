import { describe, expect, test } from 'vitest'
import type { AccountItem } from '../../../accounts/account/attributes.ts'
import { verifyEmail } from '../../../accounts/address/verification.ts'
import { logIn } from '../../../accounts/login/login.ts'
import { requestMail } from '../../../accounts/mail/queue.ts'
import { hashPassword } from '../../../accounts/password/hash.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { resetPassword } from '../../../accounts/password/reset.ts'
import { ada, find, home, newClient, register, requestToken } from '../../support/service/people.ts'
import { clientAddress, kinds, newPassword, operate } from './operated.ts'

const { act, beforeUpdate, deliver, deps, droppedFor, harness, item } = operate()

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
    const { locked_at: _, ...unlocked } = (await item()) as AccountItem
    expect(unlocked).toEqual({ ...open, updated_at: deps.now().toISOString(), token_version: 2 })
  })

  test('refuses a right password, before the address’s verification is checked', async () => {
    await register(harness)
    harness.config.requireEmailVerification = true
    await act('lock')
    await expect(logIn(deps, clientAddress, ada)).rejects.toMatchObject({ code: 'account-locked' })
    expect(harness.events.at(-1)).toMatchObject({ event: 'login-failed', reason: 'locked' })
    await expect(logIn(deps, clientAddress, { ...ada, password: toPassword('wrong') })).rejects.toMatchObject({
      code: 'bad-credentials',
    })
    await act('unlock')
    await expect(logIn(deps, clientAddress, ada)).rejects.toMatchObject({ code: 'email-not-verified' })
  })

  test('is not changed by an attempt to log in', async () => {
    const { account } = await register(harness)
    await deps.passwords.replaceHash(
      account,
      await hashPassword({ ...deps, config: { bcryptCost: 5 } }, ada.password),
      deps.now(),
    )
    await act('lock')
    const locked = await item()
    await expect(logIn(deps, clientAddress, ada)).rejects.toMatchObject({ code: 'account-locked' })
    expect(await item()).toEqual(locked)
  })

  test.each(kinds)('lets no %s link be mailed', async kind => {
    await register(harness)
    harness.advance(1000)
    await act('lock')
    const locked = await item()
    await requestMail(deps, home, kind, ada.email)
    expect([await deliver(), droppedFor()]).toEqual(['dropped', 'locked'])
    expect([await item(), harness.mails]).toEqual([locked, []])
    expect((await harness.items('RateLimits')).filter(({ key }) => String(key).startsWith('mail'))).toEqual([])
  })

  test('stops the link of a registration, too', async () => {
    await register(harness)
    await act('lock')
    expect([await deliver(), droppedFor()]).toEqual(['dropped', 'locked'])
  })

  test('is not undone by an earlier link, which changes the password or verifies', async () => {
    const { token } = await register(harness)
    const reset = await requestToken(harness, 'reset')
    await verifyEmail(deps, newClient(), token)
    await act('lock')
    await resetPassword(deps, clientAddress, { token: reset, new_password: newPassword })
    expect(await find(harness)).toMatchObject({ lockedAt: deps.now(), isVerified: true })
    const changed = { ...ada, password: newPassword }
    await expect(logIn(deps, clientAddress, changed)).rejects.toMatchObject({ code: 'account-locked' })
    await act('unlock')
    await logIn(deps, clientAddress, changed)
  })

  test('is not undone by a reset that is under way', async () => {
    await register(harness)
    const token = await requestToken(harness, 'reset')
    beforeUpdate(() => act('lock'))
    await resetPassword(deps, clientAddress, { token, new_password: newPassword })
    expect((await find(harness)).lockedAt).toEqual(deps.now())
  })

  test('does not suppress the notice of a changed password', async () => {
    const { token } = await register(harness)
    await verifyEmail(deps, newClient(), token)
    const reset = await requestToken(harness, 'reset')
    await act('lock')
    await resetPassword(deps, clientAddress, { token: reset, new_password: newPassword })
    expect(await deliver()).toBe('sent')
    expect(harness.mails.at(-1)).toMatchObject({ subject: expect.stringMatching(/password was changed/) })
  })
})
