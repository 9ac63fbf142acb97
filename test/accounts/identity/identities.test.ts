import { describe, expect, test } from 'vitest'
import type { AccountItem } from '../../../accounts/account/attributes.ts'
import { undoChange } from '../../../accounts/address/undo.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { resetPassword } from '../../../accounts/password/reset.ts'
import { accountKinds } from '../../../shared/base/families.ts'
import { createHarness } from '../../support/service/harness.ts'
import { connect, identityOf, subjectsOf } from '../../support/service/identities.ts'
import { confirmEmailChange, deleteAccount } from '../../support/service/owner.ts'
import { addPasskey, allowPasskeys } from '../../support/service/passkeys.ts'
import {
  ada,
  find,
  home,
  messageOf,
  move,
  newClient,
  protect,
  register,
  registerVerified,
  requestMove,
  requestToken,
  undoTokenOf,
} from '../../support/service/people.ts'

/** Identities and their entries when accounts change. */

const harness = createHarness()
const { deps } = harness
const { email, password } = ada
const elsewhere = 'ada@example.org'
const newPassword = toPassword('battery staple')

/** Somebody with a verified address and these identities. */
async function open(...subjects: string[]) {
  await registerVerified(harness)
  for (const subject of subjects) await connect(harness, subject)
}

/** The entry of a subject's identity, with this id. */
const entryOf = (subject: string, id: string) => ({
  key: `${accountKinds.Identities}${identityOf(harness, subject).key}`,
  id,
})

/** An act on the account, after its preparation; and the kind of its write. */
type Act = readonly [prepare: () => Promise<() => Promise<unknown>>, address: string]

const reset = (keep_other_logins?: boolean) => async () => {
  const token = await requestToken(harness, 'reset')
  return () => resetPassword(deps, newClient(), { token, new_password: newPassword, keep_other_logins })
}
/** The link of a change that moved nothing. */
const undoInPlace = async () => {
  allowPasskeys(harness)
  await addPasskey(harness)
  const token = undoTokenOf(messageOf(harness, 'passkey-added'))
  return () => undoChange(deps, token)
}
const undoBesideApp = async () => {
  const act = await undoInPlace()
  await protect(harness)
  harness.config.secondFactor = 'required'
  return act
}
const undoMove = async () => {
  const token = await move(harness, elsewhere)
  return () => undoChange(deps, token)
}
const deletion = async () => {
  const account = await find(harness)
  return () => deleteAccount(deps, home, account, { password })
}
const moving = async () => {
  const token = await requestMove(harness, elsewhere)
  return () => confirmEmailChange(deps, home, { token, password })
}
const byOperator = (act: (item: AccountItem) => Promise<unknown>) => async () => async () =>
  act((await harness.operator.find(email)) as AccountItem)

const removing: Record<string, Act> = {
  'a reset': [reset(), email],
  'an undoing where the account is': [undoInPlace, email],
  'an undoing that leaves an app': [undoBesideApp, email],
  'an undoing of a move': [undoMove, email],
  'a deletion': [deletion, ''],
  'a revocation': [byOperator(item => harness.operator.revoke(item, deps.now())), email],
  'a disconnection of all': [byOperator(item => harness.operator.disconnect(item, deps.now())), email],
  'a move by an operator': [
    byOperator(item => harness.operator.move(item, elsewhere, { mailFrom: null, queueMail: deps.queueMail })),
    elsewhere,
  ],
  'a deletion by an operator': [byOperator(item => harness.operator.remove(item)), ''],
}

describe.each(Object.entries(removing))('%s', (_, [prepare, address]) => {
  test.each([0, 1, 5])('leaves an account that had %i identities none, and no entry', async count => {
    await open(...Array.from({ length: count }, (_, i) => `subject ${i}`))
    const act = await prepare()
    await act()
    expect(await subjectsOf(harness)).toEqual(address === '' ? {} : { [address]: [] })
  })

  test('leaves the identities and entries of others', async () => {
    await open('one')
    await register(harness, { email: 'bob@example.com', password })
    await connect(harness, 'bob', 'bob@example.com')
    await (await prepare())()
    expect(await subjectsOf(harness)).toMatchObject({ 'bob@example.com': ['bob'] })
  })
})

test.each(Object.entries(removing))('%s leaves an entry that leads to another account', async (_, [prepare]) => {
  await open('one')
  const { account } = await register(harness, { email: 'bob@example.com', password })
  const entry = entryOf('one', account.id)
  await harness.putItem('Accounts', entry)
  await (await prepare())()
  expect(await harness.items('Accounts')).toContainEqual(entry)
})

/** The writes that another connection precedes: of accounts without and with identities. */
const writes = {
  'a reset': ['UpdateItem Accounts', 'TransactWriteItems Accounts'],
  'a deletion': ['TransactWriteItems Accounts', 'TransactWriteItems Accounts'],
  'an undoing where the account is': ['UpdateItem Accounts', 'TransactWriteItems Accounts'],
  'an undoing of a move': ['TransactWriteItems Accounts', 'TransactWriteItems Accounts'],
} as const

