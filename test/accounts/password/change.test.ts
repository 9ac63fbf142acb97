import { describe, expect, test } from 'vitest'
import { verifyEmail } from '../../../accounts/address/verification.ts'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { requestMail } from '../../../accounts/mail/queue.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { resetPassword } from '../../../accounts/password/reset.ts'
import { hashToken } from '../../../accounts/token/token.ts'
import { createHarness } from '../../support/service/harness.ts'
import { changePassword } from '../../support/service/owner.ts'
import { ada, find, home, lastMessage, newClient, register } from '../../support/service/people.ts'

const harness = createHarness()
const { deps } = harness
const clientAddress = '203.0.113.7'
const passwords = { current_password: ada.password, new_password: toPassword('battery staple') }
const change = async (changes: object = {}) =>
  changePassword(deps, clientAddress, await find(harness), { ...passwords, ...changes })
const outcomesOf = async (attempts: Promise<unknown>[]) =>
  (await Promise.allSettled(attempts)).map(outcome => (outcome.status === 'fulfilled' ? 'done' : outcome.reason.code))

/** Registers Ada, her address verified. */
async function registerVerified() {
  const { token } = await register(harness)
  await verifyEmail(deps, newClient(), token)
}

describe('changing a password', () => {
  test('is one write, after the token is signed and the notice is queued', async () => {
    await registerVerified()
    const account = await find(harness)
    harness.calls.length = 0
    await changePassword(deps, clientAddress, account, passwords)
    expect(harness.calls).toEqual([
      'UpdateItem RateLimits',
      'UpdateItem RateLimits',
      'Sign',
      'SendMessage',
      'UpdateItem Accounts',
    ])
    expect(await find(harness)).toMatchObject({ tokenVersion: account.tokenVersion + 1 })
  })

  test('queues no notice while its token cannot be signed', async () => {
    await registerVerified()
    harness.queue.length = 0
    harness.broken = 'KMS'
    await expect(change()).rejects.toMatchObject({ code: 'unavailable' })
    expect(harness.queue).toEqual([])
  })

  test('twice at once succeeds once; the other token is refused, and its guess taken back', async () => {
    await registerVerified()
    const account = await find(harness)
    harness.queue.length = 0
    const attempts = ['first horse 1', 'second horse'].map(new_password =>
      changePassword(deps, clientAddress, account, { ...passwords, new_password: toPassword(new_password) }),
    )
    expect((await outcomesOf(attempts)).sort()).toEqual(['done', 'invalid-access-token'])
    const { passwordChangedBy, tokenVersion } = await find(harness)
    expect(tokenVersion).toBe(1)
    // Both have queued a notice; the stored idempotency token is the winner's.
    expect(harness.queue.filter(({ message }) => hashToken(message.token) === passwordChangedBy)).toHaveLength(1)
    const [guesses] = (await harness.items('RateLimits')).filter(({ key }) => String(key).startsWith('guess#'))
    expect(guesses?.guesses).toBeUndefined()
  })

  test('makes no used link work again, though the link is dated ahead of its clock', async () => {
    await registerVerified()
    harness.advance(1000)
    await requestMail(deps, home, 'reset', ada.email)
    const message = { ...lastMessage(harness), requested_at: deps.now().getTime() + 9000 }
    await deliverMail(deps, message, deps.now())
    await resetPassword(deps, clientAddress, { token: message.token, new_password: ada.password })
    await change()
    expect(await deliverMail(deps, message, deps.now())).toBe('dropped')
    expect((await find(harness)).tokens.reset).toMatchObject({
      hash: null,
      requestedAt: new Date(message.requested_at),
    })
  })

  test('is an event of its own, as is a wrong password', async () => {
    const { account } = await register(harness)
    await expect(change({ current_password: 'wrong horse' })).rejects.toMatchObject({ code: 'wrong-password' })
    await change()
    expect(harness.events.slice(-2)).toEqual([
      { event: 'wrong-password', account_id: account.id },
      { event: 'password-changed', account_id: account.id },
    ])
  })
})
