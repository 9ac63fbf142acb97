import { describe, expect, test } from 'vitest'
import type { Account } from '../../../accounts/account/account.ts'
import { type Change, undoable } from '../../../accounts/change/change.ts'
import { changeOf } from '../../../accounts/change/changes.ts'
import type { Passkey } from '../../../accounts/passkey/passkey.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { resetPassword } from '../../../accounts/password/reset.ts'
import { createHarness } from '../../support/service/harness.ts'
import { connect } from '../../support/service/identities.ts'
import { addPasskey, allowPasskeys } from '../../support/service/passkeys.ts'
import { ada, find, home, move, protect, registerVerified, requestToken } from '../../support/service/people.ts'
import { refusalOf } from '../../support/service/refusal.ts'

/** Changes of an account of which its owner is told, and which of their undo links work. */

const harness = createHarness()
const { deps } = harness
const day = 24 * 60 * 60_000
const password = toPassword('battery staple')
const moved = 'ada@example.org'

async function open(): Promise<void> {
  allowPasskeys(harness)
  await registerVerified(harness)
}

/** Adds a passkey by the store, so that there may be more than a person can have. */
async function add(hash: string, more: Partial<Change> = {}, email: string = ada.email): Promise<boolean> {
  const account = await find(harness, email)
  const change = { ...changeOf(account, { kind: 'passkey', hash, hasLink: true }, deps.now()), ...more }
  const passkey: Passkey = {
    ...{
      id: hash,
      publicKey: new Uint8Array(32),
      transports: [],
      signCount: 0,
      backupEligible: false,
      backedUp: false,
    },
    ...{ label: 'Phone', createdAt: change.at, lastUsedAt: null },
  }
  const isAdded = await deps.passkeys.add(account, passkey, change, deps.now())
  // They may be many.
  await deps.passkeys.remove(await find(harness, email), hash, { mark: hash, clients: [] }, deps.now())
  return isAdded
}

const hashes = async (email: string = ada.email) => (await find(harness, email)).changes.map(({ hash }) => hash)
const linksOf = (account: Account) => undoable(account, deps.now()).map(({ kind, email }) => `${kind} to ${email}`)
const links = async (email: string = ada.email) => linksOf(await find(harness, email))
const numbered = (count: number, of = 'n') => Array.from({ length: count }, (_, i) => `${of}${i}`)

describe('a change is kept', () => {
  test('for seven days, and then until the next one is made', async () => {
    await open()
    await add('first')
    harness.advance(7 * day - 1)
    await add('second')
    expect(await hashes()).toEqual(['first', 'second'])
    harness.advance(1)
    expect(await links()).toEqual([`passkey to ${ada.email}`])
    expect(await hashes()).toEqual(['first', 'second'])
    await add('third')
    expect(await hashes()).toEqual(['second', 'third'])
  })

  test('with a time later than every other’s, whatever the clock says', async () => {
    await open()
    const times: number[] = []
    for (const hash of numbered(3)) {
      await add(hash)
      times.push(Number((await find(harness)).changedAt))
      harness.advance(-1)
    }
    const [first = 0] = times
    expect(times).toEqual([first, first + 1, first + 2])
    expect((await find(harness)).changes.map(({ at }) => at.getTime())).toEqual(times)
  })

  test('not where another was dated later meanwhile: the refused write asks for a later time', async () => {
    await open()
    const at = new Date(deps.now().getTime() - 1)
    await add('newer')
    expect(await add('older', { at })).toBe(false)
    expect(await hashes()).toEqual(['newer'])
    expect(await add('older')).toBe(true)
  })
})

describe('of more than twenty changes of one mailbox', () => {
  test('the newest gives way, so that no flood takes the oldest link', async () => {
    await open()
    for (const hash of numbered(22)) await add(hash)
    expect(await hashes()).toEqual(numbered(20))
    const at = (await find(harness)).changedAt
    harness.advance(1)
    await add('late')
    expect(await hashes()).toEqual(numbered(20))
    // The time of a change that gave way is there: a reset must not overlook it.
    expect(Number((await find(harness)).changedAt)).toBeGreaterThan(Number(at))
  })

  test('one without a link gives way first, the oldest of them', async () => {
    await open()
    for (const [i, hash] of numbered(20).entries()) await add(hash, { hasLink: i !== 3 && i !== 7 })
    await add('20')
    await add('21')
    await add('22')
    const left = numbered(20).filter((_, i) => i !== 3 && i !== 7)
    expect(await hashes()).toEqual([...left, '20', '21'])
    // One that is being written has none, where all others do.
    await add('23', { hasLink: false })
    expect(await hashes()).toEqual([...left, '20', '21'])
  })

  test.each([
    ['which is the newest', 20],
    ['which is one among them', 10],
    ['whatever it is written among', 0],
  ])('the set-up of the factor in force never does, %s', async (_, before) => {
    await open()
    for (const hash of numbered(before, 'before')) await add(hash)
    await protect(harness)
    const setUp = (await find(harness)).changes.find(({ kind }) => kind === 'factor')?.hash ?? ''
    expect(await hashes()).toContain(setUp)
    for (const hash of numbered(22, 'after')) await add(hash)
    expect(await hashes()).toHaveLength(20)
    expect(await links()).toContain(`factor to ${ada.email}`)
  })

  test('none of another mailbox does', async () => {
    await open()
    await add('of the former mailbox')
    await move(harness, moved)
    const former = await hashes(moved)
    expect(former).toHaveLength(2)
    for (const hash of numbered(25)) await add(hash, {}, moved)
    expect(await hashes(moved)).toEqual([...former, ...numbered(20)])
  })

  test('all can be so long that the account still fits its item', async () => {
    await open()
    const long = { email: `${'a'.repeat(64)}@${'b'.repeat(60)}.example`, language: 'de' }
    for (const hash of numbered(20, 'h'.repeat(62))) await add(hash, long)
    const [{ changes = {} } = {}] = await harness.accountItems()
    expect(JSON.stringify(changes).length).toBeLessThan(8 * 1024)
  })
})

