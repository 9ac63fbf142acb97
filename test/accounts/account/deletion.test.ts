import { describe, expect, test } from 'vitest'
import type { Account } from '../../../accounts/account/account.ts'
import { type AccountItem, toAccount } from '../../../accounts/account/attributes.ts'
import { verifyEmail } from '../../../accounts/address/verification.ts'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { announceDeletion } from '../../../accounts/mail/announcements.ts'
import { logOutEverywhere } from '../../../accounts/session/ending.ts'
import { pseudonym } from '../../../shared/base/limits/counters.ts'
import { createHarness } from '../../support/service/harness.ts'
import { connect } from '../../support/service/identities.ts'
import { confirmEmailChange, deleteAccount } from '../../support/service/owner.ts'
import {
  ada,
  find,
  home,
  move,
  newClient,
  protect,
  register,
  registerVerified,
  requestMove,
} from '../../support/service/people.ts'

const harness = createHarness()
const { deps } = harness
const clientAddress = '203.0.113.7'
const remove = (account: Account) => deleteAccount(deps, clientAddress, account, { password: ada.password })
const day = 24 * 60 * 60 * 1000

const stored = async () => (await harness.operator.find(ada.email)) as AccountItem

/** The marks of an account's id and of its address. Only an id has had tokens. */
const marksOf = ({ id, email }: Account) =>
  Promise.all([harness.findDeletion('id', id), harness.findDeletion('email', email)])
const marked = (tokenVersion: number) => [
  { at: deps.now(), tokenVersion },
  { at: deps.now(), tokenVersion: 0 },
]

const beforeDeletion = (act: () => Promise<unknown>) => harness.before('TransactWriteItems Accounts', act)
/** Connects an identity that no other test uses. */
const connectNext = () => connect(harness, deps.newId())

describe('deleting an account', () => {
  test('is one transaction with its entries and marks, after the notice is queued', async () => {
    const { token } = await register(harness)
    await verifyEmail(deps, newClient(), token)
    await connectNext()
    const account = await find(harness)
    harness.calls.length = 0
    const counts: number[] = []
    harness.beforeCall = command => void (command === 'TransactWriteItems' && counts.push(harness.calls.length))
    await remove(account)
    const guess = ['UpdateItem RateLimits', 'UpdateItem RateLimits']
    const items = ['DeleteItem Accounts', 'DeleteItem Accounts', 'DeleteItem Accounts', ...guess]
    expect(harness.calls).toEqual([...guess, 'SendMessage', 'GetItem Accounts', ...items])
    expect(counts).toEqual([harness.calls.length])
    expect(await harness.items('Accounts')).toEqual([])
    expect(harness.events.at(-1)).toEqual({ event: 'account-deleted', account_id: account.id })
  })

  test('succeeds each time of ten at once, and spares the next account of the address', async () => {
    await register(harness)
    const account = await find(harness)
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => remove(account)))
    expect(outcomes.map(({ status }) => status)).toEqual(Array(10).fill('fulfilled'))
    const next = await register(harness)
    await remove(account)
    expect((await find(harness)).id).toBe(next.account.id)
  })
})

