import { describe, expect, test } from 'vitest'
import type { Account } from '../../../accounts/account/account.ts'
import type { AccountItem } from '../../../accounts/account/attributes.ts'
import { changeProfile } from '../../../accounts/account/profile.ts'
import { findDeletion } from '../../../accounts/address/deletion-marks.ts'
import { verifyEmail } from '../../../accounts/address/verification.ts'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { requestMail } from '../../../accounts/mail/queue.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { resetPassword } from '../../../accounts/password/reset.ts'
import { logOutEverywhere } from '../../../accounts/session/ending.ts'
import { pseudonym } from '../../../shared/base/limits/counters.ts'
import { createHarness } from '../../support/service/harness.ts'
import { changePassword, deleteAccount } from '../../support/service/owner.ts'
import { ada, find, home, lastMessage, newClient, register, requestToken } from '../../support/service/people.ts'

const harness = createHarness()
const { deps } = harness
const clientAddress = '203.0.113.7'
const remove = (account: Account) => deleteAccount(deps, clientAddress, account, { password: ada.password })
const day = 24 * 60 * 60 * 1000

const stored = async () => (await harness.operator.find(ada.email)) as AccountItem

/** The marks of an account's id and of its address. */
const marksOf = ({ id, email }: Account) =>
  Promise.all([findDeletion(deps, 'id', id), findDeletion(deps, 'email', email)])
const marked = (tokenVersion: number) => [
  { at: deps.now(), tokenVersion },
  { at: deps.now(), tokenVersion },
]

const beforeDeletion = (act: () => Promise<unknown>) => harness.before('DeleteItem Users', act)

describe('deleting an account', () => {
  test('is one write, after the notice is queued and the deletion is marked', async () => {
    const { token } = await register(harness)
    await verifyEmail(deps, newClient(), token)
    const account = await find(harness)
    harness.calls.length = 0
    await remove(account)
    const twice = ['UpdateItem RateLimits', 'UpdateItem RateLimits']
    expect(harness.calls).toEqual([...twice, 'SendMessage', ...twice, 'DeleteItem Users'])
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
    await verifyEmail(deps, newClient(), token)
    const account = await find(harness)
    harness.broken = part
    await expect(remove(account)).rejects.toMatchObject({ code: 'unavailable' })
    harness.broken = null
    expect(await find(harness)).toEqual(account)
  })

  test.each<[string, (account: Account) => Promise<unknown>]>([
    ['a log-out', account => logOutEverywhere(deps, clientAddress, account)],
    [
      'a change of the password',
      account =>
        changePassword(deps, clientAddress, account, {
          current_password: ada.password,
          new_password: toPassword('battery staple'),
        }),
    ],
    [
      'a reset',
      async () =>
        resetPassword(deps, clientAddress, {
          token: await requestToken(harness, 'reset'),
          new_password: toPassword('battery staple'),
        }),
    ],
  ])('is refused after %s, which revoked its access token', async (_, act) => {
    await register(harness)
    const account = await find(harness)
    await act(account)
    await expect(remove(account)).rejects.toMatchObject({ code: 'invalid-access-token' })
    expect(await harness.items('Users')).toHaveLength(1)
    expect(await marksOf(account)).toEqual([null, null])
  })

  test('is refused when an operator makes the owner an administrator in the meantime', async () => {
    await register(harness)
    const account = await find(harness)
    beforeDeletion(async () => harness.operator.setAdmin(await stored(), true, deps.now()))
    await expect(remove(account)).rejects.toMatchObject({ code: 'invalid-access-token' })
    expect((await find(harness)).isAdmin).toBe(true)
  })

  test('is not undone by requests under way', async () => {
    const { token: verification } = await register(harness)
    const reset = await requestToken(harness, 'reset')
    const account = await find(harness)
    harness.advance(1)
    await requestMail(deps, home, 'reset', ada.email)
    await remove(account)
    const attempts = [
      changeProfile(deps, account, { name: 'Countess' }),
      verifyEmail(deps, newClient(), verification),
      resetPassword(deps, clientAddress, { token: reset, new_password: toPassword('battery staple') }),
      deps.passwords.replaceHash(account, 'hash', deps.now()),
      deliverMail(deps, lastMessage(harness), deps.now()),
    ]
    const outcomes = await Promise.allSettled(attempts)
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'fulfilled', 'fulfilled'])
    expect(await harness.items('Users')).toEqual([])
  })
})

