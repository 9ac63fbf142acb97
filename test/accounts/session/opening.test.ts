import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { maxIdentities } from '../../../accounts/identity/identity.ts'
import { logOut } from '../../../accounts/session/ending.ts'
import { addSession, issueLoginTokens } from '../../../accounts/session/opening.ts'
import { maxOfApplication, maxSessions, shares } from '../../../accounts/session/room.ts'
import { listSessions, newSession, type Session } from '../../../accounts/session/session.ts'
import { day } from '../../../shared/base/limits/windows.ts'
import { allScopes } from '../../support/service/grants.ts'
import { createHarness } from '../../support/service/harness.ts'
import { connect } from '../../support/service/identities.ts'
import { endOwnSession } from '../../support/service/owner.ts'
import { ada, find, home, openSession, register } from '../../support/service/people.ts'
import { proven } from '../../support/service/proven.ts'

const harness = createHarness()
const { deps } = harness

const openMany = async (count: number, label: string | null = null) => {
  const opened = []
  for (let i = 0; i < count; i++) {
    harness.advance(1000)
    opened.push(await openSession(harness, ada.email, label))
  }
  return opened
}
const idsOf = async () => (await find(harness)).sessions.map(({ id }) => id).sort()

describe('opening a session', () => {
  test('is one write, after its access token is signed', async () => {
    await register(harness)
    const account = await find(harness)
    harness.calls.length = 0
    await issueLoginTokens(deps, await proven(deps, account), { label: 'Phone' })
    expect(harness.calls).toEqual(['Sign', 'UpdateItem Accounts'])
    expect(harness.events.at(-1)).toEqual({ event: 'session-opened', account_id: account.id })
  })

  test('is nothing but an access token where there are no sessions', async () => {
    await register(harness)
    const account = await find(harness)
    harness.config.sessionDays = 0
    harness.calls.length = 0
    const { token, refresh } = await issueLoginTokens(deps, await proven(deps, account), { label: null })
    expect([refresh, decodeJwt(token).sid, harness.calls]).toEqual([undefined, undefined, ['Sign']])
  })

  test.each([0, maxSessions])('succeeds for ten devices at once, with %i sessions there', async there => {
    await register(harness)
    await openMany(there)
    harness.advance(1000)
    const account = await find(harness)
    await Promise.all(
      Array.from({ length: 10 }, async () => issueLoginTokens(deps, await proven(deps, account), { label: null })),
    )
    const { sessions } = await find(harness)
    const older = account.sessions.map(({ id }) => id)
    expect(sessions).toHaveLength(Math.min(there + 10, maxSessions))
    expect(sessions.filter(({ id }) => !older.includes(id))).toHaveLength(10)
  })

  test('for two more than there is room ends the longest unused session', async () => {
    await register(harness)
    const [first, second, ...others] = await openMany(maxSessions)
    // The first is used once more.
    const account = await find(harness)
    const before = account.sessions.find(({ id }) => id === first?.id)
    if (!before) throw new Error('it is there')
    const after = { ...before, rotatedAt: new Date(deps.now().getTime() + 1) }
    await deps.sessions.change(account, { before, after }, [], null)
    const more = await openMany(2)
    const left = [first, ...others.slice(1), ...more].map(session => session?.id ?? '')
    expect(await idsOf()).toEqual(left.sort())
    expect(left).not.toContain(second?.id)
  })

  test('for any number of tabs of the account page leaves a phone logged in', async () => {
    await register(harness)
    const [phone] = await openMany(1, 'Phone')
    const account = await find(harness)
    for (let i = 0; i < maxSessions; i++) {
      harness.advance(1000)
      await issueLoginTokens(deps, await proven(deps, account), { label: 'Chrome', tab: true })
    }
    const { sessions } = await find(harness)
    expect(sessions.map(({ isTab }) => isTab)).toEqual([false, ...Array(shares.tab).fill(true)])
    expect(sessions[0]?.id).toBe(phone?.id)
  })

  test('removes those that have ended, before it ends any', async () => {
    await register(harness)
    await openMany(maxSessions - 1)
    harness.advance(14 * day * 1000)
    const recent = await openMany(6)
    expect(await idsOf()).toEqual(recent.map(({ id }) => id).sort())
  })

  test('ends the oldest alone, though its write is sent twice', async () => {
    await register(harness)
    const [, ...before] = await openMany(maxSessions)
    harness.retriesWrites = true
    const left = [...before, ...(await openMany(1))].map(({ id }) => id)
    expect(await idsOf()).toEqual(left.sort())
  })
})

