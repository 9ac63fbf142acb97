import { describe, expect, test, vi } from 'vitest'
import type { AccountItem } from '../../../accounts/account/attributes.ts'
import { verifyEmail } from '../../../accounts/address/verification.ts'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { logIn } from '../../../accounts/login/login.ts'
import { requestMail } from '../../../accounts/mail/queue.ts'
import { hashPassword } from '../../../accounts/password/hash.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { resetPassword } from '../../../accounts/password/reset.ts'
import { changeRoles } from '../../../operations/users/roles.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, find, home, lastMessage, move, newClient, register, requestToken } from '../../support/service/people.ts'

const harness = createHarness()
const { deps } = harness

/** Links in mails that were queued before an operator's act. */
const kinds = ['registration', 'verification', 'reset'] as const
const ask = async (kind: (typeof kinds)[number]) => {
  if (kind !== 'registration') await requestMail(deps, home, kind, ada.email)
}
const act = async (name: 'lock' | 'unlock' | 'signOut' | 'revoke') =>
  expect(await harness.operator[name](await find(harness), deps.now())).toBe(true)
const item = async () => (await harness.accountItems())[0] as AccountItem
const deliver = () => deliverMail(deps, lastMessage(harness), deps.now())
const droppedFor = () => harness.events.at(-1)?.reason

test.each([-10, 10])('acts are dated by the table’s clock, not by an operator’s %i minutes off', async minutes => {
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
    const { locked_at: _, ...unlocked } = await item()
    expect(unlocked).toEqual({ ...open, updated_at: deps.now().toISOString(), token_version: 2 })
  })

  test('is not changed by an attempt to log in', async () => {
    const { account } = await register(harness)
    const outdated = await hashPassword({ ...deps, config: { bcryptCost: 5 } }, ada.password)
    await deps.passwords.replaceHash(account, outdated, deps.now())
    await act('lock')
    const locked = await item()
    await expect(logIn(deps, home, ada)).rejects.toMatchObject({ code: 'account-locked' })
    expect(harness.events.at(-1)).toMatchObject({ event: 'login-failed', reason: 'locked' })
    expect(await item()).toEqual(locked)
  })

  test.each(kinds)('lets no %s link be mailed', async kind => {
    await register(harness)
    harness.advance(1000)
    await act('lock')
    const locked = await item()
    await ask(kind)
    expect([await deliver(), droppedFor()]).toEqual(['dropped', 'locked'])
    expect([await item(), harness.mails]).toEqual([locked, []])
    expect((await harness.items('RateLimits')).filter(({ key }) => String(key).startsWith('mail'))).toEqual([])
  })

  test('lets an earlier link change the password, tells of it, and stays', async () => {
    const { token } = await register(harness)
    await verifyEmail(deps, newClient(), token)
    const reset = await requestToken(harness, 'reset')
    await act('lock')
    const changed = { ...ada, password: toPassword('battery staple') }
    await resetPassword(deps, home, { token: reset, new_password: changed.password })
    expect(await deliver()).toBe('sent')
    expect(harness.mails.at(-1)).toMatchObject({ subject: expect.stringMatching(/password was changed/) })
    await expect(logIn(deps, home, changed)).rejects.toMatchObject({ code: 'account-locked' })
    await act('unlock')
    await logIn(deps, home, changed)
  })
})

describe('a revocation', () => {
  test('leaves of the account what gives no access', async () => {
    const { account } = await register(harness)
    await logIn(deps, home, ada)
    await requestToken(harness, 'reset')
    harness.advance(1000)
    await act('revoke')
    const at = deps.now().toISOString()
    expect(await item()).toEqual({
      key: `account#${account.id}`,
      id: account.id,
      email: ada.email,
      name: 'Ada',
      is_admin: false,
      is_verified: false,
      created_at: account.createdAt.toISOString(),
      updated_at: at,
      password_hash: '*',
      former_password_hash: account.passwordHash,
      token_version: 1,
      email_verification_requested_at: at,
      password_reset_requested_at: at,
      ...{ sessions: {}, passkeys: {}, identities: {}, changes: {}, changes_at: at },
    })
  })

  test.each(kinds)('revokes a queued %s link, and no later one', async kind => {
    await register(harness)
    harness.advance(1000)
    await ask(kind)
    await act('revoke')
    expect([await deliver(), droppedFor()]).toEqual(['dropped', 'superseded'])
    harness.advance(1)
    await requestMail(deps, home, kind === 'reset' ? kind : 'verification', ada.email)
    expect(await deliver()).toBe('sent')
  })

  test('does not make a used link work again, though its operator’s clock is slow', async () => {
    await register(harness)
    harness.advance(60_000)
    const token = await requestToken(harness, 'verification')
    await verifyEmail(deps, newClient(), token)
    const behind = new Date(deps.now().getTime() - 30_000)
    expect(await harness.operator.revoke(await find(harness), behind)).toBe(true)
    const at = deps.now().toISOString()
    expect(await item()).toMatchObject({ email_verification_requested_at: at, password_reset_requested_at: at })
    expect(await deliver()).toBe('dropped')
    expect((await find(harness)).tokens.verification.hash).toBeNull()
  })

  test('makes a login cost what a wrong password costs, in calls too', async () => {
    await register(harness)
    const cost = async () => {
      harness.calls.length = 0
      await logIn(deps, home, { ...ada, password: toPassword('wrong') }).catch(() => {})
      return [...harness.calls]
    }
    const calls = await cost()
    await act('revoke')
    expect(await cost()).toEqual(calls)
  })
})

