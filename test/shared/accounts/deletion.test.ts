import { describe, expect, test } from 'vitest'
import { type Account, renameAccount } from '../../../shared/accounts/account.ts'
import { deleteAccount } from '../../../shared/accounts/deletion.ts'
import { verifyEmail } from '../../../shared/accounts/email-verification.ts'
import { logOutEverywhere } from '../../../shared/accounts/logout.ts'
import { requestMail } from '../../../shared/accounts/mail/queue.ts'
import { deliverMail } from '../../../shared/accounts/mail/worker.ts'
import { changePassword } from '../../../shared/accounts/passwords/password-change.ts'
import { resetPassword } from '../../../shared/accounts/passwords/password-reset.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, find, lastMessage, register, requestToken } from '../../support/service/people.ts'

const harness = createHarness()
const { deps } = harness
const remote = '203.0.113.7'
const remove = (account: Account) => deleteAccount(deps, remote, account, { password: ada.password })

describe('deleting an account', () => {
  test('is one write, after the notice is queued', async () => {
    const { token } = await register(harness)
    await verifyEmail(deps, token)
    const account = await find(harness)
    harness.calls.length = 0
    await remove(account)
    expect(harness.calls).toEqual(['UpdateItem RateLimits', 'UpdateItem RateLimits', 'SendMessage', 'DeleteItem Users'])
    expect(harness.events.at(-1)).toEqual({ event: 'account-deleted', account_id: account.id })
  })

  test('succeeds though its write is sent twice', async () => {
    await register(harness)
    harness.retriesWrites = true
    await remove(await find(harness))
    expect(await harness.items('Users')).toEqual([])
  })

  test('succeeds each time when ten come at once, and does not delete the next account of the address', async () => {
    await register(harness)
    const account = await find(harness)
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => remove(account)))
    expect(outcomes.map(({ status }) => status)).toEqual(Array(10).fill('fulfilled'))
    const next = await register(harness)
    await remove(account)
    expect((await find(harness)).id).toBe(next.account.id)
  })

  test.each(['queue', 'Users'] as const)('has not happened while %s fails', async part => {
    const { token } = await register(harness)
    await verifyEmail(deps, token)
    const account = await find(harness)
    harness.broken = part
    await expect(remove(account)).rejects.toMatchObject({ code: 'unavailable' })
    harness.broken = null
    expect(await find(harness)).toEqual(account)
  })

  test.each<[string, (account: Account) => Promise<unknown>]>([
    ['a log-out', account => logOutEverywhere(deps, remote, account)],
    [
      'a change of the password',
      account =>
        changePassword(deps, remote, account, { current_password: ada.password, new_password: 'battery staple' }),
    ],
    [
      'a reset',
      async () =>
        resetPassword(deps, remote, { token: await requestToken(harness, 'reset'), new_password: 'battery staple' }),
    ],
  ])('is refused after %s, which voided the token that it was asked with', async (_, act) => {
    await register(harness)
    const account = await find(harness)
    await act(account)
    await expect(remove(account)).rejects.toMatchObject({ code: 'invalid-access-token' })
    expect(await harness.items('Users')).toHaveLength(1)
  })

  test('is not undone by requests under way', async () => {
    const { token: verification } = await register(harness)
    const reset = await requestToken(harness, 'reset')
    const account = await find(harness)
    harness.advance(1)
    await requestMail(deps, 'reset', ada.email)
    await remove(account)
    const attempts = [
      renameAccount(deps, account, 'Countess'),
      verifyEmail(deps, verification),
      resetPassword(deps, remote, { token: reset, new_password: 'battery staple' }),
      deps.accounts.replaceHash(account, 'hash', deps.now()),
      deliverMail(deps, lastMessage(harness), deps.now()),
    ]
    const outcomes = await Promise.allSettled(attempts)
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'fulfilled', 'fulfilled'])
    expect(await harness.items('Users')).toEqual([])
  })
})
