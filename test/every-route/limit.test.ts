import { describe, expect, test } from 'vitest'
import { deletionMarkPrefix } from '../../shared/accounts/deletion-marks.ts'
import { codePrefix } from '../../shared/accounts/factors/code-limits.ts'
import { type Route, routes } from '../../shared/api/routes.ts'
import { parseRateLimits } from '../../shared/base/limits/windows.ts'
import { endpointNames } from '../support/api/rows.ts'
import { goodRequest, send } from '../support/service/endpoints.ts'
import { createHarness } from '../support/service/harness.ts'
import { expectProblem } from './problem.ts'

const harness = createHarness()

const rows: Record<string, Route> = routes
const limited = endpointNames.filter(name => rows[name]?.limit)

describe.each(limited)('the limit of %s', name => {
  const only = (limit: number) => {
    harness.config.rateLimits = parseRateLimits(`${name}=${limit}/hour`) as typeof harness.config.rateLimits
  }

  test("is the row's, per minute, unless the settings say otherwise", async () => {
    const { headers } = await send(harness, name, await goodRequest(harness, name))
    expect(headers['ratelimit-policy']).toBe(`"${name}";q=${rows[name]?.limit};w=60`)
    expect(headers.ratelimit).toBe(`"${name}";r=${(rows[name]?.limit ?? 0) - 1};t=59`)
  })

  test('counts refused requests too, before it checks credential and body', async () => {
    only(3)
    const { headers } = await goodRequest(harness, name)
    for (const refused of [{ body: 'no JSON' }, { body: '{}' }, { body: 'no JSON', headers }])
      expect((await send(harness, name, refused)).headers.ratelimit).toMatch(/;r=[210];/)
    const answer = await send(harness, name, { body: 'no JSON' })
    expectProblem(answer, 'too-many-requests')
    expect(answer.body.detail).toBe(`Too many requests to ${name}: at most 3 in one hour. Try again in 3599 seconds.`)
    expect(answer.headers).toMatchObject({ 'retry-after': '3599', ratelimit: `"${name}";r=0;t=3599` })
  })

  test('is per client address, whatever the headers claim', async () => {
    only(1)
    const { headers, ...request } = await goodRequest(harness, name)
    const claims = { 'x-forwarded-for': '198.51.100.9', forwarded: 'for=198.51.100.9', 'x-real-ip': '198.51.100.9' }
    await send(harness, name, { body: '{}' })
    const claimed = await send(harness, name, { ...request, headers: { ...headers, ...claims } })
    expectProblem(claimed, 'too-many-requests')
    const elsewhere = await send(harness, name, { ...request, headers: { ...headers }, clientAddress: '203.0.113.8' })
    expect(elsewhere.status).toBe(routes[name].reply[0])
  })

  test('is off when limits are off, and says nothing then', async () => {
    harness.config.rateLimits = null
    const { headers } = await send(harness, name, await goodRequest(harness, name))
    expect(headers).not.toHaveProperty('ratelimit')
    const calls = harness.calls.filter(made => made.endsWith('RateLimits'))
    const items = await harness.items('RateLimits')
    // Without limits too, a deletion or a move leaves its marks, each by one write, a move is recorded, and codes are counted
    // and forgiven.
    const isCode = ({ key }: (typeof items)[number]) => String(key).startsWith(codePrefix)
    const isMark = ({ key }: (typeof items)[number]) => String(key).startsWith(deletionMarkPrefix)
    const isOfMove = ({ key }: (typeof items)[number]) => /^(?:moved|moved-by|undo)#/.test(String(key))
    expect(items.filter(item => !isMark(item) && !isCode(item) && !isOfMove(item))).toEqual([])
    // The undo link of a first second factor is kept by one write too; that of a move comes with its transaction.
    const kept = name === 'confirm-second-factor' ? items.filter(isOfMove) : []
    const updates = [...kept, ...items.filter(isMark), ...items.filter(isCode), ...items.filter(isCode)]
    expect(calls.filter(call => call.startsWith('Update'))).toEqual(updates.map(() => 'UpdateItem RateLimits'))
  })
})
