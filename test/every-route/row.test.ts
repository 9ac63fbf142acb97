import { readdirSync } from 'node:fs'
import { decodeJwt } from 'jose'
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { guardedBy } from '../../accounts/account/attributes.ts'
import { sealProviderToken } from '../../accounts/identity/provider-token.ts'
import { grace } from '../../accounts/session/rotation.ts'
import { needsOf } from '../../api/needs.ts'
import { memberExamples } from '../../api/openapi/meanings.ts'
import { replies } from '../../api/replies.ts'
import { functionNames } from '../../api/route-keys.ts'
import { type EndpointName, type Route, routes } from '../../api/routes.ts'
import { memberOf } from '../../shared/base/config.ts'
import { families } from '../../shared/base/families.ts'
import { guards } from '../../shared/base/row.ts'
import { asserted } from '../support/api/requests.ts'
import { endpointNames, requestLine, takesPassword } from '../support/api/rows.ts'
import { goodRequest, send } from '../support/service/endpoints.ts'
import { sentForm } from '../support/service/grants.ts'
import { createHarness, type Harness } from '../support/service/harness.ts'
import type { Sent } from '../support/service/http.ts'
import { ada, find } from '../support/service/people.ts'
import { expectRefused } from './problem.ts'

const harness = createHarness()
// Otherwise the members about languages are unknown.
beforeEach(() => {
  harness.config.languages = ['en', 'de']
})

