import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Callback } from '../../../accounts/identity/exchange.ts'
import { exchange } from '../../../accounts/identity/exchange.ts'
import { redirectUriOf } from '../../../accounts/identity/provider.ts'
import { send } from '../../support/service/endpoints.ts'
import { type GitHub, octocat, startGitHub } from '../../support/service/github.ts'
import { createHarness } from '../../support/service/harness.ts'
import { encryptedFor } from '../../support/service/lying-provider.ts'
import { ada, find, register } from '../../support/service/people.ts'
import { claimsIn } from '../../support/service/provider-logins.ts'

/** GitHub itself was never asked: a stand-in answers. */

const harness = createHarness()
const verifier = 'v'.repeat(43)
let github: GitHub
beforeEach(async () => {
  github = await startGitHub()
  harness.providers = [github.provider]
})
afterEach(() => github[Symbol.asyncDispose]())

const confirm = (changes: Partial<Callback> = {}) =>
  exchange(harness.deps, github.provider, {
    code: github.authorize(verifier),
    codeVerifier: verifier,
    redirectUri: redirectUriOf('https://id.example.com', 'github'),
    iss: undefined,
    ...changes,
  })

/** Requires that an exchange fails, with this reason in the log. */
async function expectFailed(event: string, reason: string, changes?: Partial<Callback>) {
  harness.events.length = 0
  const code = event === 'provider-refused' ? event : 'provider-unavailable'
  await expect(confirm(changes)).rejects.toMatchObject({ name: 'DomainError', code })
  expect(harness.events).toEqual([{ event, provider: 'github', reason }])
}

const [tokenPath, userPath, emailsPath] = ['/login/oauth/access_token', '/user', '/user/emails']
const heardAt = () => github.heard.map(({ path }) => path)

test('a code is exchanged for what GitHub says; the person’s id is the subject', async () => {
  expect(await confirm()).toEqual({
    provider: 'github',
    issuer: 'https://github.com',
    subject: '583231',
    email: 'octocat@example.com',
    isEmailProven: true,
    name: 'The Octocat',
    authTime: null,
    claims: {},
  })
  expect(harness.events).toEqual([])
})

test('GitHub hears one POST, then two GETs at once, with the token that it gave', async () => {
  const both = Promise.withResolvers<void>()
  github.before = async path => {
    if (path === tokenPath) return
    if (github.heard.length === 3) both.resolve()
    await both.promise
  }
  await confirm()
  const [post, ...gets] = github.heard
  expect(post).toMatchObject({
    path: tokenPath,
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    form: {
      ...{ client_id: 'Ov23li', client_secret: 's3cret', code_verifier: verifier },
      redirect_uri: 'https://id.example.com/sign-in/github',
    },
  })
  expect(gets.map(({ path }) => path).sort()).toEqual([userPath, emailsPath])
  for (const { headers } of gets)
    expect(headers).toMatchObject({
      authorization: expect.stringMatching(/^Bearer gho_\w+$/),
      'user-agent': expect.any(String),
    })
})

describe('a callback', () => {
  test('may name the issuer that GitHub names there, and no other: nothing is sent then', async () => {
    expect(await confirm({ iss: 'https://github.com/login/oauth' })).toMatchObject({ subject: '583231' })
    github.heard.length = 0
    for (const iss of ['https://github.com', 'https://evil.example', ''])
      await expectFailed('provider-refused', 'issuer', { iss })
    expect(heardAt()).toEqual([])
  })

  test('whose code another browser got, or that was used, is refused', async () => {
    await expectFailed('provider-refused', 'code', { code: github.authorize('w'.repeat(43)) })
    const code = github.authorize(verifier)
    await confirm({ code })
    await expectFailed('provider-refused', 'code', { code })
  })

  test.each<[string, string, number, unknown]>([
    ['provider-refused', 'code', 200, { error: 'bad_verification_code' }],
    ['provider-refused', 'code', 200, { error: 'unverified_user_email' }],
    ['provider-refused', 'code', 200, { error: 'a word for a wrong verifier' }],
    ['provider-misconfigured', 'client', 200, { error: 'incorrect_client_credentials' }],
    ['provider-misconfigured', 'client', 200, { error: 'redirect_uri_mismatch' }],
    ['provider-misconfigured', 'client', 404, { error: 'Not Found' }],
    ['provider-unavailable', 'answer', 200, { id_token: 'a.b.c' }],
    ['provider-unavailable', 'answer', 200, { access_token: 7 }],
    ['provider-unavailable', 'answer', 200, { error: 7 }],
    ['provider-unavailable', 'answer', 200, null],
    ['provider-unavailable', 'answer', 302, { access_token: 'gho_a' }],
    ['provider-unavailable', 'answer', 422, { error: 'other' }],
    ['provider-unavailable', 'answer', 503, { error: 'bad_verification_code' }],
  ])('is %s, by its %s, where GitHub answers %i %j', async (event, reason, status, body) => {
    github.lies[tokenPath] = [status, body]
    await expectFailed(event, reason)
    expect(heardAt()).toEqual([tokenPath])
  })

  test('is not sent on with a secret that cannot be decrypted', async () => {
    github.provider.secret = encryptedFor('other', 's3cret')
    await expectFailed('provider-misconfigured', 'secret')
    expect(heardAt()).toEqual([])
  })
})