describe('a deletion leaves a mark of the id and the address', () => {
  test('for 400 days', async () => {
    await register(harness)
    const account = await find(harness)
    await logOutEverywhere(deps, clientAddress, account)
    await remove(await find(harness))
    const marks = marked(1)
    harness.advance(400 * day - 1)
    expect(await marksOf(account)).toEqual(marks)
    harness.advance(1)
    expect(await marksOf(account)).toEqual([null, null])
  })

  test('under pseudonyms, in items that expire', async () => {
    const { account } = await register(harness)
    await remove(await find(harness))
    const items = (await harness.items('RateLimits')).filter(({ key }) => String(key).startsWith('deleted-'))
    expect(items.map(({ expires }) => expires)).toEqual(Array(2).fill((deps.now().getTime() + 400 * day) / 1000))
    for (const text of [account.id, ada.email]) expect(JSON.stringify(items)).not.toContain(text)
  })

  test('before the account is deleted, so that no failure leaves a deletion without a mark', async () => {
    await register(harness)
    const account = await find(harness)
    harness.broken = 'Users'
    await expect(remove(account)).rejects.toMatchObject({ code: 'unavailable' })
    harness.broken = null
    expect(await marksOf(account)).toEqual(marked(0))
  })

  test('and fails when the mark cannot be written', async () => {
    await register(harness)
    const account = await find(harness)
    harness.beforeCall = (command, table) => {
      const guesses = harness.calls.filter(call => call === 'UpdateItem RateLimits').length
      harness.broken = command === 'UpdateItem' && table === 'RateLimits' && guesses > 2 ? 'RateLimits' : null
    }
    harness.calls.length = 0
    await expect(remove(account)).rejects.toMatchObject({ code: 'unavailable' })
    expect(await harness.items('Users')).toHaveLength(1)
  })

  test('which a later, refused one of the same address leaves alone', async () => {
    await register(harness)
    const first = await find(harness)
    await remove(first)
    const marks = marked(0)
    harness.advance(1000)
    await register(harness)
    const second = await find(harness)
    await logOutEverywhere(deps, clientAddress, second)
    await expect(remove(second)).rejects.toMatchObject({ code: 'invalid-access-token' })
    expect(await marksOf(first)).toEqual(marks)
  })

  test('with the version that was deleted, though an older deletion is under way', async () => {
    await register(harness)
    const account = await find(harness)
    await logOutEverywhere(deps, clientAddress, account)
    const newer = await find(harness)
    beforeDeletion(() => remove(newer))
    await remove(account)
    expect(await harness.items('Users')).toEqual([])
    expect(await marksOf(account)).toEqual(marked(1))
  })

  test('even at an address that a hundred accounts have had', async () => {
    await register(harness)
    const account = await find(harness)
    const ceiling = { limit: 1000, resetsAt: new Date(deps.now().getTime() + day) }
    const key = `deleted-address#${pseudonym(ada.email)}` as const
    const yearAgo = new Date(deps.now().getTime() - 365 * day).toISOString()
    for (let i = 0; i < 100; i++) await deps.counters.mark(key, `${yearAgo} ${i}`, ceiling)
    await remove(account)
    expect(await marksOf(account)).toEqual(marked(0))
    expect(await deps.counters.marks(key)).toHaveLength(1)
  })

  test.each([
    ['as it is', async () => {}, 0],
    [
      'of which the tokens are voided meanwhile',
      (account: Account) => logOutEverywhere(deps, clientAddress, account),
      1,
    ],
  ])('when an operator deletes an account %s', async (_, act, tokenVersion) => {
    await register(harness)
    const account = await find(harness)
    const item = await stored()
    await act(account)
    expect(await harness.operator.remove(item)).toBe(true)
    expect(await harness.items('Users')).toEqual([])
    const marks = await marksOf(account)
    expect(marks.map(mark => mark?.tokenVersion)).toEqual([tokenVersion, tokenVersion])
    expect(await deps.counters.marks(`deleted-id#${pseudonym(account.id)}`)).toHaveLength(1)
  })
})