test('signing an account out raises its token version, and forgets clients', async () => {
  await register(harness)
  await logIn(deps, home, ada)
  const { remembered_remotes: _, ...open } = await item()
  await act('signOut')
  expect(await item()).toEqual({ ...open, token_version: 1 })
})

type Operator = typeof harness.operator
test.each<[string, (operator: Operator, account: AccountItem, now: Date) => Promise<boolean>, Partial<AccountItem>]>([
  ['a lock', (operator, account, now) => operator.lock(account, now), { locked_at: expect.any(String) }],
  ['a revocation', (operator, account, now) => operator.revoke(account, now), { password_hash: '*' }],
  ['an administrator', (operator, account, now) => operator.setAdmin(account, true, now), { is_admin: true }],
  ['a verification', (operator, account, now) => operator.verify(account, now), { is_verified: true }],
  ['a role', (operator, account, now) => operator.setRoles(account, ['editor'], now), { roles: ['editor'] }],
])('%s whose answer is lost is written all the same when it is sent again', async (_, write, written) => {
  await register(harness)
  harness.retriesWrites = true
  expect(await write(harness.operator, (await item()) as AccountItem, deps.now())).toBe(true)
  expect(await item()).toMatchObject(written)
})

test('an operator’s deletion that loses to a move deletes and marks nothing', async () => {
  const { token } = await register(harness)
  await verifyEmail(deps, newClient(), token)
  const stored = (await harness.operator.find(ada.email)) as AccountItem
  harness.advance(1000)
  await move(harness, 'countess@example.org')
  await expect(harness.operator.remove(stored)).rejects.toThrow('changed its address to countess@example.org')
  expect(await item()).toMatchObject({ id: stored.id, email: 'countess@example.org' })
  expect(await harness.operator.findDeletion('id', stored.id)).toBeNull()
})

test('roles that were changed since the account was read are named, and stay', async () => {
  await register(harness)
  const stored = (await harness.operator.find(ada.email)) as AccountItem
  const change = () => changeRoles(harness.operator, stored, ['editor'], deps.now())
  await harness.operator.setRoles(stored, ['viewer'], deps.now())
  await expect(change()).rejects.toThrow('its roles are viewer now; nothing was changed')
  expect(await item()).toMatchObject({ roles: ['viewer'] })
  await harness.operator.remove((await harness.operator.find(ada.email)) as AccountItem)
  expect(await change()).toBe(false)
})

describe('a deletion of an account only while its address is not verified', () => {
  const removeUnverified = (stored: AccountItem) => harness.operator.remove(stored, { onlyUnverified: true })
  const read = async () => (await harness.operator.find(ada.email)) as AccountItem
  const marks = async ({ id }: AccountItem) =>
    Promise.all([harness.operator.findDeletion('id', id), harness.operator.findDeletion('email', ada.email)])

  test('deletes an account whose tokens were revoked since it was read, and leaves marks', async () => {
    await register(harness)
    const stored = await read()
    await act('signOut')
    expect(await removeUnverified(stored)).toBe(true)
    expect(await marks(stored)).toEqual([expect.anything(), expect.anything()])
  })

  test.each<[string, (token: string) => Promise<unknown>, string]>([
    ['is verified', token => verifyEmail(deps, newClient(), token), 'is verified by now; it was not deleted'],
    [
      'is an administrator’s',
      async () => harness.operator.setAdmin(await find(harness), true, deps.now()),
      'is an administrator; it was not deleted',
    ],
  ])('leaves an account that %s, also since it was read, and no mark of it', async (_, change, reason) => {
    const { token } = await register(harness)
    const stored = await read()
    await change(token)
    const changed = await read()
    // As read before the change, and after.
    for (const each of [stored, changed]) {
      await expect(removeUnverified(each)).rejects.toThrow(`${ada.email} ${reason}`)
    }
    expect([await read(), ...(await marks(stored))]).toEqual([changed, null, null])
  })
})

test('an operator’s change to a deleted account does nothing, and does not recreate it', async () => {
  const { account } = await register(harness)
  await deps.accounts.delete(account, deps.now())
  const writes = ['lock', 'unlock', 'signOut', 'revoke', 'verify'] as const
  for (const write of writes) expect(await harness.operator[write](account, deps.now())).toBe(false)
  expect(await harness.operator.setAdmin(account, true, deps.now())).toBe(false)
  expect(await harness.items('Accounts')).toEqual([])
})
