import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Served } from '../../local/gateway/gateway.ts'
import { linkIn, runSystem } from '../support/system/running.ts'
import { serve, type WebServer } from '../support/web-server.ts'
import { setUpBrowser } from './browser.ts'
import { reply } from './support.ts'

/** The powers of another origin's page over its visitor in a real browser, and those that the service's own pages keep. */

const { page, openPage } = setUpBrowser()
let stranger: WebServer
beforeAll(async () => {
  stranger = await serve((_, response) => reply(response, { statusCode: 200, headers: {}, body: 'a page' }))
})
afterAll(() => stranger.close())
beforeEach(async () => {
  await openPage()
})

const ada = { email: 'ada@example.com', password: 'correct horse' }
const attempts = 12

describe.each([
  ['without CORS_ORIGINS', {}, 415, 'unsupported-media-type'],
  ['with CORS_ORIGINS', { CORS_ORIGINS: 'https://app.example.com' }, 403, 'origin-not-allowed'],
] as const)('%s', (_, env, status, code) => {
  const served: Served[] = []
  const running = runSystem(env, { observer: { served: request => void served.push(request) } })

  test('a page of another origin uses up nothing of its visitor, who logs in', async () => {
    const { baseUrl } = running.system
    await running.send('POST', '/auth/register', ada)
    served.length = 0
    await page().goto(stranger.url)
    const isSent = await page().evaluate(
      async ([api, wrong, email, times]) => {
        const beacons: boolean[] = []
        for (let i = 0; i < times; i++) {
          await fetch(`${api}/auth/login`, { method: 'POST', mode: 'no-cors', body: new Blob([wrong]) })
          for (const body of [new Blob([email]), email])
            beacons.push(navigator.sendBeacon(`${api}/auth/forgot-password`, body))
        }
        return beacons.every(Boolean)
      },
      [baseUrl, JSON.stringify({ ...ada, password: 'wrong' }), JSON.stringify({ email: ada.email }), attempts] as const,
    )
    expect(isSent).toBe(true)
    await expect.poll(() => served.length).toBe(3 * attempts)
    expect([...new Set(served.map(answer => `${answer.status} ${answer.code}`))]).toEqual([`${status} ${code}`])

    await page().goto(`${baseUrl}/reset-password`)
    const own = await page().evaluate(async login => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch('/auth/login', { method: 'POST', headers, body: login })
      return [answer.status, answer.headers.get('ratelimit')]
    }, JSON.stringify(ada))
    expect(own).toEqual([200, expect.stringMatching(/^"login";r=59;/)])
  })

  test("the service's own pages still post", async () => {
    const bob = { ...ada, email: 'bob@example.com' }
    await running.send('POST', '/auth/register', bob)
    await page().goto(linkIn(await running.nextMail(bob.email)).href)
    await page().click('button:visible')
    await page().waitForSelector('section[data-state="done"]:not([hidden])')
  })
})
