import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openAccount } from '../../../accounts/account/opening.ts'
import { logIn } from '../../../accounts/login/login.ts'
import { acceptInvitation } from '../../../accounts/password/invitation.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { resetPassword } from '../../../accounts/password/reset.ts'
import { rows } from '../../../api/needs.ts'
import { membersFor } from '../../../api/parts.ts'
import { functionNames } from '../../../api/route-keys.ts'
import { createHarness } from '../../support/service/harness.ts'
import { type HashRanges, startHashRanges } from '../../support/service/hash-ranges.ts'
import { changePassword } from '../../support/service/owner.ts'
import { ada, find, home, invite, protect, register, requestToken } from '../../support/service/people.ts'

/** Have I Been Pwned itself was never asked: a stand-in answers. */

const harness = createHarness()
const { deps } = harness
const clientAddress = '203.0.113.7'
let ranges: HashRanges
beforeAll(async () => {
  ranges = await startHashRanges()
})
afterAll(() => ranges[Symbol.asyncDispose]())
beforeEach(() => {
  Object.assign(harness.config, { passwordBlocklist: 'online', blocklistUrl: ranges.url })
  Object.assign(ranges, { found: new Map([[known, 12]]), heard: [], lie: null, before: async () => {} })
})

const known = 'Tr0ub4dor&3'
const digits = createHash('sha1').update(known).digest('hex').toUpperCase()
const refusal = {
  code: 'password-too-common',
  message: 'This password has appeared in a breach; choose another one',
  options: { members: { reason: 'breached' } },
}
const refused = (choice: Promise<unknown>) => expect(choice).rejects.toMatchObject(refusal)

/** Prepares each way to choose a password, and returns the choice. */
const choosing: Record<string, () => Promise<(password: string) => Promise<unknown>>> = {
  register: async () => password => openAccount(deps, home, { ...ada, password: toPassword(password), name: null }),
  'reset-password': async () => {
    await register(harness)
    await protect(harness)
    const token = await requestToken(harness, 'reset')
    return password => resetPassword(deps, clientAddress, { token, new_password: toPassword(password) })
  },
  'accept-invitation': async () => {
    const token = await invite(harness)
    return password => acceptInvitation(deps, clientAddress, { token, new_password: toPassword(password), name: null })
  },
  'change-password': async () => {
    await register(harness)
    const { recoveryCodes } = await protect(harness)
    const proof = { current_password: ada.password, code: recoveryCodes[0] }
    return async password =>
      changePassword(deps, clientAddress, await find(harness), { ...proof, new_password: toPassword(password) })
  },
}

test('only where a password is chosen may anybody ask', () => {
  const choosers = functionNames.filter(name => rows[name].choosesPassword)
  expect(choosers.toSorted()).toEqual(Object.keys(choosing).toSorted())
  expect(functionNames.filter(name => membersFor(name).has('blocklistNetwork'))).toEqual(choosers)
})

/** What is stored and queued; counters that were counted back are none. */
const world = async () => [
  await harness.accountItems(),
  (await harness.items('RateLimits')).filter(({ n }) => n !== 0),
  harness.queue.length,
]

describe.each(Object.entries(choosing))('where PASSWORD_BLOCKLIST is online, %s', (name, prepare) => {
  const setUp = async () => {
    const choose = await prepare()
    Object.assign(ranges, { heard: [] })
    return choose
  }

  test('refuses a breached password, and spends nothing: then another one is taken', async () => {
    const choose = await setUp()
    const before = await world()
    await refused(choose(known))
    await refused(choose(known))
    expect(await world()).toEqual(before)
    await choose('battery staple')
    expect(harness.events.map(({ event }) => event)).not.toContain('blocklist-unavailable')
  })

  test('sends five digits of a hash, and nothing else of anybody', async () => {
    const choose = await setUp()
    await refused(choose(known))
    expect(ranges.heard).toEqual([
      {
        method: 'GET',
        path: `/range/${digits.slice(0, 5)}`,
        headers: {
          host: new URL(ranges.url).host,
          'add-padding': 'true',
          'accept-encoding': 'identity',
          'user-agent': 'gatehouse',
          connection: 'close',
        },
      },
    ])
  })

  test('takes what padding alone names, and what only begins like a breached one', async () => {
    const choose = await setUp()
    ranges.found = new Map([[known, 0]])
    await choose(known)
    expect(ranges.heard).toHaveLength(1)
  })

  test('asks nobody of a common password, or where the setting is on', async () => {
    const choose = await setUp()
    await expect(choose('password1')).rejects.toMatchObject({ message: 'This password is too common' })
    harness.config.passwordBlocklist = 'on'
    await choose(known)
    expect(ranges.heard).toEqual([])
  })

  if (name === 'change-password') return
  test('hashes meanwhile', async () => {
    const choose = await setUp()
    const { randomBytes } = deps
    const salted = Promise.withResolvers<void>()
    ranges.before = () => salted.promise
    deps.randomBytes = size => {
      // bcrypt's salt.
      if (size === 16) salted.resolve()
      return randomBytes(size)
    }
    try {
      await refused(choose(known))
    } finally {
      deps.randomBytes = randomBytes
    }
  })
})

describe('without an answer a password is taken, and an event says so:', () => {
  const answers =
    (status: number, body: string, headers = {}) =>
    (response: ServerResponse) =>
      response.writeHead(status, headers).end(body)
  const line = `${digits.slice(5)}:12`

  test.each<[string, 'silent' | 'answer', (response: ServerResponse) => unknown]>([
    ['nothing within a second', 'silent', () => {}],
    ['the connection ends', 'silent', response => response.destroy()],
    ['more than 128 KiB', 'silent', answers(200, `${line}\r\n`.repeat(3500))],
    ['another status', 'answer', answers(503, line)],
    ['a redirect', 'answer', answers(302, line, { location: '/range/00000' })],
    ['a page', 'answer', answers(200, '<html>')],
    ['nothing', 'answer', answers(200, '')],
    ['a line that is none', 'answer', answers(200, `${line}\r\n${line}x`)],
  ])('%s', async (_, reason, lie) => {
    ranges.lie = lie
    await (await choosing.register?.())?.(known)
    expect(harness.events.filter(({ event }) => event !== 'registered')).toEqual([
      { event: 'blocklist-unavailable', reason },
    ])
    expect(ranges.heard).toHaveLength(1)
  })

  test('nobody there', async () => {
    harness.config.blocklistUrl = 'http://127.0.0.1:1'
    await register(harness, { ...ada, password: known })
    expect(harness.events).toContainEqual({ event: 'blocklist-unavailable', reason: 'silent' })
  })
})

test('a login by a breached password is asked of nobody', async () => {
  harness.config.passwordBlocklist = 'off'
  await register(harness, { ...ada, password: known })
  Object.assign(harness.config, { passwordBlocklist: 'online', bcryptCost: 5 })
  await logIn(deps, clientAddress, { ...ada, password: toPassword(known) })
  expect(ranges.heard).toEqual([])
})
