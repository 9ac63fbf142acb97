import { decodeJwt } from 'jose'
import { Secret, TOTP, URI } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { bearer, headersOf, send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, find, openSession, protect, register, setUp } from '../../support/service/people.ts'

const harness = createHarness()

const minutes = (count: number) => count * 60_000
const kinds = () => harness.queue.map(({ message }) => message.kind)

/** Ada, verified, without a second factor. */
async function verifiedAda() {
  const { account } = await register(harness)
  await harness.operator.verify(account, harness.deps.now())
  harness.queue.length = 0
}

/** Ada with a second factor. */
async function protectedAda() {
  await verifiedAda()
  return protect(harness)
}

const at = () => ({ timestamp: harness.deps.now().getTime() })
/** The code of an authenticator app after scanning the QR code. */
const shown = (uri: string): string => (URI.parse(uri) as TOTP).generate(at())

const post = async (name: Parameters<typeof send>[1], body: object, headers?: Record<string, string>) =>
  send(harness, name, { body, headers: headers ?? (await bearer(harness)) })
const problem = async (...request: Parameters<typeof post>) => {
  const { status, body } = await post(...request)
  return [status, body.code, body.detail]
}
const state = async () => (await send(harness, 'get-second-factor', { headers: await bearer(harness) })).body

describe('setting up', () => {
  test('takes the code of an app, and answers with tokens and ten recovery codes', async () => {
    await verifiedAda()
    const before = await bearer(harness)
    expect(await state()).toEqual({ methods: [], recovery_codes_left: 0 })
    const { status, body } = await post('set-up-second-factor', { password: ada.password })
    expect([status, Object.keys(body)]).toEqual([200, ['secret', 'uri']])
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(new TOTP({ secret: Secret.fromBase32(body.secret) }).generate(at())).toBe(shown(body.uri))
    expect(await state()).toEqual({ methods: [], recovery_codes_left: 0 })

    const confirmed = await post('confirm-second-factor', { code: shown(body.uri) })
    expect([confirmed.status, Object.keys(confirmed.body)]).toEqual([
      200,
      ['access_token', 'token_type', 'expires_in', 'recovery_codes'],
    ])
    const codes: string[] = confirmed.body.recovery_codes
    expect(new Set(codes).size).toBe(10)
    expect(decodeJwt(confirmed.body.access_token)).toMatchObject({
      amr: ['pwd', 'otp', 'mfa'],
      auth_time: harness.deps.now().getTime() / 1000,
    })
    expect(kinds()).toEqual(['factor-set-up'])
    expect(await state()).toEqual({ methods: ['code', 'recovery'], recovery_codes_left: 10 })
    expect((await send(harness, 'get-me', { headers: before })).status).toBe(401)
    // The code is used up.
    expect((await send(harness, 'login', { body: { ...ada, code: shown(body.uri) } })).body.code).toBe('used-code')
    harness.advance(30_000)
    const login = await send(harness, 'login', { body: { ...ada, code: shown(body.uri) } })
    expect(decodeJwt(login.body.access_token)).toMatchObject({ amr: ['pwd', 'otp', 'mfa'] })
    expect((await send(harness, 'login', { body: { ...ada, code: codes[0] } })).status).toBe(200)
  })

  test('stores neither the secret nor a recovery code as it is', async () => {
    await verifiedAda()
    const { body } = await post('set-up-second-factor', { password: ada.password })
    const { body: confirmed } = await post('confirm-second-factor', { code: shown(body.uri) })
    const [item] = await harness.accountItems()
    const stored = JSON.stringify(item, (_, value) => (value instanceof Set ? [...value] : value))
    const secret = Buffer.from(Secret.fromBase32(body.secret).bytes)
    expect(Buffer.from((item?.totp_secret ?? []) as Uint8Array).includes(secret)).toBe(false)
    for (const code of confirmed.recovery_codes) {
      expect(stored).not.toContain(code)
      expect(stored).not.toContain(code.replaceAll('-', ''))
    }
    expect(JSON.stringify([harness.events, harness.failures])).not.toMatch(/[A-Z2-7]{24}/)
  })

  test('keeps the caller’s session and its methods', async () => {
    await verifiedAda()
    const own = await openSession(harness)
    harness.advance(minutes(2))
    const { body } = await post('set-up-second-factor', { password: ada.password }, headersOf(own.tokens))
    const { body: confirmed } = await post('confirm-second-factor', { code: shown(body.uri) }, headersOf(own.tokens))
    expect(Object.keys(confirmed)).toEqual([
      ...['access_token', 'token_type', 'expires_in', 'refresh_token', 'refresh_expires_in'],
      'recovery_codes',
    ])
    const confirmedAt = harness.deps.now().getTime() / 1000
    harness.advance(minutes(5))
    const renewed = await send(harness, 'refresh', { body: { refresh_token: confirmed.refresh_token } })
    expect(decodeJwt(renewed.body.access_token)).toMatchObject({
      ...{ sid: own.id, amr: ['pwd', 'otp', 'mfa'], auth_time: confirmedAt },
    })
  })

  test.each([
    ['lives until the last second', minutes(15) - 1000, 200],
    ['has ended after 15 minutes', minutes(15), 400],
  ])('%s of its time', async (_, wait, status) => {
    await verifiedAda()
    const { body } = await post('set-up-second-factor', { password: ada.password })
    harness.advance(wait)
    expect((await post('confirm-second-factor', { code: shown(body.uri) })).status).toBe(status)
  })

  test('is replaced by the next; an old factor works until the new is confirmed', async () => {
    const old = await protectedAda()
    const first = await post('set-up-second-factor', { password: ada.password, code: old.code() })
    const second = await post('set-up-second-factor', { password: ada.password, code: old.recoveryCodes[0] })
    harness.advance(30_000)
    expect(await problem('confirm-second-factor', { code: shown(first.body.uri) })).toEqual([
      400,
      'wrong-code',
      'Incorrect code',
    ])
    expect((await send(harness, 'login', { body: { ...ada, code: old.code() } })).status).toBe(200)
    harness.queue.length = 0
    const { body } = await post('confirm-second-factor', { code: shown(second.body.uri) })
    expect(kinds()).toEqual(['factor-replaced'])
    harness.advance(30_000)
    for (const code of [old.code(), old.recoveryCodes[1]])
      expect((await send(harness, 'login', { body: { ...ada, code } })).body.code).toBe('wrong-code')
    expect((await send(harness, 'login', { body: { ...ada, code: body.recovery_codes[1] } })).status).toBe(200)
  })

  test('is refused at an unverified address under all settings, and asks for no mail', async () => {
    await register(harness)
    harness.queue.length = 0
    const setup = { password: ada.password }
    expect((await problem('set-up-second-factor', setup)).slice(0, 2)).toEqual([403, 'email-not-verified'])
    // Only revealed with the right password.
    expect((await problem('set-up-second-factor', { password: 'wrong' })).slice(0, 2)).toEqual([400, 'wrong-password'])
    expect((await find(harness)).pendingFactor).toBeNull()
    expect(kinds()).toEqual([])
  })

  test('is confirmed by no recovery code, nor by the replaced factor’s code', async () => {
    const old = await protectedAda()
    await setUp(harness)
    for (const code of [old.recoveryCodes[0], old.code(), 'x']) {
      expect((await problem('confirm-second-factor', { code: code ?? '' })).slice(1, 2)).toEqual(['wrong-code'])
    }
    expect((await find(harness)).wrongCodes).toBe(2)
  })

  test('counts wrong codes with those of other endpoints, and says nothing about the password', async () => {
    await protectedAda()
    const { code, wrongCode } = await setUp(harness)
    for (let i = 0; i < 5; i++)
      expect((await problem('confirm-second-factor', { code: wrongCode() }))[1]).toBe('wrong-code')
    harness.advance(2000)
    expect((await problem('confirm-second-factor', { code: code() }))[0]).toBe(429)
    const body = { ...ada, code: wrongCode() }
    expect((await send(harness, 'login', { body })).status).toBe(429)
    expect(kinds()).toEqual([])
  })
})

