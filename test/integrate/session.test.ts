import { expect, test } from 'vitest'
import { runSystem } from '../support/system/running.ts'

/** The session in docs/examples, against the running system. */

const running = runSystem({ RATE_LIMITS: 'off' })
const { keepSession } = (await import('../../docs/examples/session.js' as string)) as {
  // biome-ignore lint/suspicious/noExplicitAny: the example has no types
  keepSession: (api: string, options: object) => any
}
const password = 'correct horse'

/** A browser: what it stores, and its tabs, which share that. */
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
  const fetchCounted = async (url: string, init: RequestInit) => {
    const response = await fetch(url, init)
    if (!url.endsWith('/auth/refresh')) return response
    refreshes.push(response.status)
    if (isLost) throw new TypeError('the answer is lost')
    return response
  }
  const tab = () => keepSession(running.system.baseUrl, { store, fetch: fetchCounted, onEnd: () => void ended++ })
  return {
    email,
    tab,
    refreshes,
    stored,
    ends: () => ended,
    loseAnswers(lost: boolean) {
      isLost = lost
    },
  }
}

test('parallel requests of two new tabs refresh once each, and stay logged in', async () => {
  const { email, tab, refreshes, ends } = await browse('parallel')
  await tab().logIn(email, password, 'Browser')
  const tabs = [tab(), tab()]
  const answers = await Promise.all(tabs.flatMap(one => [1, 2, 3].map(() => one.call('GET', '/auth/me'))))
  expect(answers.map(({ status }: Response) => status)).toEqual(Array.from({ length: 6 }, () => 200))
  expect([refreshes, ends()]).toEqual([[200, 200], 0])
})

test('a lost answer ends nothing', async () => {
  const { email, tab, loseAnswers, ends } = await browse('lost')
  await tab().logIn(email, password)
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
  await first.logIn(email, password)
  const passwords = { current_password: password, new_password: 'battery staple' }
  expect((await first.call('POST', '/auth/change-password', passwords)).status).toBe(200)
  const second = tab()
  expect((await second.call('GET', '/auth/me')).status).toBe(200)
  await first.logOut()
  expect([stored.size, ends()]).toEqual([0, 1])
  // The other tab's access token belongs to the session that has ended.
  expect((await second.call('GET', '/auth/me')).status).toBe(401)
  expect(ends()).toBe(2)
})
