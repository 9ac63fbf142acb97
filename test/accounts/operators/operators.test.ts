import { describe, expect, test, vi } from 'vitest'
import type { AccountItem } from '../../../accounts/account/attributes.ts'
import { verifyEmail } from '../../../accounts/address/verification.ts'
import { logIn } from '../../../accounts/login/login.ts'
import { requestMail } from '../../../accounts/mail/queue.ts'
import { issueAccessToken } from '../../../accounts/token/access-token.ts'
import { authenticate } from '../../../accounts/token/authentication.ts'
import { changeRoles } from '../../../operations/users/roles.ts'
import { ada, find, home, move, newClient, register } from '../../support/service/people.ts'
import { clientAddress, kinds, operate } from './operated.ts'

const { act, beforeUpdate, deliver, deps, droppedFor, harness, item } = operate()

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

describe.each([
  ['a lock', 'stops', 'lock', 'locked'],
  ['a revocation', 'voids', 'revoke', 'superseded'],
] as const)('%s', (_, stops, name, reason) => {
  test.each(kinds)(`${stops} a %s link whose token is just being stored`, async kind => {
    await register(harness)
    harness.advance(1000)
    await requestMail(deps, home, kind, ada.email)
    beforeUpdate(() => act(name))
    expect([await deliver(), droppedFor()]).toEqual(['dropped', reason])
    expect(harness.mails).toEqual([])
  })
})

test('signing an account out revokes tokens and forgets clients; password and links stay', async () => {
  const { account, token } = await register(harness)
  await logIn(deps, clientAddress, ada)
  const access = await issueAccessToken(deps, account, { authTime: deps.now(), amr: ['pwd'] })
  const { remembered_remotes: _, ...open } = (await item()) as AccountItem
  await act('signOut')
  expect(await item()).toEqual({ ...open, token_version: 1 })
  await expect(authenticate(deps, access.token)).rejects.toMatchObject({ code: 'invalid-access-token' })
  await logIn(deps, clientAddress, ada)
  await verifyEmail(deps, newClient(), token)
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
