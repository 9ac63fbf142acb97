import { beforeAll, describe, expect, test } from 'vitest'
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
async function watched(name: EndpointName, body: object): Promise<{ calls: string[]; answer: Answer }> {
  const made = () =>
    target.system.calls
      .filter(({ caller }) => caller === name)
      .map(({ action, resource, keys, count }) => [`${action} ${resource} ${keys}`, count] as const)
  const before = new Map(made())
  const answer = await target.send({ ...requestLine(name), body })
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

testAfterAttack(target)