describe('recovery codes', () => {
  test('are replaced by ten others, which no other answer shows', async () => {
    const { code, recoveryCodes } = await protectedAda()
    const { status, body } = await post('renew-recovery-codes', { password: ada.password, code: code() })
    expect([status, Object.keys(body), body.recovery_codes.length]).toEqual([200, ['recovery_codes'], 10])
    const login = (recovery: string) => send(harness, 'login', { body: { ...ada, code: recovery } })
    for (const old of recoveryCodes) expect((await login(old)).body.code).toBe('wrong-code')
    expect((await login(body.recovery_codes[9])).status).toBe(200)
    expect(await state()).toEqual({ methods: ['code', 'recovery'], recovery_codes_left: 9 })
  })
})

describe('removing', () => {
  test('takes password and code, revokes all tokens, and answers with those of a password alone', async () => {
    const { code } = await protectedAda()
    const before = await bearer(harness)
    const { status, body } = await post('remove-second-factor', { password: ada.password, code: code() }, before)
    expect([status, Object.keys(body)]).toEqual([200, ['access_token', 'token_type', 'expires_in']])
    expect(decodeJwt(body.access_token)).toMatchObject({
      amr: ['pwd'],
      auth_time: harness.deps.now().getTime() / 1000,
    })
    expect(kinds()).toEqual(['factor-removed'])
    expect((await send(harness, 'get-me', { headers: before })).status).toBe(401)
    expect((await send(harness, 'login', { body: ada })).status).toBe(200)
    const [item] = await harness.accountItems()
    expect(
      Object.keys(item ?? {}).filter(name => /totp_(secret|last|pending)|recovery_codes|wrong/.test(name)),
    ).toEqual([])
  })

  test('keeps the caller’s session, without the factor', async () => {
    const { recoveryCodes } = await protectedAda()
    const { tokens } = await openSession(harness)
    expect(decodeJwt(tokens.token).amr).toEqual(['pwd', 'otp', 'mfa'])
    const proof = { password: ada.password, code: recoveryCodes[0] }
    const { body } = await post('remove-second-factor', proof, headersOf(tokens))
    const refreshed = await send(harness, 'refresh', { body: { refresh_token: body.refresh_token } })
    expect(decodeJwt(refreshed.body.access_token).amr).toEqual(['pwd'])
  })
})

test('a changed password keeps the factor, and its token says that it was shown', async () => {
  const { code } = await protectedAda()
  const { body } = await post('change-password', {
    ...{ current_password: ada.password, new_password: 'battery staple', code: code() },
  })
  expect(decodeJwt(body.access_token).amr).toEqual(['pwd', 'otp', 'mfa'])
  const login = await send(harness, 'login', { body: { ...ada, password: 'battery staple' } })
  expect([login.status, login.body.code]).toEqual([401, 'second-factor-required'])
})

test('while codes are disabled, the refusal says so, and that recovery codes are left', async () => {
  await protectedAda()
  const account = await find(harness)
  for (let i = 0; i < 100; i++) await harness.deps.factors.addWrongCode(account, `${i}`, harness.deps.now())
  const { status, body } = await post('end-session', { id: 'x', password: ada.password, code: '000000' })
  expect([status, body.code, body.detail, body.methods]).toEqual([
    ...[400, 'codes-disabled', 'Codes are disabled for this account', ['recovery']],
  ])
  expect((await state()).methods).toEqual(['recovery'])
})
