import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { EndpointName } from '../../api/routes.ts'
import { fruitlessBody } from '../support/api/requests.ts'
import { discreetNames, limitEach, requestLine, takesAddressAlone } from '../support/api/rows.ts'
import { testAfterAttack } from '../support/attack/after-attack.ts'
import type { Answer } from '../support/attack/raw-request.ts'
import { type Person, startTarget } from '../support/attack/target.ts'

/** Neither an answer nor its work reveals whether an account exists. */

const target = startTarget({ RATE_LIMITS: limitEach('1000000/minute') })

const addressed = discreetNames.filter(takesAddressAlone)

let verified: Person
let unverified: Person
let locked: Person
let revoked: Person
beforeAll(async () => {
  verified = await target.register()
  unverified = await target.register()
  const [token] = await target.mailed(verified.email)
  await target.post('/auth/verify-email', { token })
  locked = await target.register()
  revoked = await target.register()
  for (const { email } of [locked, revoked]) await target.mailed(email)
  await target.operator.lock(await target.stored(locked), new Date())
  await target.operator.revoke(await target.stored(revoked), new Date())
})

/** The AWS calls of a request, by action, resource and key prefix, and its answer. */
async function watched(
  name: EndpointName,
  body: object,
  headers: Record<string, string> = {},
): Promise<{ calls: string[]; answer: Answer }> {
  const made = () =>
    target.system.calls
      .filter(({ caller }) => caller === name)
      .map(({ action, resource, keys, count }) => [`${action} ${resource} ${keys}`, count] as const)
  const before = new Map(made())
  const answer = await target.send({ ...requestLine(name), body, headers })
  const calls = made().flatMap(([call, count]) => Array<string>(count - (before.get(call) ?? 0)).fill(call))
  return { calls: calls.sort(), answer }
}

/** The comparable part of an answer: the names of its fields, and values that repeat. */
function visible({ status, headers, text }: Answer) {
  const { date: _, 'apigw-requestid': __, ratelimit, ...fields } = headers
  return { status, fields, limit: ratelimit?.replace(/=\d+/g, '='), names: Object.keys(headers), text }
}

const missing = () => target.person().email

describe.each(discreetNames)('%s', name => {
  test('does the same for an address with and without an account, and answers the same', async () => {
    const body = fruitlessBody(name)
    await watched(name, { ...body, email: missing() })
    const expected = await watched(name, { ...body, email: missing() })
    for (const email of [...[verified, unverified, locked, revoked].map(({ email }) => email), missing()]) {
      const { calls, answer } = await watched(name, { ...body, email })
      expect(calls).toEqual(expected.calls)
      expect(visible(answer)).toEqual(visible(expected.answer))
    }
    expect(expected.calls.some(call => call.includes('RateLimits'))).toBe(true)
  })
})

describe.each(addressed)('%s', name => {
  test('does not wait for the users table', async () => {
    const restore = target.system.disturb('dynamodb', { kind: 'hang' }, { resource: 'Accounts' })
    try {
      const { answer: known } = await watched(name, { email: verified.email })
      const { answer: unknown } = await watched(name, { email: missing() })
      expect(known.status).toBe(200)
      expect(visible(known)).toEqual(visible(unknown))
    } finally {
      restore()
    }
  })
})

test('every endpoint that takes an address is tested', () => {
  expect(discreetNames).toEqual(expect.arrayContaining(['login', 'forgot-password', 'resend-verification']))
  expect(addressed).toEqual(expect.arrayContaining(['forgot-password', 'resend-verification']))
})

test('only the owner of an address learns the outcome of a request, by mail', async () => {
  const stranger = target.person().email
  for (const email of [locked.email, verified.email, unverified.email, stranger]) {
    await target.post('/auth/forgot-password', { email })
    await target.post('/auth/resend-verification', { email })
  }
  await target.mailed(verified.email, 2)
  await target.mailed(unverified.email, 3)
  const to = (email: string) => target.system.inbox.list().filter(({ destination }) => destination.to.includes(email))
  expect(to(stranger)).toEqual([])
  // The mail of its registration.
  expect(to(locked.email)).toHaveLength(1)
})

describe('change-email', () => {
  const headersOf = async (person: Person) => ({ authorization: `Bearer ${await target.logIn(person)}` })
  const change = (headers: Record<string, string>, new_email: string) => watched('change-email', { new_email }, headers)

  test('mails five links an hour for an account, to any addresses, revealing nothing', async () => {
    const person = await target.register()
    const headers = await headersOf(person)
    const addresses = Array.from({ length: 8 }, missing)
    for (const email of addresses) expect((await change(headers, email)).answer.status).toBe(200)
    const { id } = await target.stored(person)
    const logged = (event: string) =>
      target.logs.filter(({ line }) => line.includes(`"${event}"`) && line.includes(id)).length
    const mailed = () =>
      target.system.inbox.list().filter(({ destination }) => addresses.includes(destination.to[0] ?? '')).length
    // Messages that another overtakes are dropped uncounted.
    const settled = () => mailed() + logged('mail-capped') + logged('mail-dropped')
    await vi.waitFor(() => expect(settled()).toBe(8), { timeout: 30_000, interval: 100 })
    expect(mailed()).toBeGreaterThan(0)
    expect(mailed()).toBeLessThanOrEqual(5)
  })
})

testAfterAttack(target)
