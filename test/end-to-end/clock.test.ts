import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bytesOfBase32 } from '../../accounts/factor/codes.ts'
import { codeOf, stepOf } from '../../accounts/factor/totp.ts'
import { providerTokenLifetime } from '../../accounts/identity/provider-token.ts'
import { lifetimes } from '../../accounts/token/token.ts'
import { secondsOf } from '../../local/clock/clock.ts'
import type { MailedToken } from '../support/api/requests.ts'
import { goToExample } from '../support/system/example.ts'
import { password, runWithCommands } from '../support/system/local-commands.ts'
import { openUsers } from '../support/system/operator.ts'
import { addPasskey } from '../support/system/passkeys.ts'
import {
  linkIn,
  mailedToken,
  type RunningSystem,
  registerSender,
  runSystem,
  verifyAddress,
} from '../support/system/running.ts'

/** What is tried of an application with a clock that moves, and with accounts that begin anew, as the guide says it. */

const guide = readFileSync(join(import.meta.dirname, '../../docs/integrate.md'), 'utf8')
const rows = [
  ...guide.matchAll(/^\| (an? .+|too many .+|the mails to .+) \| (`\d+[smhd]`(?:, `\d+[smhd]`)?) \|$/gm),
].map(([, what = '', by = '']) => [what, by.split(', ').map(each => each.replaceAll('`', ''))] as const)

const minute = 60
const hour = 60 * minute
const day = 24 * hour