describe.each(endpointNames)('%s', name => {
  const { withClients, withProviders, form, checksPassword, takesPasskey, takesProvider, issuesToken }: Route =
    routes[name]

  test('answers a good request with the status and shape of its row', async () => {
    const [status, shape, message]: readonly [number, keyof typeof replies, string?] = routes[name].reply
    const request = await goodRequest(harness, name)
    const [stored] = await harness.accountItems()
    if (stored) await harness.operator.setRoles(stored, ['editor'], harness.deps.now())
    const { body, headers, ...answer } = await send(harness, name, request)
    expect(answer.status).toBe(status)
    expect(v.safeParse(replies[shape], body)).toMatchObject({ success: true })
    // New accounts have no roles, and any passkey logs in.
    const absent = { register: 'roles', 'passkey-login-options': 'allowCredentials' }[name as string]
    const members = Object.keys(replies[shape].entries).filter(member => member !== absent)
    expect(Object.keys(body)).toEqual(members)
    if (message) expect(body).toEqual({ message, success: true })
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    })
  })

  test('changes neither roles nor administrators, with any body', async () => {
    const request = await goodRequest(harness, name)
    const before = await harness.operator.find(ada.email)
    if (before) await harness.operator.setRoles(before, ['editor'], harness.deps.now())
    const wanted = { roles: ['admin'], is_admin: true, isAdmin: true }
    const body = typeof request.body === 'object' ? { ...request.body, ...wanted } : request.body
    expect((await send(harness, name, { ...request, body })).status).toBe(routes[name].reply[0])
    for (const item of await harness.accountItems()) {
      expect(item).toMatchObject({ is_admin: false })
      expect(item.roles).toEqual(item.id === before?.id ? ['editor'] : undefined)
    }
  })

  if (issuesToken) {
    test('says by auth_time that somebody has proven who they are only where they do', async () => {
      const request = await goodRequest(harness, name)
      harness.advance(10_000)
      const { body } = await send(harness, name, request)
      // These end something that began with a proof.
      const proves = checksPassword || takesPasskey || takesProvider || name === 'confirm-second-factor'
      const now = harness.deps.now().getTime() / 1000
      for (const token of [body.access_token, body.id_token ?? body.access_token]) {
        expect(Number(decodeJwt(token).auth_time) === now).toBe(proves ?? false)
      }
    })
  }

  test('answers HEAD as GET, with the body’s length, where it answers GET', async () => {
    if (requestLine(name).method !== 'GET') return
    // The fields of a limit differ between two requests.
    harness.config.rateLimits = null
    const good = await goodRequest(harness, name)
    for (const request of [good, { ...good, headers: {} }]) {
      const { status, headers, text } = await send(harness, name, request)
      const told = { ...headers, 'content-length': String(Buffer.byteLength(text)) }
      const head = await send(harness, name, { ...request, method: 'HEAD' })
      expect(head).toEqual({ status, headers: told, text: '', body: null })
    }
  })

  test.each([false, true])(
    'touches only what its row grants, by expressions without values, with a factor: %s',
    async hasFactor => {
      const good = await goodRequest(harness, name, { hasFactor })
      harness.written.length = 0
      await send(harness, name, good)
      const may = new Set(
        Object.entries(needsOf(routes[name]).may).flatMap(([resource, actions]) =>
          actions.map((action: string) =>
            resource in families
              ? `${action} RateLimits`
              : /^(?:Accounts|Addresses|Identities)/.test(resource)
                ? `${action} Accounts`
                : action,
          ),
        ),
      )
      expect([...new Set(harness.calls)].filter(call => !may.has(call))).toEqual([])
      const guarded = guardedBy(guards.filter(guard => !needsOf(routes[name]).writes.includes(guard)))
      expect(harness.written.filter(attribute => guarded.some(each => each === attribute))).toEqual([])
      // A list beside the bundle needs no call.
      if (may.size === 0) return expect(harness.calls).toEqual([])
      expect(harness.calls).not.toEqual([])
      // Input goes beside an expression (`:hash`, `#session`), never into it.
      const words = harness.expressions.flatMap(text => text.split(/[\s(),.]+/).filter(Boolean))
      expect(words).not.toEqual([])
      const word = /^(?:[:#]\w+|[a-z_]+|SET|REMOVE|ADD|DELETE|AND|OR|NOT|[=<>+-]{1,2})$/
      expect(words.filter(each => !word.test(each))).toEqual([])
    },
  )

  test('reads each setting that its row names or implies, and no other', async () => {
    harness.config.passwordBlocklist = 'on'
    const good = await goodRequest(harness, name, { hasFactor: true })
    // Owners of verified addresses are mailed about changes and used recovery codes.
    const needsUnverified = name === 'verify-email' || name === 'confirm-email-change' || name === 'undo'
    if (!needsUnverified) await harness.operator.verify(await find(harness), harness.deps.now())
    const read = new Set<string>()
    const config = new Proxy(harness.config, {
      get(settings, member, receiver) {
        read.add(String(member))
        return Reflect.get(settings, member, receiver)
      },
    })
    const watched = { ...harness, deps: { ...harness.deps, config } }
    // A working passkey would change the following steps.
    if (takesPasskey && takesPassword(name)) {
      await send(watched, name, { ...good, body: asserted(good.body, memberExamples.assertion) })
    }
    if (takesProvider) await useProviders(harness, watched, name, good)
    const { body, ...answer } = await send(watched, name, good)
    expect(answer.status).toBeLessThan(300)
    if (name === 'refresh') {
      // The owner of a session is told of a replay.
      harness.advance(grace)
      await send(watched, name, { body: { refresh_token: body.refresh_token } })
      await send(watched, name, good)
    }
    if (name === 'authorize-session') {
      // So is the owner of a browser session.
      harness.advance(grace)
      const [cookie = ''] = answer.cookies ?? []
      await send(watched, name, { ...good, cookies: [cookie.split(';')[0] ?? ''] })
      await send(watched, name, good)
    }
    if (name === 'token') {
      // The same of an application.
      const renew = (refresh_token: string) =>
        send(watched, name, sentForm({ grant_type: 'refresh_token', refresh_token, client_id: 'shop' }))
      harness.advance(grace)
      const second = await renew(body.refresh_token)
      harness.advance(grace)
      await renew(second.body.refresh_token)
      await renew(body.refresh_token)
    }
    // Read by the code that makes a function's parts.
    if (withClients && needsOf(routes[name]).settings.includes('OIDC_CLIENTS')) read.add('hasClients')
    if (needsOf(routes[name]).settings.includes('SIGN_IN_PROVIDERS')) read.add('hasProviders')
    expect([...read].sort()).toEqual(needsOf(routes[name]).settings.map(memberOf).sort())
  })

  test.each(['Accounts', 'RateLimits', 'queue', 'KMS'] as const)(
    'is unavailable while %s fails, if it needs that, changes nothing, and succeeds afterwards',
    async part => {
      const request = await goodRequest(harness, name)
      // A login has remembered its client by then, and a browser its next cookie.
      const kept = async () =>
        (await harness.items('Accounts')).map(({ remembered_remotes, updated_at, sessions, ...item }) =>
          name === 'authorize-session' ? item : { ...item, sessions },
        )
      const before = await kept()
      harness.calls.length = 0
      harness.broken = part
      const other = { ...request, body: { ...(request.body as object), email: 'nobody@example.com' } }
      const answer = await send(harness, name, request)
      const isNeeded = harness.calls.some(made => owners[part].test(made))
      if (!isNeeded) return expect(answer.status).not.toBe(503)
      expectRefused(name, answer, 'unavailable')
      expect(answer.headers['retry-after']).toBe('5')
      expect(harness.failures).not.toEqual([])
      // KMS is called only after authentication. A code finds its own account.
      if (part !== 'KMS' && !form && !withProviders) expect((await send(harness, name, other)).text).toBe(answer.text)
      harness.broken = null
      expect(await kept()).toEqual(before)
      // A guess that was interrupted makes the next one wait a second.
      harness.advance(2000)
      expect((await send(harness, name, request)).status).toBe(routes[name].reply[0])
    },
  )

  test('does the same though each of its writes is sent twice, their answers lost', async () => {
    const outcome = async (retriesWrites: boolean) => {
      await harness.clear()
      const request = await goodRequest(harness, name)
      harness.queue.length = 0
      harness.retriesWrites = retriesWrites
      const { status } = await send(harness, name, request)
      const accounts = (await harness.accountItems()).map(item => mapOf(item, sizeOf))
      return { status, accounts, told: harness.queue.map(({ message }) => message.kind) }
    }
    const once = await outcome(false)
    expect(once.status).toBe(routes[name].reply[0])
    expect(await outcome(true)).toEqual(once)
  })
})

