import { generateKeyPairSync } from 'node:crypto'
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import type { Account } from '../../../accounts/account/account.ts'
import { grantKey } from '../../../accounts/application/grant.ts'
import { changeOf } from '../../../accounts/change/changes.ts'
import { bytesOfBase32 } from '../../../accounts/factor/codes.ts'
import { wrongCodesInARow } from '../../../accounts/factor/factor.ts'
import { drawLoginOptions, drawProofOptions } from '../../../accounts/passkey/options.ts'
import { maxPasskeys } from '../../../accounts/passkey/passkey.ts'
import { type ProofPurpose, proofPurposes } from '../../../accounts/passkey/shapes.ts'
import { guessing } from '../../../accounts/password/guesses.ts'
import { renewsToken } from '../../../api/implied.ts'
import { rows } from '../../../api/needs.ts'
import { memberExamples } from '../../../api/openapi/meanings.ts'
import { type EndpointName, routes } from '../../../api/routes.ts'
import { DomainError } from '../../../shared/base/errors.ts'
import { parseRateLimits } from '../../../shared/base/limits/windows.ts'
import { asserted } from '../../support/api/requests.ts'
import { endpointNames, membersOf, requestLine } from '../../support/api/rows.ts'
import { shopQuery } from '../../support/clients.ts'
import { idToken } from '../../support/service/applications.ts'
import { type AlgorithmId, authenticator, type Lies } from '../../support/service/authenticator.ts'
import { bearer, goodRequest, send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import type { Received } from '../../support/service/http.ts'
import { addPasskey, allowPasskeys, assertionOf } from '../../support/service/passkeys.ts'
import { ada, appOf, find, protect, register } from '../../support/service/people.ts'

const harness = createHarness()
const { deps } = harness

/** Every endpoint that accepts a passkey: at a login, or in place of an owner's typed proof. */
const takers = endpointNames.filter(name => membersOf(name).includes('assertion'))

const isLogin = (name: EndpointName) => rows[name].access === 'anyone'
const purposeOf = (name: EndpointName) =>
  isLogin(name) ? 'login' : (requestLine(name).path.replace('/auth/', '') as ProofPurpose)

/** The status of its success. */
const success = (name: EndpointName) => routes[name].reply[0]

const draw = async (name: EndpointName) => {
  const purpose = purposeOf(name)
  return purpose === 'login' ? drawLoginOptions(deps) : drawProofOptions(deps, await find(harness), purpose)
}

const codeOf = ({ status, body }: Received) => [status, body.code]
const invalidChallenge = [400, 'invalid-passkey-challenge']

/** An application that requires a verified address. */
const dashboardQuery = shopQuery({ client_id: 'dashboard', redirect_uri: 'https://dashboard.example.com/callback' })

/** Ada, verified. */
async function verifiedAda(name = 'Ada') {
  allowPasskeys(harness)
  const { account } = await register(harness, ada, name)
  await harness.operator.verify(account, deps.now())
}

/**
 * Ada with a counting passkey, and whatever else an endpoint needs to succeed.
 *
 * @returns sends the endpoint an assertion
 */
async function holder(name: EndpointName, hasFactor = false) {
  const { body: sent, ...good } = await goodRequest(harness, name, { hasFactor })
  const body = { ...(sent as { code?: string }), ...(name === 'authorize' && { request: dashboardQuery }) }
  await harness.operator.verify(await find(harness), deps.now())
  const { code } = body
  const { device, passkey } = await addPasskey(
    harness,
    { ...(code !== undefined && { code }) },
    authenticator({ isSynced: false }),
  )
  // Nobody types a password there, so no request above has a factor.
  if (hasFactor && name === 'passkey-login') await protect(harness)
  const limits = harness.config.rateLimits
  harness.config.rateLimits = null
  return {
    device,
    passkey,
    limits,
    good: { ...good, body },
    /** An assertion of a challenge for the endpoint. */
    assert: (lies: Lies = {}) => assertionOf(harness, device, purposeOf(name), lies),
    sendIt: (assertion: unknown, by = harness, more: object = {}) =>
      send(by, name, { ...good, body: { ...asserted(body, assertion), ...more } }),
  }
}

/** Faults of a passkey, in the order of the checks. */
const lies: [reason: string, lies: Lies][] = [
  ['form', { flags: { backedUp: true } }],
  ['no-account', { userHandle: Buffer.alloc(64).toString('base64url') }],
  ['unknown', { id: 'AAAA' }],
  ['type', { clientData: { type: 'webauthn.create' } }],
  ['origin', { clientData: { origin: 'https://evil.example' } }],
  ['origin', { clientData: { crossOrigin: true } }],
  ['origin', { clientData: { topOrigin: 'https://evil.example' } }],
  ['rp-id', { rpId: 'evil.example' }],
  ['presence', { flags: { present: false } }],
  ['verification', { flags: { verified: false } }],
  ['algorithm', { id: 'BBBB' }],
  ['signature', { signature: () => new Uint8Array(70) }],
  ['count', { signCount: 1 }],
]

describe('the journey of a passkey', () => {
  test.each<[string, AlgorithmId]>([
    ['ES256', -7],
    ['EdDSA', -8],
    ['RS256', -257],
  ])('goes from its setup to a login and a proof, with %s', async (_, algorithm) => {
    await verifiedAda()
    const headers = await bearer(harness)
    const ask = async (name: EndpointName, body: object, sent = headers) => {
      const { status, body: answer } = await send(harness, name, { body, headers: sent })
      expect([status, answer]).toEqual([200, answer])
      return answer
    }
    const list = async () => (await send(harness, 'list-passkeys', { headers })).body
    expect(await list()).toEqual({ rp_id: 'localhost', user_handle: null, passkeys: [] })

    const creation = await ask('set-up-passkey', { password: ada.password })
    expect(creation).toEqual({
      rp: { id: 'localhost', name: 'Gatehouse' },
      user: { id: expect.stringMatching(/^[\w-]{86}$/), name: ada.email, displayName: 'Ada' },
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      pubKeyCredParams: [-7, -8, -257].map(alg => ({ type: 'public-key', alg })),
      timeout: 300_000,
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
    })
    const device = authenticator({ algorithm })
    const created = device.create(creation)
    const confirmed = await ask('confirm-passkey', { credential: created, label: 'Phone' })
    const passkey = {
      ...{ id: created.id, label: 'Phone', created_at: deps.now().toISOString(), last_used_at: null, is_synced: true },
    }
    expect(confirmed).toEqual(passkey)
    expect(await list()).toEqual({ rp_id: 'localhost', user_handle: creation.user.id, passkeys: [passkey] })
    const again = await ask('set-up-passkey', { password: ada.password })
    const described = [{ type: 'public-key', id: created.id, transports: ['hybrid', 'internal'] }]
    expect(again.excludeCredentials).toEqual(described)

    const options = await ask('passkey-login-options', {})
    const request = { rpId: 'localhost', timeout: 300_000, userVerification: 'required' }
    expect(options).toEqual({ challenge: expect.stringMatching(/^[\w-]{43}$/), ...request })
    const login = await ask('passkey-login', { assertion: device.get(options), session: {} })
    expect(decodeJwt(login.access_token)).toMatchObject({
      ...{ email: ada.email, amr: ['pop', 'user', 'mfa'], auth_time: deps.now().getTime() / 1000 },
    })
    expect((await list()).passkeys).toEqual([{ ...passkey, last_used_at: '2026-03-01T00:00:00.000Z' }])
    const renamed = await ask('rename-passkey', { id: created.id, label: 'Grey phone' })
    expect(renamed.label).toBe('Grey phone')

    const own = { authorization: `Bearer ${login.access_token}` }
    const proof = await ask('passkey-proof-options', { for: 'passkeys/remove' }, own)
    expect(proof).toEqual({ challenge: expect.any(String), ...request, allowCredentials: described })
    const removed = await ask('remove-passkey', { id: created.id, assertion: device.get(proof) }, own)
    expect(decodeJwt(removed.access_token)).toMatchObject({ amr: ['pop', 'user', 'mfa'] })
    // Its session continues, and has its methods.
    const { access_token } = await ask('refresh', { refresh_token: removed.refresh_token })
    expect(decodeJwt(access_token)).toMatchObject({ amr: ['pop', 'user', 'mfa'] })
    expect((await send(harness, 'list-passkeys', { headers })).status).toBe(401)
  })

  test('names the address where the account has no name', async () => {
    await verifiedAda('')
    const sent = { headers: await bearer(harness), body: { password: ada.password } }
    expect((await send(harness, 'set-up-passkey', sent)).body.user).toMatchObject({
      ...{ name: ada.email, displayName: ada.email },
    })
  })

  test('draws challenges for what takes them, and for nothing else', async () => {
    expect(
      takers
        .filter(name => !isLogin(name))
        .map(purposeOf)
        .sort(),
    ).toEqual([...proofPurposes].sort())
    await verifiedAda()
    await addPasskey(harness)
    const headers = await bearer(harness)
    for (const purpose of ['login', 'passkeys/confirm', '/auth/change-password', 'confirm-email-change', '', 7, null]) {
      const { status, body } = await send(harness, 'passkey-proof-options', { headers, body: { for: purpose } })
      expect([status, body.errors[0].pointer]).toEqual([422, '/for'])
    }
  })
})

describe.each(takers)('%s', name => {
  test('takes a passkey, and tells how its owner has proven who they are', async () => {
    const { assert, sendIt } = await holder(name)
    harness.advance(60_000)
    const { status, body } = await sendIt(await assert())
    expect(status).toBe(success(name))
    const now = deps.now().getTime() / 1000
    if ('access_token' in body)
      expect(decodeJwt(body.access_token)).toMatchObject({ amr: ['pop', 'user', 'mfa'], auth_time: now })
    if (name !== 'set-up-second-factor') return
    // Confirming the app has used both.
    const { code } = appOf(harness, bytesOfBase32(body.secret))
    const sent = { headers: await bearer(harness), body: { code: code() } }
    const { body: confirmed } = await send(harness, 'confirm-second-factor', sent)
    expect(decodeJwt(confirmed.access_token)).toMatchObject({ amr: ['pop', 'user', 'otp', 'mfa'] })
  })

  test('takes an assertion once, of many requests at once too', async () => {
    const { assert, sendIt } = await holder(name)
    const assertion = await assert()
    const length = name === 'passkey-login' ? 50 : 5
    // None calls the tables before all of them do: the first could revoke the others' token.
    const together = Promise.withResolvers<void>()
    let calling = 0
    harness.beforeCall = () => {
      calling += 1
      if (calling === length) together.resolve()
      return together.promise
    }
    const answers = await Promise.all(Array.from({ length }, () => sendIt(assertion)))
    const good = answers.filter(({ status }) => status < 300)
    expect(good).toHaveLength(1)
    const refused = answers.filter(({ status }) => status >= 300).map(codeOf)
    for (const each of refused) expect(each).toEqual(invalidChallenge)
  })

  test('refuses with 422 a second proof, none, and an assertion of another shape', async () => {
    const { good, sendIt } = await holder(name)
    const complaints = async (body: object) => {
      const answer = await send(harness, name, { ...good, body })
      return [answer.status, answer.body.errors?.map(({ pointer }: { pointer: string }) => pointer)]
    }
    const assertion = memberExamples.assertion as { id: string; response: object }
    const rest = asserted(good.body, assertion)
    const typed = membersOf(name).filter(member => /^(email|(current_)?password|code)$/.test(member))
    for (const member of typed) {
      for (const value of [memberExamples[member as keyof typeof memberExamples], '', null])
        expect(await complaints({ ...rest, [member]: value })).toEqual([422, [`/${member}`]])
    }
    const { assertion: _, ...none } = rest
    const missing = typed.length > 0 ? typed.filter(member => member !== 'code') : ['assertion']
    for (const body of [none, { ...rest, assertion: null }]) {
      expect(await complaints(body)).toEqual([422, missing.map(member => `/${member}`)])
    }

    const { response } = assertion
    for (const [pointer, wrong] of [
      ['', 'x'],
      ['', []],
      ['/id', { ...assertion, id: `${assertion.id}=`, rawId: `${assertion.id}=` }],
      ['/rawId', { ...assertion, rawId: 'AAAA' }],
      ['/response', { ...assertion, response: [] }],
      ['/response/signature', { ...assertion, response: { ...response, signature: 'a b' } }],
      ['/response/userHandle', { ...assertion, response: { ...response, userHandle: 7 } }],
    ] as const) {
      const { status, body } = await sendIt(wrong)
      expect([status, body.errors[0].pointer]).toEqual([422, `/assertion${pointer}`])
    }
  })

  test('refuses a passkey with its reason, and spends and writes nothing', async () => {
    const { device, passkey, sendIt } = await holder(name)
    // On a curve that is not offered.
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
    const odd = { ...passkey, id: 'BBBB', publicKey: publicKey.export({ format: 'der', type: 'spki' }) }
    const account = await find(harness)
    const added = changeOf(account, { kind: 'passkey', hash: 'x', hasLink: true }, deps.now())
    await deps.passkeys.add(account, odd, added, deps.now())
    const options = await draw(name)
    const before = await find(harness)
    const known = { account_id: before.id }
    for (const [told, each] of lies) {
      harness.events.length = 0
      const { status, headers, body } = await sendIt(device.get(options, each))
      // A proof is for the token's account, whose passkey has another handle.
      const reason = told === 'no-account' && !isLogin(name) ? 'unknown' : told
      const due = isLogin(name) ? 401 : 400
      expect(body).toEqual({
        ...{ type: 'about:blank', title: expect.any(String), status: due, detail: 'This passkey does not work here' },
        ...{ code: 'wrong-passkey', reason },
      })
      const of = ['form', 'no-account'].includes(told) ? {} : known
      expect(harness.events).toEqual([
        { event: 'passkey-refused', reason, ...of },
        ...(reason === 'origin' ? [{ event: 'passkey-origin-refused', ...of }] : []),
        ...(reason === 'count' ? [{ event: 'passkey-copied', ...of }] : []),
      ])
      expect([status, headers['www-authenticate']]).toEqual([due, isLogin(name) ? 'Bearer' : undefined])
      expect(await find(harness)).toEqual(before)
    }
    expect((await sendIt(device.get(options))).status).toBe(success(name))
  })

  test('checks in the order: limit, token, shape, whether there are any, challenge, passkey, account', async () => {
    const { assert, good, sendIt, passkey } = await holder(name)
    const refused = async (assertion: unknown) => codeOf(await sendIt(assertion))
    const x = { clientData: { challenge: 'x' } }
    const forged = { signature: () => new Uint8Array(70) }
    const wrong = [isLogin(name) ? 401 : 400, 'wrong-passkey']
    harness.config.passkeyRpId = null
    const shaped = memberExamples.assertion

    harness.config.rateLimits = parseRateLimits(`${name}=1/hour`) as typeof harness.config.rateLimits
    const bare = { ...good, headers: isLogin(name) ? good.headers : {}, body: asserted(good.body, 7) }
    const first = codeOf(await send(harness, name, bare))
    expect(first).toEqual(isLogin(name) ? [422, 'invalid-body'] : [401, 'not-authenticated'])
    expect(codeOf(await send(harness, name, bare))).toEqual([429, 'too-many-requests'])
    harness.config.rateLimits = null
    expect(await refused(7)).toEqual([422, 'invalid-body'])
    expect(await refused(shaped)).toEqual([403, 'passkeys-off'])
    allowPasskeys(harness)
    // Unreadable input has no challenge.
    expect(await refused(await assert({ ...x, flags: { backedUp: true } }))).toEqual(wrong)
    expect(await refused(await assert({ ...x, ...forged, id: 'AAAA' }))).toEqual(invalidChallenge)

    const { find: read } = deps.accounts
    const { findHolder } = deps.passkeys
    // Each fault hides those after it.
    let faults = ['locked', 'unverified', 'full']
    const spoilt = <T extends Account | null>(account: T): T =>
      account && {
        ...account,
        ...(faults.includes('locked') && isLogin(name) && { lockedAt: deps.now() }),
        ...(faults.includes('unverified') && { isVerified: false }),
        ...(faults.includes('full') && { passkeys: [...account.passkeys, ...Array(maxPasskeys).fill(passkey)] }),
      }
    deps.accounts.find = async email => spoilt(await read(email))
    deps.passkeys.findHolder = async handle => spoilt(await findHolder(handle))
    harness.config.requireEmailVerification = true

    // Nothing else is checked of a row that renews a token.
    const unverified = [403, 'email-not-verified']
    expect(await refused(await assert(forged))).toEqual(renewsToken(rows[name]) ? unverified : wrong)
    if (isLogin(name)) expect(await refused(await assert())).toEqual([403, 'account-locked'])
    faults = ['unverified', 'full']
    const asksVerified = isLogin(name) || ['set-up-passkey', 'set-up-second-factor'].includes(name)
    if (asksVerified) expect(await refused(await assert())).toEqual(unverified)
    faults = ['full']
    expect(await refused(await assert(forged))).toEqual(wrong)
    if (name === 'set-up-passkey') expect(await refused(await assert())).toEqual([400, 'too-many-passkeys'])
    faults = []
    const assertion = await assert()
    // Everything that may fail comes before the challenge is spent.
    if (rows[name].issuesToken || name === 'set-up-second-factor') {
      const fail = async () => {
        throw new DomainError('unavailable')
      }
      const signer = { ...deps.signer, sign: fail }
      const factorKey = { ...deps.factorKey, encrypt: fail }
      const failing = { ...harness, deps: { ...deps, signer, factorKey } }
      // With a session, if requested, and without.
      for (const more of [{}, { session: undefined }])
        expect(codeOf(await sendIt(assertion, failing, more))).toEqual([503, 'unavailable'])
    }
    expect((await sendIt(assertion)).status).toBe(success(name))
  })

  test.each([
    ['what is noted of the passkey', 2],
    ['what it was for', 3],
  ])('that dies after it has spent the challenge, before it writes %s, has done nothing', async (_, last) => {
    const { assert, sendIt } = await holder(name)
    const assertion = await assert()
    const { passkeys, ...before } = await find(harness)
    let writes = 0
    harness.beforeCall = command => {
      if (/^(?:Put|Update|Delete|Transact)/.test(command)) writes += 1
      if (writes >= last) throw new Error('killed')
    }
    expect((await sendIt(assertion)).status).toBe(503)
    harness.beforeCall = () => {}
    const { passkeys: after, ...account } = await find(harness)
    // Except the store's own time of the last write.
    expect({ ...account, updatedAt: null }).toEqual({ ...before, updatedAt: null })
    if (last === 2) expect(after).toEqual(passkeys)
    expect(codeOf(await sendIt(assertion))).toEqual(invalidChallenge)
    expect((await sendIt(await assert())).status).toBe(success(name))
  })

  test('refuses passkeys of another domain', async () => {
    const { assert, sendIt } = await holder(name)
    const assertion = await assert()
    harness.config.passkeyRpId = 'example.com'
    const { body } = await sendIt(assertion)
    expect([body.code, body.reason]).toEqual(['wrong-passkey', 'unknown'])
  })

  test('is neither stopped by guesses at password and code, nor clears them', async () => {
    const { assert, sendIt, limits } = await holder(name, true)
    for (let i = 0; i < wrongCodesInARow; i++) await deps.factors.addWrongCode(await find(harness), `${i}`, deps.now())
    harness.config.rateLimits = limits
    const logIn = (password: string) => send(harness, 'login', { body: { ...ada, password } })
    for (let i = 0; i < guessing.pair.limit; i++) await logIn('wrong horse')
    expect((await sendIt(await assert())).status).toBe(success(name))
    expect((await logIn(ada.password)).status).toBe(429)
    if (['delete-account', 'remove-second-factor'].includes(name)) return
    expect((await find(harness)).wrongCodes).toBe(wrongCodesInARow)
  })
})

describe('authorize, by a passkey,', () => {
  test.each([
    ['prompt=login', { prompt: 'login' }],
    ['max_age=0', { max_age: '0' }],
  ])('satisfies %s: it is used now', async (_, asked) => {
    const { assert, good } = await holder('authorize')
    const body = { ...asserted(good.body, await assert()), request: shopQuery(asked) }
    const authTime = deps.now()
    const { body: answer } = await send(harness, 'authorize', { ...good, body })
    const code = new URL(answer.location).searchParams.get('code') ?? ''
    expect(await deps.grants.find(grantKey(code))).toMatchObject({ authTime, amr: ['pop', 'user', 'mfa'] })
  })

  test('is refused to the application where another person was meant, and is spent', async () => {
    const { assert, good } = await holder('authorize')
    const request = shopQuery({ id_token_hint: await idToken(harness, { aud: 'shop', sub: 'another' }) })
    const body = { ...asserted(good.body, await assert()), request }
    const { body: answer } = await send(harness, 'authorize', { ...good, body })
    expect(new URL(answer.location).searchParams.get('error')).toBe('login_required')
    expect(codeOf(await send(harness, 'authorize', { ...good, body }))).toEqual(invalidChallenge)
  })
})

test('where there are none, the list says so, and passkeys can be removed', async () => {
  await verifiedAda()
  const { passkey } = await addPasskey(harness)
  harness.config.passkeyRpId = null
  const headers = await bearer(harness)
  const { body } = await send(harness, 'list-passkeys', { headers })
  expect(body).toMatchObject({ rp_id: null, user_handle: expect.any(String), passkeys: [{ id: passkey.id }] })
  const { id } = passkey
  expect((await send(harness, 'rename-passkey', { headers, body: { id, label: 'Old' } })).status).toBe(200)
  const removed = await send(harness, 'remove-passkey', { headers, body: { id, password: ada.password } })
  expect(decodeJwt(removed.body.access_token)).toMatchObject({ amr: ['pwd'] })
})
