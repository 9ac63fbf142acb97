import { expect, onTestFinished, test, vi } from 'vitest'
import { bytesOfBase32 } from '../../accounts/factor/codes.ts'
import { codeOf, stepOf } from '../../accounts/factor/totp.ts'
import { type Route, routes } from '../../api/routes.ts'
import { mailedToken, runSystem } from '../support/system/running.ts'

/** The session in docs/examples, against the running system. */

const running = runSystem({ RATE_LIMITS: 'off' })
const { keepSession, renewing } = (await import('../../docs/examples/session.js' as string)) as {
  // biome-ignore lint/suspicious/noExplicitAny: the example has no types
  keepSession: (api: string, options: object) => any
  renewing: Set<string>
}
const password = 'correct horse'

/** A browser: its storage, and the tabs that share it. */
async function browse(name: string) {
  const email = `${name}@example.com`
  await running.send('POST', '/auth/register', { email, password })
  const stored = new Map<string, string>()
  const store = {
    getItem: (key: string) => stored.get(`${name} ${key}`) ?? null,
    setItem: (key: string, value: string) => void stored.set(`${name} ${key}`, value),
    removeItem: (key: string) => void stored.delete(`${name} ${key}`),
  }
  const refreshes: number[] = []
  let isLost = false
  let ended = 0
  let onRefreshed: () => void = () => {}
  const fetchCounted = async (url: string, init: RequestInit) => {
    const response = await fetch(url, init)
    if (url.endsWith('/auth/refresh')) {
      refreshes.push(response.status)
      onRefreshed()
    }
    if (isLost) throw new TypeError('the answer is lost')
    return response
  }
  const tab = (sent: typeof fetchCounted = fetchCounted, locks?: object) =>
    keepSession(running.system.baseUrl, { store, locks, fetch: sent, onEnd: () => void ended++ })
  return {
    email,
    tab,
    refreshes,
    stored,
    ends: () => ended,
    loseAnswers(lost: boolean) {
      isLost = lost
    },
    /** Runs when a refresh is answered, before the page knows. */
    beforeAnswer(act: () => void) {
      onRefreshed = act
    },
  }
}

test('parallel requests of two new tabs refresh once each, and stay logged in', async () => {
  const { email, tab, refreshes, ends } = await browse('parallel')
  await tab().logIn({ email, password, label: 'Browser' })
  const tabs = [tab(), tab()]
  const answers = await Promise.all(tabs.flatMap(one => [1, 2, 3].map(() => one.call('GET', '/auth/me'))))
  expect(answers.map(({ status }: Response) => status)).toEqual(Array.from({ length: 6 }, () => 200))
  expect([refreshes, ends()]).toEqual([[200, 200], 0])
})

test('a lost answer ends nothing', async () => {
  const { email, tab, loseAnswers, ends } = await browse('lost')
  await tab().logIn({ email, password })
  const reloaded = tab()
  loseAnswers(true)
  await expect(reloaded.call('GET', '/auth/me')).rejects.toThrow('lost')
  loseAnswers(false)
  expect((await reloaded.call('GET', '/auth/me')).status).toBe(200)
  expect(ends()).toBe(0)
})

test('a changed password keeps the session, and logging out ends it', async () => {
  const { email, tab, stored, ends } = await browse('changed')
  const first = tab()
  await first.logIn({ email, password })
  const passwords = { current_password: password, new_password: 'battery staple' }
  expect((await first.call('POST', '/auth/change-password', passwords)).status).toBe(200)
  const second = tab()
  expect((await second.call('GET', '/auth/me')).status).toBe(200)
  await first.logOut()
  expect([stored.size, ends()]).toEqual([0, 1])
  // The other tab's access token belongs to the ended session.
  expect((await second.call('GET', '/auth/me')).status).toBe(401)
  expect(ends()).toBe(2)
})

test('who sets up a factor and removes it stays logged in, with a code between', async () => {
  const { email, tab, stored, ends } = await browse('guarded')
  const token = await mailedToken(running, { email, password, newEmail: '' }, 'verification')
  await running.send('POST', '/auth/verify-email', { token })
  const first = tab()
  await first.logIn({ email, password })
  const post = async (path: string, body: object) =>
    (await first.call('POST', `/auth/second-factor/${path}`, body)).json()
  const { secret } = await post('setup', { password })
  const { recovery_codes } = await post('confirm', { code: codeOf(bytesOfBase32(secret), stepOf(new Date())) })
  expect((await first.call('GET', '/auth/me')).status).toBe(200)
  const [code, another] = recovery_codes
  expect((await tab().logIn({ email, password })).status).toBe(401)
  expect((await tab().logIn({ email, password, code })).status).toBe(200)
  await post('remove', { password, code: another })
  expect((await first.call('GET', '/auth/me')).status).toBe(200)
  expect([stored.size, ends()]).toEqual([1, 0])
})

test('it keeps the tokens of each endpoint that answers a logged-in person with new ones', () => {
  const rows = Object.values<Route>(routes).filter(({ access, issuesToken }) => access === 'bearer' && issuesToken)
  expect([...renewing].sort()).toEqual(rows.map(({ on }) => on.split(' ')[1]).sort())
})

test('a session that has ended shows the login form once', async () => {
  const { email, tab, refreshes, stored, ends } = await browse('ended')
  await tab().logIn({ email, password })
  const [name = '', refresh_token] = [...stored][0] ?? []
  await running.send('POST', '/auth/logout', { refresh_token })
  expect((await tab().call('GET', '/auth/me')).status).toBe(401)
  expect([refreshes, stored.has(name), ends()]).toEqual([[400], false, 1])
})

test('who logs out while the session is refreshed, or without a network, is logged out', async () => {
  const { email, tab, stored, beforeAnswer, loseAnswers, ends } = await browse('leaving')
  await tab().logIn({ email, password })
  const reloaded = tab()
  let leaving: Promise<void> | undefined
  beforeAnswer(() => {
    leaving = reloaded.logOut()
  })
  expect((await reloaded.call('GET', '/auth/me')).status).toBe(401)
  expect([stored.size, ends()]).toEqual([0, 1])
  await leaving // Its answer is not among those that get lost.

  await reloaded.logIn({ email, password })
  loseAnswers(true)
  await expect(reloaded.logOut()).rejects.toThrow('lost')
  expect([stored.size, ends()]).toEqual([0, 2])
})

test('a login that opens no session forgets the session of the person before', async () => {
  const { email, tab, stored } = await browse('before')
  await tab().logIn({ email, password })
  // As where an operator has switched sessions off.
  const withoutSession = tab((url, init) => fetch(url, { ...init, body: JSON.stringify({ email, password }) }))
  expect((await withoutSession.logIn({ email, password })).status).toBe(200)
  expect(stored.size).toBe(0)
})

test('a lock that is never granted stops no page; a late one changes nothing', async () => {
  const { email, tab, refreshes } = await browse('locked')
  await tab().logIn({ email, password, label: 'Browser' })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let give = () => {}
  const request = (_name: string, _options: object, take: () => unknown) => {
    give = take
    return new Promise(() => {})
  }
  const called = tab(undefined, { request }).call('GET', '/auth/me')
  const refused = expect(called).rejects.toThrow('the lock of the session is not free')
  await vi.advanceTimersByTimeAsync(35_000)
  await refused
  give()
  expect(refreshes).toEqual([])
})