describe('who it is', () => {
  test.each<[string, string, number, unknown]>([
    ['without an id', userPath, 200, { ...octocat.user, id: undefined }],
    ['with an id that is a text', userPath, 200, { ...octocat.user, id: '583231' }],
    ['with an id that JSON rounds', userPath, 200, { ...octocat.user, id: 2 ** 53 }],
    ['with a part of an id', userPath, 200, { ...octocat.user, id: 1.5 }],
    ['without any id, but a zero', userPath, 200, { ...octocat.user, id: 0 }],
    ['that is nobody', userPath, 200, null],
    ['with a token that has been revoked', userPath, 401, octocat.user],
    ['by a redirect', userPath, 302, octocat.user],
    ['without the permission to read addresses', emailsPath, 403, octocat.emails],
    ['with addresses of another form', emailsPath, 200, { 0: octocat.emails[1] }],
    ['without addresses', emailsPath, 200, null],
  ])('is unknown %s', async (_, path, status, body) => {
    github.lies[path] = [status, body]
    await expectFailed('provider-unavailable', 'answer')
    expect(heardAt().sort()).toEqual([tokenPath, userPath, emailsPath].sort())
  })

  test.each([userPath, emailsPath])('is unknown without an answer of %s', async silent => {
    github.lies[silent] = [200, 'x'.repeat(64 * 1024)]
    await expectFailed('provider-unavailable', 'silent')
  })

  const one = { email: 'ada@example.com', primary: true, verified: true }
  test.each<[string, unknown[], string | null]>([
    ['the primary one', [{ ...one, email: 'old@example.com', primary: false }, one], 'ada@example.com'],
    [
      'none, if the primary one is not verified',
      [
        { ...one, verified: false },
        { ...one, primary: false },
      ],
      null,
    ],
    ['none, if that is said by a text', [{ ...one, verified: 'true' }], null],
    ['none, if that is not said', [{ ...one, verified: undefined }], null],
    ['none, if none is primary', [{ ...one, primary: 1 }], null],
    ['none, if it is not valid here', [{ ...one, email: 'ada@example.com\nbcc: eve@example.com' }], null],
    ['none, of no list', [null, 7, 'ada@example.com', []], null],
    ['none', [], null],
  ])('has as address %s', async (_, emails, email) => {
    // What others read in the profile proves nothing.
    github.person = { user: { ...octocat.user, email: 'eve@example.com' }, emails }
    expect(await confirm()).toMatchObject({ subject: '583231', email, isEmailProven: email !== null })
  })

  test.each<[unknown, string | null]>([
    ['Ada', 'Ada'],
    [null, null],
    ['Ada\u202e', null],
    ['a'.repeat(201), null],
  ])('has of the name %j: %s', async (name, kept) => {
    github.person = { ...octocat, user: { ...octocat.user, name } }
    expect(await confirm()).toMatchObject({ name: kept })
  })
})

describe('a person', () => {
  const proof = () => ({
    provider: 'github',
    authorization_code: github.authorize(verifier),
    code_verifier: verifier,
  })
  const logIn = (more: object = {}) => send(harness, 'provider-login', { body: { ...proof(), ...more } })

  test('opens an account with GitHub, and is known by the id, whatever name and address', async () => {
    const opened = await logIn()
    expect([opened.status, claimsIn(opened)]).toEqual([200, expect.objectContaining({ amr: ['fed'] })])
    const { id, identities } = await find(harness, 'octocat@example.com')
    expect(identities).toMatchObject([
      { issuer: 'https://github.com', subject: '583231', email: 'octocat@example.com' },
    ])

    github.person = { user: { ...octocat.user, login: 'ada' }, emails: [] }
    expect(claimsIn(await logIn()).sub).toBe(id)
    // Whoever gets the login that was given away is a stranger.
    github.person = { user: { ...octocat.user, id: 2 }, emails: octocat.emails }
    expect((await logIn()).body).toMatchObject({ code: 'password-required', email: 'octocat@example.com' })
  })

  test('connects it by the password, once; the proof carries no token of GitHub’s', async () => {
    await register(harness)
    github.person = { ...octocat, emails: [{ email: ada.email, primary: true, verified: true }] }
    const { status, body } = await logIn()
    expect([status, body.code]).toEqual([401, 'password-required'])
    expect(Buffer.from(body.provider_token.split('.')[1], 'base64url').toString()).not.toContain('gho_')
    const { email, password } = ada
    const connect = { provider_token: body.provider_token, email, password }
    expect((await send(harness, 'provider-login', { body: connect })).status).toBe(200)
    expect((await logIn()).status).toBe(200)
  })

  test('is sent there with the one scope that GitHub needs', async () => {
    const { body } = await send(harness, 'providers')
    expect(body.providers).toEqual([
      expect.objectContaining({ id: 'github', name: 'GitHub', scope: 'user:email', response_mode: 'query' }),
    ])
  })
})