const post = async ({ system }: RunningSystem, path: string, body: object) =>
  fetch(`${system.inboxUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const advance = async (running: RunningSystem, seconds: number) => {
  const answer = await post(running, '/clock', { advance: `${seconds}s` })
  expect(answer.status).toBe(200)
  return (await answer.json()) as { now: string; ahead: number }
}

const person = (running: RunningSystem) => registerSender(running, `${randomBytes(6).toString('hex')}@example.com`)
const tokenFor = async (running: RunningSystem, email: string) =>
  linkIn(await running.nextMail(email)).searchParams.get('token')
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Something with an end. @returns whether it is still as before */
type Made = () => Promise<boolean>
interface Row {
  /** Seconds; null of a limit, whose time has begun before. */
  lasts: number | null
  /** @param i which of the row's times */
  make(running: RunningSystem, i: number): Promise<Made>
}

/** A link: it is used at most once, so each is made anew. */
const link = (kind: MailedToken, path: string, body: object = {}): Row['make'] => {
  return async running => {
    const token = await mailedToken(running, await person(running), kind)
    return async () => (await running.send('POST', `/auth/${path}`, { token, ...body })).status === 200
  }
}

/** A login with a wrong password, from an address of the loopback. @returns its status */
const guess = ({ system }: RunningSystem, email: string, i: number, localAddress: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(system.baseUrl)
    const options = { host: '127.0.0.1', port, localAddress, path: '/auth/login', method: 'POST', agent: false }
    request({ ...options, headers: { 'content-type': 'application/json' } }, answer => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
      .on('error', reject)
      .end(JSON.stringify({ email, password: `wrong horse ${i}` }))
  })

/** Attempts until one is refused. @returns whether the next one still is */
async function refusedAttempts(tried: (i: number) => Promise<number>): Promise<Made> {
  let i = 0
  const isRefused = async () => (await tried(i++)) === 429
  while (!(await isRefused())) {}
  return isRefused
}

/** Refreshed by each look. */
const session = async (running: RunningSystem) => {
  const { email } = await person(running)
  const { body } = await running.send('POST', '/auth/login', { email, password, session: {} })
  let { refresh_token } = body
  return async () => {
    const answer = await running.send('POST', '/auth/refresh', { refresh_token })
    refresh_token = answer.body.refresh_token ?? refresh_token
    return answer.status === 200
  }
}

/** Asks for links until no mail comes. @returns whether none comes for the next request */
const cappedMails = async (running: RunningSystem, i: number): Promise<Made> => {
  const { email } = await person(running)
  await verifyAddress(running, email)
  const mails = () => running.system.inbox.list().filter(({ destination }) => destination.to.includes(email)).length
  const isCapped = async () => {
    const before = mails()
    await running.send('POST', '/auth/forgot-password', { email })
    // Until the queue is empty.
    await advance(running, 0)
    return mails() === before
  }
  while (!(await isCapped())) {}
  // The cap of an hour is free again after it, until that of the day is reached.
  for (let hours = 0; i === 1 && hours < 24; hours++) {
    await advance(running, hour)
    if (await isCapped()) return isCapped
    while (!(await isCapped())) {}
  }
  return isCapped
}

/** By the row's words in the guide. */
const table: Record<string, Row> = {
  'a link that verifies an address': {
    lasts: lifetimes.verification / 1000,
    make: link('verification', 'verify-email'),
  },
  'a link that resets a password': {
    lasts: lifetimes.reset / 1000,
    make: link('reset', 'reset-password', { new_password: 'battery staple' }),
  },
  'an invitation': {
    lasts: lifetimes.invitation / 1000,
    make: link('invitation', 'accept-invitation', { new_password: 'battery staple' }),
  },
  'a link that undoes a change of address': { lasts: lifetimes.undo / 1000, make: link('undo', 'undo') },
  'an access token': {
    lasts: hour,
    async make(running) {
      const { email } = await person(running)
      const { body } = await running.send('POST', '/auth/login', { email, password })
      return async () => (await running.send('GET', '/auth/me', undefined, bearer(body.access_token))).status === 200
    },
  },
  'a session that nobody uses': { lasts: 14 * day, make: session },
  'too many guesses at a password': {
    lasts: null,
    async make(running) {
      const { email } = await person(running)
      return refusedAttempts(i => guess(running, email, i, '127.0.0.1'))
    },
  },
  'a hundred guesses an hour at one password': {
    lasts: null,
    async make(running) {
      const { email } = await person(running)
      // Ten from each of ten clients, and more from one that has not tried yet.
      for (let i = 0; i < 100; i++) await guess(running, email, i, `127.0.1.${1 + Math.floor(i / 10)}`)
      return async () => (await guess(running, email, 100, `127.0.2.${1 + Math.floor(Math.random() * 200)}`)) === 429
    },
  },
  'the mails to one address in an hour, in a day': { lasts: null, make: cappedMails },
  "a passkey's challenge": {
    lasts: 10 * minute,
    async make(running) {
      const owner = await person(running)
      const { body } = await running.send('POST', '/auth/login', { email: owner.email, password })
      const passkey = await addPasskey(running, { ...owner, accessToken: body.access_token })
      const assertion = await passkey.logIn()
      return async () => (await running.send('POST', '/auth/passkeys/login', { assertion })).status === 200
    },
  },
}

const setUp = 'a link that sets up a required second factor'
const setUpLink: Row = {
  lasts: lifetimes['second-factor'] / 1000,
  async make(running) {
    const { email } = await person(running)
    await verifyAddress(running, email)
    await running.send('POST', '/auth/login', { email, password })
    const mail_token = await tokenFor(running, email)
    return async () => {
      const { body } = await running.send('POST', '/auth/login', { email, password, mail_token })
      return body.setup_token !== undefined
    }
  },
}

const trip = 'a trip to a provider'
/** What the provider confirmed, while the password is asked for. */
const confirmation: Row = {
  lasts: providerTokenLifetime / 1000,
  async make(running) {
    const { email } = await person(running)
    await verifyAddress(running, email)
    const [provider] = (await running.send('GET', '/auth/providers')).body.providers
    const proof = await (await goToExample(provider)).proofOf(email)
    const { provider_token } = (await running.send('POST', '/auth/provider-login', proof)).body
    return async () =>
      (await running.send('POST', '/auth/provider-login', { provider_token, email, password })).status === 200
  },
}

/** Seconds that a busy machine takes at most between what is made and what is tried. */
const slack = 40

const timed = rows.flatMap(([what, spans]) => spans.map((by, i) => [what, by, i] as const))
const used = 'a session that is used'
const atSetUp = timed.filter(([what]) => what === setUp)
const onTrip = timed.filter(([what]) => what === trip)
const others = timed.filter(([what]) => what in table)

/** Whether the row's thing is there until its end, and gone after it, and at what the guide says. */
async function tryRow(running: RunningSystem, { lasts, make }: Row, by: string, i: number): Promise<void> {
  const span = secondsOf(by) ?? 0
  const first = await make(running, i)
  if (lasts === null) {
    expect(await first()).toBe(true)
    await advance(running, span)
    return expect(await first()).toBe(false)
  }
  const second = await make(running, i)
  await advance(running, lasts - slack)
  expect(await first()).toBe(true)
  await advance(running, slack + 1)
  expect(await second()).toBe(false)
  expect(span - lasts).toBeGreaterThan(0)
}

test('the guide has a row for whatever is tried here', () => {
  expect(rows.map(([what]) => what).sort()).toEqual([...Object.keys(table), setUp, trip, used].sort())
})

describe('the guide says when it ends:', () => {
  const { running, users } = runWithCommands({ PASSKEY_RP_ID: 'localhost' })

  test.each(others)('%s, by %s', (what, by, i) => tryRow(running, table[what] as Row, by, i))

  test(`${used} ends after its days, not before`, async () => {
    const [first, second] = [await session(running), await session(running)]
    for (let i = 0; i < 2; i++) {
      await advance(running, 10 * day)
      expect([await first(), await second()]).toEqual([true, true])
    }
    await advance(running, 10 * day - slack)
    expect(await first()).toBe(true)
    await advance(running, slack + 1)
    expect(await second()).toBe(false)
  })

  test("an app's code is the one of the system's time", async () => {
    const { email } = await person(running)
    await verifyAddress(running, email)
    const { body } = await running.send('POST', '/auth/login', { email, password })
    const { now } = await advance(running, 25 * hour)
    const again = await running.send('POST', '/auth/login', { email, password })
    expect(again.status).toBe(200)
    const headers = bearer(again.body.access_token)
    const { secret } = (await running.send('POST', '/auth/second-factor/setup', { password }, headers)).body
    const code = codeOf(bytesOfBase32(secret), stepOf(new Date(now)))
    expect((await running.send('POST', '/auth/second-factor/confirm', { code }, headers)).status).toBe(200)
    expect(body.access_token).not.toBe(again.body.access_token)
  })

  test('what an operator mails or changes now is of the system, not of the machine', async () => {
    await advance(running, 100 * day)
    const email = 'invited@example.com'
    expect(await users(['invite', email])).toMatchObject({ status: 0 })
    const token = await tokenFor(running, email)
    const chosen = { token, new_password: 'battery staple' }
    expect((await running.send('POST', '/auth/accept-invitation', chosen)).status).toBe(200)
    const { body } = await running.send('POST', '/auth/login', { email, password: chosen.new_password })
    expect((await running.send('GET', '/auth/me', undefined, bearer(body.access_token))).status).toBe(200)
    expect(await users(['sign-out', email])).toMatchObject({ status: 0 })
    expect((await running.send('GET', '/auth/me', undefined, bearer(body.access_token))).status).toBe(401)
    // A revocation is dated a second ahead at most.
    await advance(running, 2)
    const again = await running.send('POST', '/auth/login', { email, password: chosen.new_password })
    expect((await running.send('GET', '/auth/me', undefined, bearer(again.body.access_token))).status).toBe(200)
  })
})

describe('with the provider "Example",', () => {
  const running = runSystem({}, { providerPort: 0 })

  test('people log in by it after the clock has moved, which its tokens follow', async () => {
    await advance(running, 100 * day)
    const { body } = await running.send('GET', '/auth/providers')
    const proof = await (await goToExample(body.providers[0])).proofOf('example@example.com')
    expect((await running.send('POST', '/auth/provider-login', proof)).status).toBe(200)
  })

  test.each(onTrip)('%s ends, by %s', (_, by, i) => tryRow(running, confirmation, by, i))
})

describe('with a required second factor,', () => {
  const { running } = runWithCommands({ SECOND_FACTOR: 'required' })

  test.each(atSetUp)('%s ends, by %s', (_, by, i) => tryRow(running, setUpLink, by, i))
})

describe('POST /reset', () => {
  const { running, users } = runWithCommands({ PASSKEY_RP_ID: 'localhost', RATE_LIMITS: 'login=1000/minute' })
  const reset = () => post(running, '/reset', {})

  /** All that a reset puts back. */
  const everything = async () => {
    const { system } = running
    const tables = [...((await system.items()) ?? [])].map(([table, items]) => [table, new Set(items)])
    const { ahead } = (await (await fetch(`${system.inboxUrl}/clock`)).json()) as { ahead: number }
    return { tables, mails: system.inbox.list(), queue: system.messages('MailQueue'), ahead }
  }

  test('puts back tables, queues, mails and clock, item by item, whatever ran', async () => {
    const before = await everything()
    const somebody = await person(running)
    await mailedToken(running, somebody, 'undo')
    await session(running)
    await running.send('POST', '/auth/register', { email: 'bounce@simulator.amazonses.com', password })
    await users(['invite', 'operated@example.com'])
    await advance(running, 3 * hour)
    // What was asked for last is still on the queue.
    for (let i = 0; i < 5; i++) await person(running)
    expect((await reset()).status).toBe(204)
    expect(await everything()).toEqual(before)
    await advance(running, 0)
    expect(await everything()).toEqual(before)
  })

  test('fifty at once among fifty logins leave nothing half written', async () => {
    const before = await everything()
    const somebody = await person(running)
    const login = { email: somebody.email, password, session: {} }
    const all = await Promise.all(
      Array.from({ length: 50 }, () => [reset(), running.send('POST', '/auth/login', login)]).flat(),
    )
    const statuses = new Set(all.map(({ status }) => status))
    expect([...statuses].filter(status => ![200, 204, 401, 429].includes(status))).toEqual([])
    expect((await reset()).status).toBe(204)
    expect(await everything()).toEqual(before)
  })

  test('lets an import that runs meanwhile go on, or fail, with whole accounts', async () => {
    const before = await everything()
    const lines = Array.from({ length: 200 }, (_, i) => JSON.stringify({ email: `moved-${i}@example.com` })).join('\n')
    const importing = users(['import', '-', '--format', 'ndjson'], lines)
    for (let i = 0; i < 10; i++) expect((await reset()).status).toBe(204)
    expect((await importing).stdout + (await importing).stderr).toMatch(/200 read/)
    const { system } = running
    const found = openUsers(system)
    const [accounts, entries] = [await found.all(), await found.entries()]
    expect(Object.values(entries).sort()).toEqual(accounts.map(({ id }) => id).sort())
    expect((await reset()).status).toBe(204)
    expect(await everything()).toEqual(before)
  })
})
