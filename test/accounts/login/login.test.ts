import bcrypt from 'bcryptjs'
import { describe, expect, test } from 'vitest'
import { verifyEmail } from '../../../accounts/address/verification.ts'
import { logIn } from '../../../accounts/login/login.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { resetPassword } from '../../../accounts/password/reset.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, find, lastMessage, newClient, register, requestToken } from '../../support/service/people.ts'

const harness = createHarness()
const { deps } = harness
const clientAddress = '203.0.113.7'

describe('logging in', () => {
  test('that is refused after the right password takes its guess back, and clears no other', async () => {
    await register(harness)
    const guesses = async () => {
      const [item] = (await harness.items('RateLimits')).filter(({ key }) => String(key).startsWith('guess#'))
      return (item?.guesses as Set<string> | undefined)?.size ?? 0
    }
    for (let i = 0; i < 3; i++)
      await logIn(deps, clientAddress, { ...ada, password: toPassword('wrong') }).catch(() => {})
    harness.config.requireEmailVerification = true
    await expect(logIn(deps, clientAddress, ada)).rejects.toMatchObject({ code: 'email-not-verified' })
    expect(await guesses()).toBe(3)
    await harness.operator.lock((await harness.operator.find(ada.email)) as never, deps.now())
    await expect(logIn(deps, clientAddress, ada)).rejects.toMatchObject({ code: 'account-locked' })
    expect(await guesses()).toBe(3)
  })

  const setHash = async (hash: string) => {
    const account = await find(harness)
    expect(await deps.passwords.replaceHash(account, hash, deps.now())).toBe(true)
  }

  test('does not undo a reset that came in between', async () => {
    await register(harness)
    await setHash(await bcrypt.hash(ada.password, 4))
    const fromReset = await bcrypt.hash('battery staple', 4)
    harness.before('UpdateItem Accounts', () => setHash(fromReset))
    await logIn(deps, clientAddress, ada)
    expect((await find(harness)).passwordHash).toBe(fromReset)
  })

  test('succeeds though the hash could not be replaced', async () => {
    await register(harness)
    await setHash(await bcrypt.hash(ada.password, 4))
    harness.beforeCall = (command, table) => {
      if (command === 'UpdateItem' && table === 'Accounts') throw new Error('no')
    }
    await logIn(deps, clientAddress, ada)
    expect(harness.events.map(({ event }) => event)).toContain('rehash-failed')
  })
})

test('events name accounts by id, and never an address or a token', async () => {
  const { token } = await register(harness)
  await logIn(deps, clientAddress, ada)
  await logIn(deps, clientAddress, { ...ada, password: toPassword('wrong') }).catch(() => {})
  await verifyEmail(deps, newClient(), token)
  const reset = await requestToken(harness, 'reset')
  await resetPassword(deps, clientAddress, { token: reset, new_password: toPassword('battery staple') })
  expect(harness.events.map(({ event }) => event)).toEqual([
    'registered',
    'logged-in',
    'login-failed',
    'email-verified',
    'reset-requested',
    'mail-sent',
    'password-reset',
  ])
  const log = JSON.stringify(harness.events)
  for (const secret of [ada.email, ada.password, token, reset, lastMessage(harness).token])
    expect(log).not.toContain(secret)
})