describe('a deletion is told', () => {
  const moved = 'thief@example.org'
  const openVerified = () => registerVerified(harness)
  const notices = () => harness.queue.map(({ message }) => message).filter(({ kind }) => kind === 'account-deleted')
  /** Mails the notices. @returns to whom, and what came of each */
  const tell = async () => {
    const outcomes = []
    harness.mails.length = 0
    for (const message of notices()) outcomes.push(await deliverMail(deps, message, deps.now()))
    return { to: harness.mails.map(({ to }) => to), outcomes }
  }

  test('to its mailbox, and to each mailbox of a living undo link', async () => {
    await openVerified()
    for (const [to, from] of [
      ['b@example.org', ada.email],
      ['c@example.org', 'b@example.org'],
      [moved, 'c@example.org'],
    ] as const) {
      await move(harness, to, from)
      harness.advance(1000)
    }
    await remove(await find(harness, moved))
    expect(await tell()).toEqual({
      to: [moved, ada.email, 'b@example.org', 'c@example.org'],
      outcomes: Array(4).fill('sent'),
    })
  })

  test.each([
    ['that ended with its seven days', async () => harness.advance(7 * day)],
    [
      'that an operator’s move voided',
      async () => {
        await harness.operator.move(await find(harness, moved), 'ada@example.net', {
          mailFrom: null,
          queueMail: deps.queueMail,
        })
      },
    ],
  ])('to no mailbox of a link %s', async (_, end) => {
    await openVerified()
    await move(harness, moved)
    await end()
    const [account] = (await harness.accountItems()).map(toAccount) as [Account]
    harness.queue.length = 0
    await announceDeletion(deps, { ...account, isVerified: true })
    expect(notices().map(({ kind, ...rest }) => 'email' in rest && rest.email)).toEqual([account.email])
  })

  test.each([
    ['is not told where somebody else has proven the address by then', true, [moved], ['sent', 'dropped']],
    ['is told where somebody has only registered it, as a thief can', false, [moved, ada.email], ['sent', 'sent']],
  ])('a former mailbox %s', async (_, isProven, to, outcomes) => {
    await openVerified()
    await move(harness, moved)
    const { token } = await register(harness)
    if (isProven) await verifyEmail(deps, newClient(), token)
    await remove(await find(harness, moved))
    expect(await tell()).toEqual({ to, outcomes })
  })

  test.each([
    ['while the notice of the move may be on its way', 60_000, [moved, ada.email]],
    ['and no longer', 60_001, [moved]],
  ])('to the mailbox that was left with a second factor, %s', async (_, milliseconds, to) => {
    await openVerified()
    const { recoveryCodes } = await protect(harness)
    // The link that undoes the app is over.
    harness.advance(8 * day)
    const token = await requestMove(harness, moved)
    await confirmEmailChange(deps, home, { token, password: ada.password, code: recoveryCodes[0] })
    harness.advance(milliseconds)
    const account = await find(harness, moved)
    harness.queue.length = 0
    await announceDeletion(deps, account)
    await deps.accounts.delete(account, deps.now())
    expect((await tell()).to).toEqual(to)
  })

  test('once to a mailbox with many links', async () => {
    await openVerified()
    await connect(harness, 'one')
    await connect(harness, 'two')
    await remove(await find(harness))
    expect(await tell()).toEqual({ to: [ada.email], outcomes: ['sent'] })
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
    expect(await harness.items('Accounts')).toEqual([])
    expect(await marksOf(account)).toEqual(marked(1))
  })

  test('of the last deletion alone, at whatever address: nobody can fill an item', async () => {
    const sizes: number[] = []
    for (let i = 0; i < 3; i++) {
      harness.advance(1000)
      await register(harness)
      const account = await find(harness)
      await remove(account)
      expect(await marksOf(account)).toEqual(marked(0))
      const items = await harness.items('RateLimits')
      sizes.push(JSON.stringify(items.find(({ key }) => key === `deleted-address#${pseudonym(ada.email)}`)).length)
    }
    expect(new Set(sizes).size).toBe(1)
  })

  test('beside those that an earlier version left in sets, which count for their 400 days', async () => {
    await register(harness)
    const account = await find(harness)
    const at = deps.now()
    const ago = (days: number) => new Date(at.getTime() - days * day)
    const put = (key: string, ...marks: [days: number, version: number][]) =>
      harness.putItem('RateLimits', {
        key,
        marks: new Set(marks.map(([days, version]) => `${ago(days).toISOString()} ${version}`)),
      })
    await put(`deleted-id#${pseudonym(account.id)}`, [365, 7], [399, 9])
    await put(`deleted-address#${pseudonym(ada.email)}`, [401, 3])
    expect(await marksOf(account)).toEqual([{ at: ago(365), tokenVersion: 9 }, null])
    await remove(account)
    expect((await marksOf(account))[0]).toEqual({ at, tokenVersion: 9 })
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
    expect(await harness.items('Accounts')).toEqual([])
    const marks = await marksOf(account)
    expect(marks.map(mark => mark?.tokenVersion)).toEqual([tokenVersion, 0])
  })
})
