import { decodeJwt } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import type { AccountItem } from '../../../accounts/account/attributes.ts'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { DomainError } from '../../../shared/base/errors.ts'
import { parseRateLimits } from '../../../shared/base/limits/windows.ts'
import { shopQuery } from '../../support/clients.ts'
import { idToken, sentWith } from '../../support/service/applications.ts'
import { bearer, send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import type { Received } from '../../support/service/http.ts'
import { ada, appOf, find, lastMessage, newClient, protect, register } from '../../support/service/people.ts'
import { claimsIn, verifier, verify, withProvider } from '../../support/service/provider-logins.ts'

const harness = createHarness()
const provider = withProvider(harness, { require: { hd: 'example.com' }, redirects: ['https://app.example.com/back'] })
const { deps } = harness
/** The provider's claims about allowed people. */
const allowed = { hd: 'example.com' }
const logIn = (claims: object = {}, more: object = {}) => provider.logIn({ ...allowed, ...claims }, more)

const refusal = ({ status, body }: Received): [number, string] => [status, body.code]
const limit = (text: string) => {
  harness.config.rateLimits = parseRateLimits(text) as typeof harness.config.rateLimits
}
/** Changes Ada's account directly. */
async function amend(change: Partial<AccountItem>) {
  const stored = (await harness.accountItems()).find(({ email }) => email === ada.email)
  if (stored) await harness.put({ ...stored, ...change })
}

describe('provider-login', () => {
  test('asks limit, body, list, provider and what is required, in this order', async () => {
    const wrong = { provider: 'nosuch', authorization_code: 'x', code_verifier: 'x', redirect_uri: 'https://x.example' }
    limit('provider-login=1/hour')
    await provider.post({}, '198.51.100.1')
    expect(refusal(await provider.post(wrong, '198.51.100.1'))).toEqual([429, 'too-many-requests'])
    const form = { ...wrong, code_verifier: verifier }
    expect(refusal(await provider.post(wrong, newClient()))).toEqual([422, 'invalid-body'])
    expect(refusal(await provider.post(form, newClient()))).toEqual([404, 'provider-not-found'])
    const known = { ...form, provider: 'example' }
    const elsewhere = await provider.post(known, newClient())
    expect(refusal(elsewhere)).toEqual([422, 'invalid-body'])
    expect(elsewhere.body.errors).toEqual([{ pointer: '/redirect_uri', detail: expect.any(String) }])
    const listed = { ...known, redirect_uri: 'https://app.example.com/back' }
    expect(refusal(await provider.post(listed, newClient()))).toEqual([400, 'provider-refused'])
    provider.liar.token = (_, response) => response.writeHead(500).end()
    const silent = await provider.post(listed, newClient())
    expect(refusal(silent)).toEqual([503, 'provider-unavailable'])
    expect(silent.headers['retry-after']).toBe('5')
    provider.liar.token = null
    const other = await provider.logIn({ hd: 'other.example' })
    expect(refusal(other)).toEqual([403, 'provider-not-allowed'])
    for (const answer of [elsewhere, silent, other]) expect(answer.body).not.toHaveProperty('provider_token')
  })

  test.each([
    [{ level: 1 }, { level: '1' }],
    [{ level: '1' }, { level: 1 }],
    [{ member: true }, { member: 'true' }],
    [{ member: true }, { member: 1 }],
    [{ member: false }, {}],
    [{ hd: 'example.com' }, { hd: ['example.com'] }],
    [{ hd: 'example.com' }, { hd: 'Example.com' }],
    [{ hd: 'example.com', level: 1 }, allowed],
  ])('lets nobody in by %j whose claims are %j: each must equal, as it is', async (require, claims) => {
    harness.providers = [{ ...provider.liar.provider, require }]
    expect(refusal(await provider.logIn(claims))).toEqual([403, 'provider-not-allowed'])
    expect((await provider.logIn(require)).status).toBe(200)
  })

  test.each([
    [{ authorization_code: '' }, ['/authorization_code']],
    [{ authorization_code: 'ä' }, ['/authorization_code']],
    [{ authorization_code: 'a b' }, ['/authorization_code']],
    [{ code_verifier: 'v'.repeat(42) }, ['/code_verifier']],
    [{ code_verifier: `${'v'.repeat(43)}=` }, ['/code_verifier']],
    [{ provider_token: 'x' }, ['/provider', '/authorization_code', '/code_verifier']],
    [{ provider_token: null }, ['/provider', '/authorization_code', '/code_verifier', '/provider_token']],
    [{ email: ada.email }, ['/password']],
    [{ password: 'x' }, ['/email']],
    [{ session: { label: 7 } }, ['/session/label']],
  ])('refuses %j by member', async (changes, pointers) => {
    const good = { provider: 'example', authorization_code: 'x'.repeat(2048), code_verifier: verifier }
    const answer = await provider.post({ ...good, ...changes })
    expect(refusal(answer)).toEqual([422, 'invalid-body'])
    expect(answer.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers)
    expect(provider.liar.exchanges).toEqual([])
  })

  test('shows the provider the address that the callback led to, ours where none is named', async () => {
    const other = 'https://app.example.com/back'
    const answers = [await logIn(), await logIn({}, { redirect_uri: other })]
    harness.config.browserUrl = 'http://localhost:3000'
    answers.push(await logIn({}, { redirect_uri: 'http://localhost:3000/sign-in/example' }), await logIn())
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const ours = 'http://localhost:3000/sign-in/example'
    expect(provider.liar.exchanges.map(({ form }) => form.redirect_uri)).toEqual([
      'https://api.example.com/sign-in/example',
      other,
      ours,
      ours,
    ])
    for (const redirect_uri of ['https://api.example.com/sign-in/example', `${other}/`, `${ours}?`, '']) {
      expect(refusal(await logIn({}, { redirect_uri }))).toEqual([422, 'invalid-body'])
    }
    expect(provider.liar.exchanges).toHaveLength(4)
  })

  test('refuses all the same where no token can be signed that stands for the proof', async () => {
    await register(harness)
    const { sign } = deps.signer
    deps.signer.sign = () => Promise.reject(new DomainError('unavailable', { cause: new Error('KMS is broken') }))
    const answer = await logIn()
    deps.signer.sign = sign
    expect(refusal(answer)).toEqual([401, 'password-required'])
    expect(answer.body).toMatchObject({ email: ada.email })
    expect(answer.body).not.toHaveProperty('provider_token')
    expect(harness.failures).toHaveLength(1)
  })

  test('asks of a known identity lock, address, factor and enrolment, in this order', async () => {
    harness.config.requireEmailVerification = true
    await logIn()
    const { code } = await protect(harness)
    await amend({ is_verified: false, locked_at: deps.now().toISOString() })
    const answers = [await logIn()]
    await amend({ is_verified: false, locked_at: undefined as never })
    answers.push(await logIn())
    await amend({ is_verified: true })
    answers.push(await logIn(), await logIn({}, { code: '12' }))
    expect(answers.map(refusal)).toEqual([
      [403, 'account-locked'],
      [403, 'email-not-verified'],
      [401, 'second-factor-required'],
      [401, 'wrong-code'],
    ])
    expect(answers[2]?.body.methods).toEqual(['code', 'recovery'])
    expect(answers[2]?.headers['www-authenticate']).toBe('Bearer')
    const whole = await logIn({}, { code: code() })
    expect(claimsIn(whole).amr).toEqual(['fed', 'otp', 'mfa'])
    await deps.factors.remove(await find(harness), { mark: 'x', clients: [] }, deps.now())
    harness.config.secondFactor = 'required'
    answers.push(await logIn())
    expect(refusal(answers[4] as Received)).toEqual([403, 'second-factor-setup'])
    for (const { body } of answers) expect(body.provider_token).toEqual(expect.any(String))
  })

  test('asks of an unknown identity address, owner, gate and limit, in this order', async () => {
    await register(harness)
    limit('register-day=1/day')
    await logIn({ sub: 'zoe', email: 'zoe@example.com' })
    Object.assign(harness.config, { signUp: 'invited', signUpDomains: ['example.net'], secondFactor: 'required' })
    const bob = { sub: 'bob', email: 'bob@example.com' }
    const following = [
      await logIn({ ...bob, email_verified: false }),
      await logIn({ ...bob, email: undefined }),
      await logIn({ ...bob, email: 'no address' }),
      await logIn({ sub: 'bob', email: 'ADA@example.com' }),
    ]
    const last = [await logIn(bob)]
    harness.config.signUp = 'open'
    last.push(await logIn(bob))
    harness.config.signUpDomains = null
    following.push(await logIn(bob))
    limit('register-day=2/day')
    following.push(await logIn(bob))
    expect([...following, ...last].map(refusal)).toEqual([
      [403, 'provider-email-unverified'],
      [403, 'provider-email-unverified'],
      [403, 'provider-email-unverified'],
      [401, 'password-required'],
      [429, 'too-many-requests'],
      [403, 'second-factor-setup'],
      [403, 'sign-up-closed'],
      [403, 'email-domain-not-allowed'],
    ])
    expect(following[3]?.body.email).toBe(ada.email)
    expect(following[3]?.headers['www-authenticate']).toBe('Bearer')
    const { 'retry-after': wait, ratelimit, 'ratelimit-policy': policy } = following[4]?.headers ?? {}
    expect(ratelimit).toMatch(new RegExp(`, "register-day";r=0;t=${wait}$`))
    expect(policy).toMatch(/, "register-day";q=1;w=86400$/)
    expect(harness.events).toContainEqual({ event: 'request-limited', reason: 'register-day' })
    for (const { body } of following) expect(body.provider_token).toEqual(expect.any(String))
    for (const { body } of last) expect(body).not.toHaveProperty('provider_token')
    harness.config.secondFactor = 'optional'
    expect((await logIn(bob)).status).toBe(200)
  })

  test('asks with a password as login, then address and identity, in this order', async () => {
    await register(harness)
    const { code } = await protect(harness)
    const other = { sub: 'other', email: 'other@example.com' }
    await logIn(other)
    const connect = (more: object = {}, claims: object = other) => logIn(claims, { ...ada, ...more })
    const answers = [await connect({ email: 'nobody@example.com' }), await connect({ password: 'wrong horse' })]
    await amend({ locked_at: deps.now().toISOString() })
    answers.push(await connect())
    await amend({ locked_at: undefined as never })
    answers.push(await connect())
    await verify(harness)
    answers.push(await connect(), await connect({ code: code() }))
    expect(answers.map(refusal)).toEqual([
      [401, 'bad-credentials'],
      [401, 'bad-credentials'],
      [403, 'account-locked'],
      [403, 'email-not-verified'],
      [401, 'second-factor-required'],
      [400, 'provider-taken'],
    ])
    for (let i = 0; i < 5; i++) {
      harness.advance(30_000)
      expect((await connect({ code: code() }, { sub: `${i}`, email_verified: false })).status).toBe(200)
    }
    harness.advance(30_000)
    answers.push(await connect({ code: code() }, { sub: '5' }))
    expect(refusal(answers[6] as Received)).toEqual([400, 'provider-limit'])
    harness.advance(30_000)
    answers.push(await connect({ code: code() }))
    expect(refusal(answers[7] as Received)).toEqual([400, 'provider-taken'])
    // An identity that is connected already is a login.
    harness.advance(30_000)
    const again = await connect({ code: code() }, { sub: '3' })
    expect(claimsIn(again).amr).toEqual(['pwd', 'otp', 'mfa'])
    for (const { body } of answers) expect(body.provider_token).toEqual(expect.any(String))
    const client = newClient()
    for (let i = 0; i < 10; i++) await provider.post({ ...provider.proof(allowed), ...ada, password: 'wrong' }, client)
    const guesses = await provider.post({ ...provider.proof(allowed), ...ada }, client)
    expect(refusal(guesses)).toEqual([429, 'too-many-requests'])
    expect(guesses.body.provider_token).toEqual(expect.any(String))
  })

  test('asks whom the provider names of a page without a password, and counts no guess', async () => {
    await register(harness)
    const answers = [await logIn({}, { ...ada, password: '' })]
    answers.push(await logIn({ email: 'ADA@example.org', email_verified: false }, { ...ada, password: '' }))
    answers.push(await logIn({ email: undefined }, { ...ada, password: '' }))
    for (const answer of answers) expect(refusal(answer)).toEqual([401, 'password-required'])
    expect(answers.map(({ body }) => body.email)).toEqual([ada.email, 'ada@example.org', undefined])
    expect((await harness.items('RateLimits')).filter(({ key }) => String(key).startsWith('guess#'))).toEqual([])
  })

  test('says when and how its owner logged in, and opens a session if asked', async () => {
    const seconds = deps.now().getTime() / 1000
    const opened = await logIn({ auth_time: seconds - 3600 }, { session: { label: 'Phone' } })
    expect(Object.keys(opened.body)).toEqual([
      'access_token',
      'token_type',
      'expires_in',
      'refresh_token',
      'refresh_expires_in',
    ])
    expect(claimsIn(opened)).toMatchObject({ amr: ['fed'], auth_time: seconds - 3600, email_verified: true })
    expect((await find(harness)).sessions).toMatchObject([{ label: 'Phone', amr: ['fed'] }])
    // A time in the future is ignored.
    expect(claimsIn(await logIn({ auth_time: seconds + 30 })).auth_time).toBe(seconds)
    expect(claimsIn(await logIn()).auth_time).toBe(seconds)
  })

  test('where everybody needs a second factor, the mailed link leads to an app', async () => {
    harness.config.secondFactor = 'required'
    const refused = await logIn()
    expect(refusal(refused)).toEqual([403, 'second-factor-setup'])
    expect(refused.body).not.toHaveProperty('setup_token')
    const { provider_token } = refused.body
    const { token: mail_token } = lastMessage(harness)
    await deliverMail(deps, lastMessage(harness), deps.now())
    expect(harness.mails.at(-1)?.to).toBe(ada.email)
    const linked = await provider.post({ provider_token, mail_token })
    const headers = { authorization: `Bearer ${linked.body.setup_token}` }
    const empty = await send(harness, 'set-up-second-factor', { headers, body: {} })
    expect(empty.status).toBe(200)
    const pending = (await find(harness)).pendingFactor
    const secret = await deps.factorKey.decrypt((await find(harness)).id, pending?.secret ?? new Uint8Array())
    const code = appOf(harness, secret).code()
    const confirmed = await send(harness, 'confirm-second-factor', { headers, body: { code } })
    expect(claimsIn(confirmed).amr).toEqual(['fed', 'otp', 'mfa'])
  })

  test('asks a person of a provider for a password to set up an app', async () => {
    await register(harness, { email: 'bob@example.com', password: 'correct horse' })
    const { body } = await logIn()
    for (const headers of [
      { authorization: `Bearer ${body.access_token}` },
      await bearer(harness, 'bob@example.com'),
    ]) {
      const setUp = (typed: object) => send(harness, 'set-up-second-factor', { headers, body: typed })
      expect(refusal(await setUp({}))).toEqual([422, 'invalid-body'])
      expect((await setUp({ password: 'wrong horse' })).status).toBe(400)
    }
    expect((await find(harness)).pendingFactor).toBeNull()
  })
})

describe('the token that a refusal carries', () => {
  let held: string
  beforeEach(async () => {
    await register(harness)
    held = (await logIn()).body.provider_token
  })
  const connect = (more: object = {}) => provider.post({ provider_token: held, ...ada, ...more })

  test('stays the same until one success, and stands for nothing afterwards', async () => {
    const wrong = await connect({ password: 'wrong horse' })
    expect(wrong.body.provider_token).toBe(held)
    expect(provider.liar.exchanges).toHaveLength(1)
    expect((await connect()).status).toBe(200)
    // Checked first, whatever else is wrong.
    harness.config.secondFactor = 'required'
    for (const more of [ada, { ...ada, password: 'wrong horse' }, { mail_token: 'x' }, {}]) {
      harness.queue.length = 0
      const answer = await provider.post({ provider_token: held, ...more })
      expect(refusal(answer)).toEqual([400, 'invalid-provider-token'])
      expect(answer.body).not.toHaveProperty('provider_token')
      expect(harness.queue).toEqual([])
    }
    harness.providers = [{ ...provider.liar.provider, require: { hd: 'example.net' } }]
    expect(refusal(await connect())).toEqual([400, 'invalid-provider-token'])
  })

  test.each([
    ['opens an account', { sub: 'bob', email: 'bob@example.com' }, {}],
    ['connects', {}, ada],
  ])('is used up before it %s: of two at once, one is let in', async (_, claims, person) => {
    limit('register-day=1/day')
    await logIn({ sub: 'zoe', email: 'zoe@example.com' })
    const { provider_token } = (await logIn(claims)).body
    harness.config.rateLimits = null
    let second: Received | undefined
    harness.before('TransactWriteItems Accounts', async () => {
      second = await provider.post({ provider_token, ...person })
    })
    expect((await provider.post({ provider_token, ...person })).status).toBe(200)
    expect(refusal(second as Received)).toEqual([400, 'invalid-provider-token'])
  })

  test('that has opened an account without a required factor leaves its time to another', async () => {
    limit('register-day=1/day')
    await logIn({ sub: 'zoe', email: 'zoe@example.com' })
    const held = (await logIn({ sub: 'bob', email: 'bob@example.com' })).body.provider_token
    Object.assign(harness.config, { rateLimits: null, secondFactor: 'required' })
    harness.advance(60_000)
    const opened = await provider.post({ provider_token: held })
    expect(refusal(opened)).toEqual([403, 'second-factor-setup'])
    const { provider_token } = opened.body
    expect(provider_token).not.toBe(held)
    expect(refusal(await provider.post({ provider_token: held }))).toEqual([400, 'invalid-provider-token'])
    harness.config.secondFactor = 'optional'
    const { exp } = decodeJwt(provider_token)
    expect(exp).toBe(decodeJwt(held).exp)
    const answers = await Promise.all(Array.from({ length: 50 }, () => provider.post({ provider_token })))
    const outcomes = answers.map(({ status, body }) => body.code ?? status)
    expect(outcomes.filter(outcome => outcome !== 'invalid-provider-token')).toEqual([200])
    const marks = (await harness.items('RateLimits')).filter(({ key }) => String(key).startsWith('provider#'))
    expect(marks.map(({ expires }) => expires)).toEqual([exp, exp])
  })
})

describe('authorize', () => {
  /** An application that accepts verified addresses alone. */
  const dashboard = { client_id: 'dashboard', redirect_uri: 'https://dashboard.example.com/callback' }
  const authorize = (body: object, query = {}) =>
    send(harness, 'authorize', { body: { request: shopQuery(query), ...body } })

  test('uses up a token also where the application means somebody else', async () => {
    await authorize(provider.proof(allowed))
    await amend({ is_verified: false })
    const { provider_token } = (await authorize(provider.proof(allowed), dashboard)).body
    await amend({ is_verified: true })
    const id_token_hint = await idToken(harness, { aud: 'shop', sub: 'somebody else' })
    const answer = await authorize({ provider_token }, { id_token_hint })
    expect(answer.body.location).toContain('error=login_required')
    expect(refusal(await authorize({ provider_token }))).toEqual([400, 'invalid-provider-token'])
  })

  test('takes no provider’s word for a login that must be fresh, and asks nobody', async () => {
    for (const query of [{ max_age: '3600' }, { max_age: '0' }, { prompt: 'login' }]) {
      const answer = await authorize(provider.proof(allowed), query)
      expect(refusal(answer)).toEqual([401, 'login-required'])
      expect(answer.body).not.toHaveProperty('provider_token')
    }
    expect(provider.liar.exchanges).toEqual([])
    expect(refusal(await authorize(provider.proof(allowed), { scope: 'none' }))).toEqual([
      400,
      'invalid-authorization-request',
    ])
  })

  test('and a browser logged in by a provider has no fresh login', async () => {
    const [cookie = ''] = (await authorize({ ...provider.proof(allowed), stay: true })).cookies ?? []
    const [, token = ''] = /^[^=]+=([^;]+)/.exec(cookie) ?? []
    const goOn = async (query = {}) => {
      const answer = await send(harness, 'authorize-session', {
        ...sentWith(token),
        body: { request: shopQuery(query), confirmed: true },
      })
      return answer.body.code ?? answer.status
    }
    expect([await goOn(), await goOn({ max_age: '3600' })]).toEqual([200, 'login-required'])
  })

  test('knows nothing of providers where there are none', async () => {
    harness.config.hasProviders = false
    await register(harness)
    expect((await authorize({ ...provider.proof(allowed), ...ada })).status).toBe(200)
    expect(refusal(await authorize(provider.proof(allowed)))).toEqual([422, 'invalid-body'])
    expect(provider.liar.exchanges).toEqual([])
  })
})