/** Sends a provider's confirmation of a new person, one without it, and a password beside it. */
async function useProviders(harness: Harness, watched: Harness, name: EndpointName, good: Sent): Promise<void> {
  const { email, password, code, ...rest } = good.body as Record<string, unknown>
  const [{ id: provider, issuer, require } = never()] = harness.providers
  const bob = { provider, issuer, subject: 'bob', email: 'bob@example.com', isEmailProven: true, name: null }
  const provider_token = await sealProviderToken(harness.deps, { ...bob, authTime: null, claims: require })
  const elsewhere = {
    authorization_code: 'x',
    code_verifier: 'v'.repeat(43),
    redirect_uri: 'https://elsewhere.example',
  }
  for (const more of [{ provider, ...elsewhere }, { provider_token, ...ada, password: 'wrong' }, { provider_token }]) {
    await send(watched, name, { ...good, body: { ...rest, provider_token: undefined, ...more } })
  }
}

const mapOf = (item: object, of: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(item).map(([attribute, value]) => [attribute, of(value)]))
/** What two runs have in common of a value: numbers, and how many members there are. */
const sizeOf = (value: unknown): unknown => {
  if (typeof value === 'number') return value
  return value instanceof Set ? value.size : typeof value === 'object' ? Object.keys(value ?? {}).length : typeof value
}

const never = (): never => {
  throw new Error('there is no provider')
}

const owners = {
  Accounts: / Accounts$/,
  RateLimits: / RateLimits$/,
  queue: /^SendMessage$/,
  KMS: /^(Sign|GetPublicKey|Encrypt|Decrypt)$/,
}

test('every row has a function, and every function a row', () => {
  const files = readdirSync(new URL('../../functions', import.meta.url)).map(file => file.replace(/\.ts$/, ''))
  expect(files.sort()).toEqual([...functionNames].sort())
})