describe.each(Object.entries(writes))('%s under way', (name, [single, transaction]) => {
  const [prepare, address] = removing[name] as Act

  test.each([
    ['an identity is connected', [], single, 'late'],
    ['one more is connected', ['one'], transaction, 'late'],
    ['one is replaced by another', ['one'], transaction, 'replaced'],
  ] as const)('takes it along when %s', async (_, before, call, happening) => {
    await open(...before)
    const act = await prepare()
    const place = name === 'an undoing of a move' ? elsewhere : email
    harness.before(call, async () => {
      if (happening === 'replaced') await disconnect('one', place)
      await connect(harness, 'late', place)
    })
    // Disconnecting has raised the token version, which fails the deletion.
    if (happening === 'replaced' && name === 'a deletion') {
      await expect(act()).rejects.toMatchObject({ code: 'invalid-access-token' })
      expect(await subjectsOf(harness)).toEqual({ [email]: ['late'] })
    } else {
      await act()
      expect(await subjectsOf(harness)).toEqual(address === '' ? {} : { [address]: [] })
    }
  })
})

test('a reset leaves no entry of an identity that is reconnected between its reads', async () => {
  await open('one')
  const act = await (removing['a reset'] as Act)[0]()
  const happenings: Record<string, () => Promise<unknown>> = {
    // The entry is read after its deletion.
    GetItem: () => disconnect('one', email),
    UpdateItem: () => connect(harness, 'one'),
  }
  harness.beforeCall = async (command, table, input) => {
    const happens = happenings[command]
    const isEntry = JSON.stringify(input).includes(accountKinds.Identities)
    if (happens === undefined || table !== 'Accounts' || (command === 'GetItem' && !isEntry)) return
    delete happenings[command]
    const hook = harness.beforeCall
    harness.beforeCall = () => {}
    await happens()
    harness.beforeCall = hook
  }
  await act()
  expect(happenings).toEqual({})
  expect(await subjectsOf(harness)).toEqual({ [email]: [] })
  expect(await harness.items('Accounts')).toHaveLength(2)
})

async function disconnect(subject: string, address: string) {
  const account = await find(harness, address)
  const change = { mark: deps.newId(), clients: [] }
  const { key } = identityOf(harness, subject)
  expect(await deps.identities.disconnect(account, key, change, deps.now())).toBe(true)
}

test('a move keeps identities that are connected meanwhile', async () => {
  await open('one')
  const act = await moving()
  harness.before('TransactWriteItems Accounts', () => connect(harness, 'late'))
  await act()
  expect(await subjectsOf(harness)).toEqual({ [elsewhere]: ['late', 'one'] })
})

test.each<[string, Act]>([
  ['where the account is', [undoInPlace, email]],
  ['of a move', [undoMove, elsewhere]],
])('a loop of connecting does not stall an undoing %s, which asks for its link', async (_, [prepare, place]) => {
  await open()
  const act = await prepare()
  let count = 0
  harness.beforeCall = async (command, table) => {
    if (!/^(UpdateItem|TransactWriteItems) Accounts$/.test(`${command} ${table}`)) return
    const hook = harness.beforeCall
    harness.beforeCall = () => {}
    if (await connect(harness, `subject ${count}`, place)) count += 1
    harness.beforeCall = hook
  }
  await act()
  expect(count).toBe(1)
  expect(await subjectsOf(harness)).toEqual({ [email]: [] })
})

test('an entry that counts as none is taken over, if it is as read', async () => {
  await open()
  await harness.putItem('Accounts', entryOf('one', 'gone'))
  harness.before('TransactWriteItems Accounts', () => harness.putItem('Accounts', entryOf('one', 'other')))
  expect(await connect(harness, 'one')).toBeNull()
  expect(await connect(harness, 'one')).not.toBeNull()
  expect(await subjectsOf(harness)).toEqual({ [email]: ['one'] })
})

test('an entry is not taken over from an account that reconnects the identity then', async () => {
  await open()
  const { account } = await register(harness, { email: 'bob@example.com', password })
  const entry = entryOf('one', account.id)
  await harness.putItem('Accounts', entry)
  // The entry looks the same as before.
  harness.before('TransactWriteItems Accounts', async () => {
    expect(await connect(harness, 'one', 'bob@example.com')).not.toBeNull()
    expect(await harness.items('Accounts')).toContainEqual(entry)
  })
  expect(await connect(harness, 'one')).toBeNull()
  expect(await subjectsOf(harness)).toEqual({ [email]: [], 'bob@example.com': ['one'] })
})

test.each([
  ['an account that does not have the identity', (id: string) => id],
  ['an account that is gone', () => 'gone'],
])('an entry of %s logs nobody in, after three reads of both', async (_, idOf) => {
  await open('two')
  const id = idOf((await find(harness)).id)
  await harness.putItem('Accounts', entryOf('one', id))
  harness.calls.length = 0
  const { key } = identityOf(harness, 'one')
  expect(await deps.identities.findHolder(key)).toEqual({ account: null, read: id })
  expect(harness.calls).toEqual(Array(6).fill('GetItem Accounts'))
})

test('an account that moves between the reads of a login is found all the same', async () => {
  await open('one')
  const token = await requestMove(harness, elsewhere)
  let reads = 0
  harness.beforeCall = async command => {
    if (command !== 'GetItem' || ++reads !== 2) return
    await confirmEmailChange(deps, home, { token, password })
  }
  const { account } = await deps.identities.findHolder(identityOf(harness, 'one').key)
  expect(account).toMatchObject({ email: elsewhere })
})

test('entries are not accounts to a scan', async () => {
  await open('one', 'two')
  for await (const page of harness.operator.pages()) expect(page.map(item => item.email)).toEqual([email])
  for await (const page of harness.operator.pages(['name'])) expect(page).toEqual([{ name: 'Ada' }])
})
