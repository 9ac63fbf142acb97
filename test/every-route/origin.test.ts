import { describe, expect, test } from 'vitest'
import { isUnsafe } from '../../api/route-keys.ts'
import { type Route, routes } from '../../api/routes.ts'
import { endpointNames, membersOf } from '../support/api/rows.ts'
import { goodRequest, send } from '../support/service/endpoints.ts'
import { sentForm } from '../support/service/grants.ts'
import { createHarness } from '../support/service/harness.ts'
import type { Sent } from '../support/service/http.ts'
import { expectProblem, expectRefused } from './problem.ts'

/** Requests that a page can send without a preflight, which must not use up its visitor's limits. */

const harness = createHarness()

const app = 'https://app.example.com'
const stranger = 'https://attacker.example'
const host = 'api.example.com'

const counted = () => harness.calls.filter(call => call.endsWith('RateLimits'))

const names = endpointNames.filter(name => isUnsafe(routes[name]))

describe.each(names)('%s', name => {
  const { ownPages }: Route = routes[name]

  const sendFrom = async (headers: Record<string, string>, good?: Sent) => {
    const request = good ?? (await goodRequest(harness, name))
    const { 'sec-fetch-site': _, ...own } = request.headers ?? {}
    return send(harness, name, { ...request, headers: { ...own, host, ...headers } })
  }

  test('refuses pages of other origins, before it counts anything', async () => {
    harness.config.corsOrigins = [app]
    const good = await goodRequest(harness, name)
    for (const [what, headers] of [
      ['of another origin', { origin: stranger, 'sec-fetch-site': 'cross-site' }],
      ['of another origin, whose browser says no more', { origin: stranger }],
      ['of another origin at the same site', { origin: 'https://blog.example.com', 'sec-fetch-site': 'same-site' }],
      ['of an origin that only begins like a listed one', { origin: `${app}.attacker.example` }],
      ['of a listed host on another port', { origin: `${app}:8443` }],
      ['of no origin: a sandboxed frame, or a file', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
      ['whose origin the browser withholds', { 'sec-fetch-site': 'cross-site' }],
    ] as [string, Record<string, string>][]) {
      expectRefused(name, await sendFrom(headers, good), 'origin-not-allowed', what)
      expect(harness.calls).toEqual([])
    }
  })

  const ofListed: [string, Record<string, string>] = [
    'a page of a listed origin',
    { origin: app, 'sec-fetch-site': 'cross-site' },
  ]
  const ofProgram: [string, Record<string, string>] = ['a program that is no browser', {}]

  test.each<[string, Record<string, string>]>([
    ...(ownPages ? [] : [ofListed, ofProgram]),
    ["the service's own page", { origin: `https://${host}`, 'sec-fetch-site': 'same-origin' }],
    ["the service's own page, whose browser says no more", { origin: `https://${host}` }],
    [
      "the service's own page, behind a proxy",
      { origin: 'https://accounts.example.com', 'sec-fetch-site': 'same-origin' },
    ],
  ])('takes requests of %s', async (_, headers) => {
    harness.config.corsOrigins = [app]
    expect((await sendFrom(headers)).status).toBe(routes[name].reply[0])
  })

  if (ownPages) {
    test('refuses all other pages, those of listed origins too, and when none are listed', async () => {
      const good = await goodRequest(harness, name)
      for (const corsOrigins of [[app], null]) {
        harness.config.corsOrigins = corsOrigins
        for (const [what, headers] of [
          ofListed,
          ['a page of a listed origin, whose browser says no more', { origin: app }],
          ['any page', { origin: stranger, 'sec-fetch-site': 'cross-site' }],
          ['a sibling subdomain', { origin: 'https://blog.example.com', 'sec-fetch-site': 'same-site' }],
          ['a sibling subdomain whose browser says no more', { origin: 'https://blog.example.com' }],
          ['its own host on another port', { origin: `https://${host}:8443` }],
          ['two origins', { origin: `https://${host}, https://${host}` }],
          ['a page that claims two relations', { 'sec-fetch-site': 'same-origin, cross-site' }],
          ['nobody, by a browser', { 'sec-fetch-site': 'same-site' }],
        ] as [string, Record<string, string>][]) {
          expectProblem(await sendFrom(headers, good), 'origin-not-allowed', what)
        }
      }
    })

    test('reads no cookie of a program, and leaves it alone', async () => {
      const request = await goodRequest(harness, name)
      const good = { ...request, body: { ...(request.body as object), stay: false } }
      const before = await harness.accountItems()
      const { cookies: _, ...without } = good
      harness.config.rateLimits = null
      for (const headers of [{}, { 'sec-fetch-site': 'none' }]) {
        const answers = [await sendFrom(headers, good), await sendFrom(headers, without)]
        expect(answers.map(({ cookies }) => cookies?.some(each => each.includes('Max-Age=0')))).not.toContain(true)
        expect(answers[0]?.status).toBe(answers[1]?.status)
        expect(answers[0]?.status === routes[name].reply[0]).toBe(name !== 'authorize-session')
      }
      const [kept] = before.map(({ sessions }) => Object.keys(sessions))
      const [present] = (await harness.accountItems()).map(({ sessions }) => Object.keys(sessions))
      expect(present).toEqual(expect.arrayContaining(kept ?? []))
    })
  } else {
    test('takes requests of any page when no origins are listed', async () => {
      expect((await sendFrom({ origin: stranger, 'sec-fetch-site': 'cross-site' })).status).toBe(routes[name].reply[0])
    })
  }
})

describe.each(names.filter(name => (routes[name] as Route).form))('%s', name => {
  test.each<[string, isCounted: boolean, readonly string[] | null, origin?: string]>([
    ['a program', true, null],
    ['a program, where origins are listed', true, [app]],
    ['a page of a listed origin', true, [app], app],
    ['any page, where none are listed', false, null, stranger],
    ['a page of no origin', false, null, 'null'],
    ["the service's own page, which sends none", false, [app], `https://${host}`],
  ])('of %s counts a refused client: %s', async (_, isCounted, corsOrigins, origin) => {
    harness.config.corsOrigins = corsOrigins
    const { body, headers } = sentForm({ grant_type: 'refresh_token', client_id: 'nobody' })
    const answer = await send(harness, name, { body, headers: { ...headers, host, ...(origin && { origin }) } })
    expect(answer.body.error).toBe('invalid_client')
    expect(harness.events.map(({ event }) => event)).toEqual(isCounted ? ['client-refused'] : [])
  })
})

describe.each(names.filter(name => membersOf(name).length > 0))('%s', name => {
  test('does not count requests that any page can send', async () => {
    const { body, headers } = await goodRequest(harness, name)
    for (const [what, change, code] of [
      ['no body', { body: undefined }, 'missing-body'],
      ['a body of no media type', { 'content-type': '' }, 'unsupported-media-type'],
      ['text', { 'content-type': 'text/plain;charset=UTF-8' }, 'unsupported-media-type'],
      ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'unsupported-media-type'],
      ['a form in parts', { 'content-type': 'multipart/form-data; boundary=x' }, 'unsupported-media-type'],
    ] as const) {
      const type = 'content-type' in change ? change : {}
      const sent = { ...('body' in change ? {} : { body }), headers: { ...headers, ...type } }
      expectProblem(await send(harness, name, sent), code, what)
      expect(counted()).toEqual([])
    }
  })
})