/** Amazon DynamoDB, "DynamoDB item sizes and formats": names and texts in UTF-8, 3 bytes for a list or map and 1 for each of its members, and at most 21 for a number. */
function sizeOf(value: unknown): number {
  if (value === null || typeof value === 'boolean') return 1
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 1
  const members = Object.entries(value as object).map(([name, member]) => [Array.isArray(value) ? '' : name, member])
  return members.reduce((sum, [name, member]) => sum + 1 + sizeOf(name) + sizeOf(member), 3)
}

/** Fills an account, each of its kinds first up to its share. @param id of every client */
async function fill(label: string | null, id: string): Promise<void> {
  const { application, browser, tab, own } = shares
  const special: Partial<Session>[] = [
    ...Array.from({ length: browser }, () => ({ isBrowser: true })),
    ...Array.from({ length: tab }, () => ({ isTab: true })),
    ...Array.from({ length: own }, () => ({})),
    ...Array.from({ length: application }, (_, i) => ({
      application: `${Math.floor(i / maxOfApplication)}${id}`,
      scope: allScopes,
      through: 'x'.repeat(22),
    })),
  ]
  for (const each of special) {
    const account = await find(harness)
    const login = { authTime: deps.now(), amr: ['pop', 'user', 'mfa'] }
    const { session } = newSession(deps, account, label, login, each)
    const through = account.sessions.find(({ isBrowser }) => isBrowser)?.id ?? null
    expect(await addSession(deps, account, { ...session, through: each.through ? through : null })).toBe('added')
  }
}

describe('an item with all its sessions', () => {
  test.each([
    ['9 KB with labels of devices', 'Chrome on Linux', 'shop', 'Ada', 9],
    ['16 KB with the longest labels, ids and name', '𝒜'.repeat(60), 'x'.repeat(63), '𝒜'.repeat(200), 16],
  ])('is under %s', async (_, label, id, name, kilobytes) => {
    await register(harness, ada, name)
    for (let i = 0; i < 5; i++) {
      const account = await find(harness)
      const clients = [...account.clients, { hash: 'x'.repeat(43), at: deps.now() }]
      await deps.sessions.remember(account, clients, deps.now())
    }
    await fill(label, id)
    const [item = {}] = await harness.accountItems()
    expect((await find(harness)).sessions).toHaveLength(maxSessions)
    expect(sizeOf(item)).toBeGreaterThan((kilobytes - 1) * 1024)
    expect(sizeOf(item)).toBeLessThan(kilobytes * 1024)
  })

  test('and five identities takes 4 KB more', async () => {
    await register(harness)
    await fill(null, 'shop')
    const size = async () => sizeOf((await harness.accountItems()).find(({ email }) => email === ada.email))
    const before = await size()
    // OpenID Connect Core §2, "sub": at most 255 characters.
    for (let i = 0; i < maxIdentities; i++) await connect(harness, String(i).repeat(255))
    expect((await find(harness)).identities).toHaveLength(maxIdentities)
    expect((await size()) - before).toBeLessThan(4 * 1024)
  })
})

describe('the list of sessions', () => {
  test('has the current one first, then the last used, and none that has ended', async () => {
    await register(harness)
    await openMany(1)
    harness.advance(14 * day * 1000)
    const [first, second, third] = await openMany(3)
    const list = listSessions(await find(harness), first?.id, harness.config, deps.now())
    expect(list.map(({ id }) => id)).toEqual([first?.id, third?.id, second?.id])
  })
})

describe('ending a session by its id', () => {
  const end = async (id: string) => endOwnSession(deps, home, await find(harness), { id, password: ada.password })

  test.each(['nobody', '', '__proto__', 'constructor', 'a.b', '\0', '#session'])(
    'is a success for %j, which is none, and writes nothing',
    async id => {
      await register(harness)
      await openMany(1)
      const before = await harness.items('Accounts')
      await end(id)
      expect(await harness.items('Accounts')).toEqual(before)
    },
  )

  test('is a success when it ends by itself meanwhile', async () => {
    await register(harness)
    const [session] = await openMany(1)
    harness.before('UpdateItem Accounts', () => logOut(deps, session?.refreshToken ?? ''))
    await end(session?.id ?? '')
    expect(await idsOf()).toEqual([])
  })
})