describe('a reset leaves', () => {
  /** Chooses a password by mail. @param between happens between the mail and the click */
  const reset = async (keep_other_logins: boolean, email: string = ada.email, between = async () => {}) => {
    harness.advance(60_000)
    const token = await requestToken(harness, 'reset', email)
    harness.advance(1000)
    await between()
    await resetPassword(deps, home, { token, new_password: password, keep_other_logins })
  }
  const setUpApp = async () => void (await protect(harness))
  const addKey = async () => void (await connect(harness, deps.newId()))

  test.each<[string, boolean, (() => Promise<void>)[], (() => Promise<void>)[], string[]]>([
    ['none of a provider’s or a passkey’s links of its mailbox', false, [addKey], [], []],
    ['nor one that came after its mail', false, [], [addKey], []],
    ['that of the app in force, which its owner may need to remove', false, [addKey, setUpApp], [], ['factor']],
    ['that, when it came after the mail', false, [addKey], [setUpApp], ['factor']],
    ['none that its mail listed, whose owner keeps all that', true, [addKey, setUpApp], [], []],
    ['those that its mail did not list, whose owner keeps what it did', true, [addKey], [setUpApp], ['factor']],
    ['those of other kinds, too', true, [setUpApp], [], []],
    ['a provider that came after the mail', true, [], [addKey], ['provider']],
  ])('%s', async (_, keeps, before, after, left) => {
    await open()
    for (const act of before) await act()
    await reset(keeps, ada.email, async () => {
      for (const act of after) await act()
    })
    expect(await links()).toEqual(left.map(kind => `${kind} to ${ada.email}`))
    // That they were made stays known: their owner is told of each.
    expect((await find(harness)).changes).toHaveLength(before.length + after.length)
  })

  test('a removed or replaced app has no link: the first set-up is the factor’s', async () => {
    await open()
    await setUpApp()
    await deps.factors.remove(await find(harness), { mark: 'mark', clients: [] }, deps.now())
    await reset(false)
    expect(await links()).toEqual([])
  })

  test('nothing of what its mail listed to the next one', async () => {
    await open()
    await addKey()
    await requestToken(harness, 'reset')
    expect((await find(harness)).resetLists).toHaveLength(1)
    await reset(false)
    expect((await find(harness)).resetLists).toEqual([])
    harness.advance(60_000)
    await requestToken(harness, 'reset')
    expect((await find(harness)).resetLists).toEqual([])
  })

  test('no change unseen between its read and write: a thief’s app keeps its link', async () => {
    await open()
    const token = await requestToken(harness, 'reset')
    // Right before the write, after the hash.
    harness.before('UpdateItem Accounts', setUpApp)
    await resetPassword(deps, home, { token, new_password: password, keep_other_logins: false })
    expect(await links()).toEqual([`factor to ${ada.email}`])
  })

  test('nothing of two changes that come in between, by three attempts with one hash', async () => {
    await open()
    const token = await requestToken(harness, 'reset')
    const stored: string[] = []
    let left = 2
    harness.beforeCall = async (command, table, input) => {
      const { ExpressionAttributeValues: values = {} } = input as { ExpressionAttributeValues?: Record<string, string> }
      const hash = values[':password_hash']
      if (`${command} ${table}` !== 'UpdateItem Accounts' || hash === undefined) return
      stored.push(hash)
      if (left-- <= 0) return
      const { beforeCall } = harness
      harness.beforeCall = () => {}
      harness.advance(1)
      await addPasskey(harness, { label: `${left}` })
      harness.beforeCall = beforeCall
    }
    await resetPassword(deps, home, { token, new_password: password })
    expect(stored).toEqual(Array(3).fill(stored[0]))
    expect(await find(harness)).toMatchObject({ passwordHash: stored[0], passkeys: [] })
  })

  test('is refused in its later rounds when another link has replaced its own', async () => {
    await open()
    const token = await requestToken(harness, 'reset')
    harness.before('UpdateItem Accounts', async () => {
      await addKey()
      harness.advance(1)
      await requestToken(harness, 'reset')
    })
    const attempt = resetPassword(deps, home, { token, new_password: toPassword('paper clip holder') })
    expect((await refusalOf(attempt)).code).toBe('invalid-reset-token')
  })
})
