import { describe, expect, test } from 'vitest'
import { MailMessage } from '../../accounts/mail/queue.ts'
import { needsOf } from '../../api/needs.ts'
import { type EndpointName, type Route, routes } from '../../api/routes.ts'
import { type Family, families } from '../../shared/base/families.ts'
import { parseRateLimits } from '../../shared/base/limits/windows.ts'
import { bearerNames, endpointNames } from '../support/api/rows.ts'
import { goodRequest, send } from '../support/service/endpoints.ts'
import { createHarness } from '../support/service/harness.ts'
import { find } from '../support/service/people.ts'
import { expectProblem } from './problem.ts'

const harness = createHarness()

const rows: Record<string, Route> = routes
const limited = endpointNames.filter(name => rows[name]?.limit)

/** The promised requests a minute: 60 without an access token and 30 with one, except for these rows. */
const others: [number | undefined, EndpointName[]][] = [
  [10, ['resend-verification', 'change-email', 'get-second-factor', 'set-up-second-factor', 'confirm-second-factor']],
  [10, ['renew-recovery-codes', 'remove-second-factor', 'set-up-passkey', 'confirm-passkey', 'remove-passkey']],
  [30, ['forgot-password']],
  [300, ['passkey-login-options']],
  [undefined, ['refresh', 'authorize-session', 'token', 'revoke', 'providers']],
  [undefined, ['get-me', 'userinfo', 'list-sessions', 'sign-in-methods']],
]

test.each(endpointNames)('%s has the limit that is promised', name => {
  const [limit] = others.find(([, names]) => names.includes(name)) ?? [bearerNames.includes(name) ? 30 : 60]
  expect(rows[name]?.limit).toBe(limit)
})

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

  test('is per client IP address, whatever the headers claim', async () => {
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
    const request = await goodRequest(harness, name)
    const before = (await harness.items('RateLimits')).map(item => JSON.stringify(item))
    const { headers } = await send(harness, name, request)
    expect(headers).not.toHaveProperty('ratelimit')
    const calls = harness.calls.filter(made => made.endsWith('RateLimits'))
    const items = await harness.items('RateLimits')
    // Even without limits, deletions and moves leave marks; grants are recorded; codes are counted and forgiven; challenges
    // drawn and spent; and providers' tokens spent.
    const of = (...some: Family[]) =>
      items.filter(({ key }) => some.some(family => String(key).startsWith(families[family])))
    expect(of('Challenges', 'Codes', 'DeletionMarks', 'Grants', 'ProviderTokens')).toEqual(items)
    const spent = of('Challenges').filter(({ spent_by }) => spent_by !== undefined)
    const isNew = (item: object) => !before.includes(JSON.stringify(item))
    const written = [...spent, ...of('DeletionMarks')].filter(isNew)
    const updates = [...written, ...of('ProviderTokens'), ...of('Codes'), ...of('Codes')]
    expect(calls.filter(call => call.startsWith('Update'))).toEqual(updates.map(() => 'UpdateItem RateLimits'))
  })
})

/** The rows that can queue a message. */
const mailing = endpointNames.filter(name => needsOf(routes[name]).may.MailQueue)

/** The kinds of notices, which have the owner's name and a past event. All others mail a requested link. */
const notices: string[] = MailMessage.options.flatMap(({ entries }) => ('name' in entries ? entries.kind.literal : []))

/** The mailbox of a link. */
async function mailboxOf(message: MailMessage): Promise<string | undefined> {
  if ('new_email' in message) return message.new_email
  if ('email' in message) return message.email
  return (await harness.accountItems()).find(({ id }) => id === message.account_id)?.email
}

test('a client mails three links a day to an unverified address, by any endpoint', async () => {
  const linking = []
  for (const name of mailing) {
    await harness.clear()
    const marks = []
    for (let i = 0; i < 5; i++) {
      harness.config.secondFactor = 'optional'
      for (const { email } of await harness.accountItems()) {
        await harness.deps.accounts.delete(await find(harness, email), harness.deps.now())
      }
      const request = await goodRequest(harness, name)
      // There a right password mails a link.
      if (name === 'login' || name === 'authorize') harness.config.secondFactor = 'required'
      const isVerified = async () =>
        (await harness.accountItems()).filter(item => item.is_verified).map(({ email }) => email)
      const before = await isVerified()
      harness.queue.length = 0
      await send(harness, name, { ...request, clientAddress: '198.51.100.1' })
      // Accepting an invitation verifies the address, and a notice says so.
      const verified = [...before, ...(await isVerified())]
      for (const { message } of harness.queue) {
        if (notices.includes(message.kind)) continue
        // The link of an undo goes to a formerly verified address, and works once.
        if (message.kind === 'undone' || verified.includes((await mailboxOf(message)) ?? '')) continue
        marks.push('is_excess' in message && message.is_excess)
      }
    }
    if (marks.length === 0) continue
    linking.push(name)
    expect([name, marks]).toEqual([name, [false, false, false, true, true]])
  }
  expect(linking).toEqual(['register', 'login', 'forgot-password', 'resend-verification', 'change-email', 'authorize'])
})
