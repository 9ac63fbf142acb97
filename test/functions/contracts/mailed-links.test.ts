import { describe, expect, test } from 'vitest'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { bearer, send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, lastMessage, register, requestToken } from '../../support/service/people.ts'
import { badEmails, badNewPasswords, complaints, detailOf } from './refusals.ts'

const harness = createHarness()

describe.each([
  ['forgot-password', 'If an account with this email exists, a password reset link has been sent.'],
  ['resend-verification', 'If an unverified account with this email exists, a verification link has been sent.'],
] as const)('%s', (name, message) => {
  test('answers alike whether or not there is an account', async () => {
    await register(harness)
    harness.calls.length = 0
    const answers = [
      await send(harness, name, { body: { email: ada.email }, clientAddress: '203.0.113.1' }),
      await send(harness, name, { body: { email: 'bob@example.com' }, clientAddress: '203.0.113.2' }),
    ]
    const [known, unknown] = answers
    expect(known?.body).toEqual({ message, success: true })
    expect(known).toEqual(unknown)
    const calls = ['UpdateItem RateLimits', 'UpdateItem RateLimits', 'SendMessage']
    expect(harness.calls).toEqual([...calls, ...calls])
  })

  test('puts a fresh token on the queue each time, for the canonical address', async () => {
    for (const email of ['Ada@Example.com', ada.email]) await send(harness, name, { body: { email } })
    const [first, second] = harness.queue.map(({ message }) => message)
    expect(first).toEqual({
      kind: name === 'forgot-password' ? 'reset' : 'verification',
      email: ada.email,
      token: expect.stringMatching(/^[\w-]{43}$/),
      requested_at: harness.deps.now().getTime(),
      is_excess: false,
    })
    expect(second?.token).not.toBe(first?.token)
    expect(harness.queue.map(({ delaySeconds }) => delaySeconds)).toEqual([0, 0])
  })

  test('refuses with 422 what is no address', async () => {
    await register(harness)
    for (const email of badEmails) expect(await complaints(harness, name, { email })).toEqual([422, ['/email']])
  })
})

describe.each([
  ['register', 'verify-email'],
  ['resend-verification', 'verify-email'],
  ['forgot-password', 'reset-password'],
] as const)('on the way to an application, the link of %s', (name, path) => {
  const linkFor = async (client_id: unknown) => {
    await harness.clear()
    if (name !== 'register') await register(harness)
    harness.advance(1000)
    harness.mails.length = 0
    const { status } = await send(harness, name, { body: { ...ada, client_id } })
    expect(status).toBeLessThan(300)
    await deliverMail(harness.deps, lastMessage(harness), harness.deps.now())
    return /https:\/\/\S+/.exec(harness.mails.at(-1)?.text ?? '')?.[0]
  }
  const plain = expect.stringMatching(new RegExp(`/${path}\\?token=[\\w-]{43}$`))

  test('leads back to it', async () => {
    expect(await linkFor('shop')).toMatch(new RegExp(`/${path}\\?token=[\\w-]{43}&client=shop$`))
    harness.config.languages = ['en', 'de']
    expect(await linkFor('shop')).toMatch(/&client=shop$/)
  })

  test('leads to none that is not listed', async () => {
    for (const client_id of ['Shop', '', 'x&token=y', 'constructor']) expect(await linkFor(client_id)).toEqual(plain)
  })

  test('leads to none where there are none: there the member is unknown', async () => {
    harness.config.hasClients = false
    for (const client_id of ['shop', 7, null]) expect(await linkFor(client_id)).toEqual(plain)
  })

  test('is refused with 422 if the application is no text', async () => {
    await register(harness)
    for (const client_id of [7, null, {}, ['shop']]) {
      expect(await complaints(harness, name, { ...ada, client_id })).toEqual([422, ['/client_id']])
    }
  })
})

describe('verify-email', () => {
  const verify = (token: unknown) => send(harness, 'verify-email', { body: { token } })

  test('marks the account verified, once', async () => {
    const { token } = await register(harness)
    expect((await verify(token)).body).toEqual({
      message: 'Email verified successfully. You can now log in.',
      success: true,
    })
    expect((await send(harness, 'get-me', { headers: await bearer(harness) })).body.is_verified).toBe(true)
    expect(await detailOf(verify(token))).toEqual([400, 'Invalid or expired verification token'])
  })

  test('refuses an expired token', async () => {
    const { token } = await register(harness)
    harness.advance(24 * 60 * 60_000)
    expect(await detailOf(verify(token))).toEqual([400, 'Invalid or expired verification token'])
  })

  test.each(['', 'nonsense', '\0', 'x'.repeat(10_000)])('refuses the token %#', async token => {
    expect(await detailOf(verify(token))).toEqual([400, 'Invalid or expired verification token'])
  })

  test('refuses with 422 what has another shape', async () => {
    await register(harness)
    for (const token of [undefined, null, 1, {}, []]) {
      expect(await complaints(harness, 'verify-email', { token })).toEqual([422, ['/token']])
    }
  })

  test('takes the token that a registration put on the queue', async () => {
    await send(harness, 'register', { body: ada })
    expect((await verify(lastMessage(harness).token)).status).toBe(200)
  })
})

describe('reset-password', () => {
  const reset = (body: object) => send(harness, 'reset-password', { body })

  test('replaces the password, once', async () => {
    await register(harness)
    const body = { token: await requestToken(harness, 'reset'), new_password: 'battery staple' }
    expect((await reset(body)).body).toEqual({
      message: 'Password has been reset successfully. You can now log in.',
      success: true,
    })
    expect((await send(harness, 'login', { body: { ...ada, password: 'battery staple' } })).status).toBe(200)
    expect(await detailOf(reset(body))).toEqual([400, 'Invalid or expired reset token'])
  })

  test('refuses an expired token', async () => {
    await register(harness)
    const token = await requestToken(harness, 'reset')
    harness.advance(60 * 60_000)
    expect(await detailOf(reset({ token, new_password: 'battery staple' }))).toEqual([
      400,
      'Invalid or expired reset token',
    ])
  })

  test.each(['', 'nonsense', '\0', '\ud800', "' OR 1=1 --", 'x'.repeat(10_000)])(
    'refuses the token %#',
    async token => {
      expect(await detailOf(reset({ token, new_password: 'battery staple' }))).toEqual([
        400,
        'Invalid or expired reset token',
      ])
    },
  )

  test('checks the password before the token', async () => {
    expect(await detailOf(reset({ token: '', new_password: 'seven77' }))).toEqual([
      400,
      'Password must be at least 8 characters',
    ])
    expect((await reset({ token: '', new_password: 'x'.repeat(257) })).status).toBe(422)
    expect(harness.calls.filter(call => call.includes('Accounts'))).toEqual([])
  })

  test('refuses with 422 what has another shape', async () => {
    await register(harness)
    const good = { token: 'x', new_password: 'battery staple' }
    for (const token of [undefined, null, 1, {}, []]) {
      expect(await complaints(harness, 'reset-password', { ...good, token })).toEqual([422, ['/token']])
    }
    for (const new_password of badNewPasswords) {
      expect(await complaints(harness, 'reset-password', { ...good, new_password })).toEqual([422, ['/new_password']])
    }
  })

  test('ends all tokens that were issued before', async () => {
    await register(harness)
    const headers = await bearer(harness)
    await reset({ token: await requestToken(harness, 'reset'), new_password: 'battery staple' })
    expect(await detailOf(send(harness, 'get-me', { headers }))).toEqual([401, 'Invalid or expired token'])
  })
})
