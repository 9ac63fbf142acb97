import { describe, expect, test } from 'vitest'
import { deliverMail } from '../../shared/accounts/mail/worker.ts'
import { lifetimes } from '../../shared/accounts/tokens/lifetimes.ts'
import { bearer, send } from '../support/service/endpoints.ts'
import { createHarness } from '../support/service/harness.ts'
import { ada, find, lastMessage, register, requestToken } from '../support/service/people.ts'

/** The specification's exact contract for each endpoint. */

const harness = createHarness()

const detailOf = async (answer: ReturnType<typeof send>) => {
  const { status, body } = await answer
  return [status, body.detail]
}

/** How a request with one member changed is refused: 422, with the member's pointer. */
async function complaints(name: Parameters<typeof send>[1], body: object): Promise<[number, string[]]> {
  harness.config.rateLimits = null
  const answer = await send(harness, name, { body, headers: await bearer(harness) })
  return [answer.status, (answer.body.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)]
}

const badEmails = [undefined, null, 1, true, [], {}, '', 'ada', 'a@b', 'a..b@x.com', '"a b"@x.com', 'a@[127.0.0.1]']
const badNames = [1, true, [], {}, 'line\nbreak', 'nul\0', '\u0085', '\u202e', '\ud800', 'x'.repeat(201)]

/** Invisible characters that change how the text around them reads. */
const misleading = '200b feff 2028 2029 202a 202b 202c 202d 202e 2066 2067 2068 2069'.split(' ')
const badNewPasswords = [undefined, null, 12345678, {}, ['correct horse'], `${'x'.repeat(20)}\ud800`, 'x'.repeat(257)]

describe('register', () => {
  const body = { ...ada, name: 'Ada' }

  test('opens an account and returns it without its password', async () => {
    const answer = await send(harness, 'register', { body })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: 'ada@example.com',
      name: 'Ada',
      is_admin: false,
      is_verified: false,
      created_at: '2026-03-01T12:00:00.000Z',
    })
  })

  test.each(['ada@example.com', ' ADA@Example.Com '])('refuses %s when it is registered', async email => {
    await send(harness, 'register', { body })
    expect(await detailOf(send(harness, 'register', { body: { ...body, email } }))).toEqual([
      400,
      'Email already registered',
    ])
  })

  test('marks the configured address an administrator, in any case', async () => {
    const answer = await send(harness, 'register', { body: { ...ada, email: 'ADMIN@example.com' } })
    expect(answer.body).toMatchObject({ email: 'admin@example.com', is_admin: true })
  })

  test('refuses a password under 8 characters', async () => {
    expect(await detailOf(send(harness, 'register', { body: { ...body, password: 'seven77' } }))).toEqual([
      400,
      'Password must be at least 8 characters',
    ])
  })

  test.each([
    ['absent', {}, null],
    ['null', { name: null }, null],
    ['empty', { name: '' }, ''],
    ['200 characters outside the basic plane', { name: '🏰'.repeat(200) }, '🏰'.repeat(200)],
  ])('takes a name that is %s', async (_, name, stored) => {
    const answer = await send(harness, 'register', { body: { ...ada, ...name } })
    expect(answer.status).toBe(201)
    expect(answer.body.name).toBe(stored)
  })

  test.each([
    ['U+200C in Persian', 'نوش\u200cآفرین'],
    ['U+200D in emoji', '👩\u200d👩\u200d👧'],
  ])('takes %s in a name', async (_, name) => {
    const answer = await send(harness, 'register', { body: { ...ada, name } })
    expect([answer.status, answer.body.name]).toEqual([201, name])
  })

  test.each(misleading)('refuses U+%s in a name, which would mislead in lists and mails', async code => {
    const name = `Ada${String.fromCodePoint(Number.parseInt(code, 16))}Lovelace`
    expect(await detailOf(send(harness, 'register', { body: { ...ada, name } }))).toEqual([
      422,
      "'name' must not contain zero-width spaces, line separators or direction controls",
    ])
  })

  test.each(['x'.repeat(256), '🔑'.repeat(256), '        ', 'contraseña', '\0\0\0\0\0\0\0\0'])(
    'takes any password of 8 to 256 characters: %#',
    async password => {
      expect((await send(harness, 'register', { body: { ...ada, password } })).status).toBe(201)
      expect((await send(harness, 'login', { body: { ...ada, password } })).status).toBe(200)
    },
  )

  test('counts the characters of a password after its normalisation', async () => {
    const seven = 'é'.repeat(7).normalize('NFD')
    expect(seven).toHaveLength(14)
    expect((await send(harness, 'register', { body: { ...ada, password: seven } })).status).toBe(400)
  })

  test('refuses with 422 what has another shape, by member', async () => {
    await register(harness, { email: 'me@example.com', password: 'correct horse' })
    const headers = await bearer(harness, 'me@example.com')
    const refused = async (changes: object) => {
      const { status, body: problem } = await send(harness, 'register', { body: { ...body, ...changes }, headers })
      return [status, problem.errors?.map(({ pointer }: { pointer: string }) => pointer)]
    }
    for (const email of badEmails) expect(await refused({ email }), String(email)).toEqual([422, ['/email']])
    for (const name of badNames) expect(await refused({ name }), String(name)).toEqual([422, ['/name']])
    for (const password of badNewPasswords) {
      expect(await refused({ password }), String(password)).toEqual([422, ['/password']])
    }
    expect(await refused({ email: 1, password: 1, name: 1 })).toEqual([422, ['/email', '/password', '/name']])
    expect(await harness.items('Users')).toHaveLength(1)
  })

  test('tells what is missing and what is wrong in a sentence', async () => {
    const answer = await send(harness, 'register', { body: { email: 'ada' } })
    expect(answer.body).toEqual({
      type: 'about:blank',
      title: 'Unprocessable Content',
      status: 422,
      detail: "'email' must be an e-mail address, such as ada@example.com (and 1 more)",
      code: 'invalid-body',
      errors: [
        { pointer: '/email', detail: 'must be an e-mail address, such as ada@example.com' },
        { pointer: '/password', detail: 'is required' },
      ],
    })
  })
})

describe('login', () => {
  test('issues a bearer token that expires after the configured minutes', async () => {
    await register(harness)
    harness.config.accessTokenMinutes = 30
    const { status, body } = await send(harness, 'login', { body: ada })
    expect(status).toBe(200)
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'bearer',
      expires_in: 1800,
    })
    const headers = { authorization: `Bearer ${body.access_token}` }
    expect((await send(harness, 'get-me', { headers })).body.email).toBe(ada.email)
  })

  test.each([
    ['a wrong password', { ...ada, password: 'wrong horse' }],
    ['an empty password', { ...ada, password: '' }],
    ['a password over 256 characters', { ...ada, password: 'x'.repeat(257) }],
    ['a password that is no text in Unicode', { ...ada, password: '\ud800' }],
    ['an unknown address', { ...ada, email: 'bob@example.com' }],
  ])('refuses %s in the same words', async (_, body) => {
    await register(harness)
    const answer = await send(harness, 'login', { body })
    expect([answer.status, answer.body.detail]).toEqual([401, 'Incorrect email or password'])
    expect(answer.headers['www-authenticate']).toBe('Bearer')
  })

  test('finds the account whatever the case of the address', async () => {
    await register(harness)
    expect((await send(harness, 'login', { body: { ...ada, email: ' Ada@EXAMPLE.com' } })).status).toBe(200)
  })

  test('refuses an unverified account while verification is required', async () => {
    await register(harness)
    harness.config.requireEmailVerification = true
    expect(await detailOf(send(harness, 'login', { body: ada }))).toEqual([
      403,
      'Please verify your email address before logging in',
    ])
  })

  test('tells that an account is locked only to a caller who knows its password', async () => {
    const { account } = await register(harness)
    await harness.operator.lock(account, harness.deps.now())
    const { status, body } = await send(harness, 'login', { body: ada })
    expect([status, body.code, body.detail]).toEqual([403, 'account-locked', 'This account is locked'])
    expect(await detailOf(send(harness, 'login', { body: { ...ada, password: 'wrong horse' } }))).toEqual([
      401,
      'Incorrect email or password',
    ])
    await harness.operator.unlock(account, harness.deps.now())
    expect((await send(harness, 'login', { body: ada })).status).toBe(200)
  })

  test('checks the shape, the limits, the credentials, the lock and the verification, in this order', async () => {
    const { token, account } = await register(harness)
    harness.config.requireEmailVerification = true
    await harness.operator.lock(account, harness.deps.now())
    for (let i = 0; i < 10; i++) await send(harness, 'login', { body: { ...ada, password: 'wrong horse' } })
    expect((await send(harness, 'login', { body: { email: ada.email } })).status).toBe(422)
    expect((await send(harness, 'login', { body: ada })).status).toBe(429)
    harness.advance(15 * 60 * 1000)
    expect((await send(harness, 'login', { body: { ...ada, password: 'wrong horse' } })).status).toBe(401)
    expect((await send(harness, 'login', { body: ada })).body.code).toBe('account-locked')
    await harness.operator.unlock(account, harness.deps.now())
    expect((await send(harness, 'login', { body: ada })).body.code).toBe('email-not-verified')
    await send(harness, 'verify-email', { body: { token } })
    expect((await send(harness, 'login', { body: ada })).status).toBe(200)
  })

  test('says which limit on guessing was exceeded, besides its own', async () => {
    for (let i = 0; i < 10; i++) await send(harness, 'login', { body: ada })
    const early = await send(harness, 'login', { body: ada })
    expect([early.body.detail, early.headers['retry-after']]).toEqual(['Another login is being checked', '1'])
    harness.advance(2000)
    const { headers, body } = await send(harness, 'login', { body: ada })
    expect(body.code).toBe('too-many-requests')
    expect(headers['ratelimit-policy']).toBe('"login";q=60;w=60, "failed-logins-pair";q=10;w=900')
    expect(headers.ratelimit).toBe('"login";r=48;t=58, "failed-logins-pair";r=0;t=898')
    expect(headers['retry-after']).toBe('898')
  })

  test('refuses with 422 what has another shape', async () => {
    await register(harness)
    for (const email of badEmails) expect(await complaints('login', { ...ada, email })).toEqual([422, ['/email']])
    for (const password of [undefined, null, 1, {}, []]) {
      expect(await complaints('login', { ...ada, password })).toEqual([422, ['/password']])
    }
  })
})

describe('the current account', () => {
  test('is returned as it is stored', async () => {
    const { account } = await register(harness)
    const { status, body } = await send(harness, 'get-me', { headers: await bearer(harness) })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: account.id,
      email: ada.email,
      name: 'Ada',
      is_admin: false,
      is_verified: false,
      created_at: '2026-03-01T12:00:00.000Z',
    })
  })

  test.each([
    ['a name', { name: 'Countess' }, 'Countess'],
    ['an empty name', { name: '' }, ''],
    ['null', { name: null }, 'Ada'],
    ['nothing', {}, 'Ada'],
  ])('is updated with %s', async (_, body, name) => {
    await register(harness)
    const answer = await send(harness, 'update-me', { body, headers: await bearer(harness) })
    expect(answer.status).toBe(200)
    expect(answer.body.name).toBe(name)
    expect((await find(harness)).name).toBe(name)
  })

  test('is not updated with a name of another shape', async () => {
    await register(harness)
    for (const name of badNames) expect(await complaints('update-me', { name })).toEqual([422, ['/name']])
    expect((await find(harness)).name).toBe('Ada')
  })

  test('is not returned for a token outside the Authorization field', async () => {
    await register(harness)
    const { authorization = '' } = await bearer(harness)
    const token = authorization.replace('Bearer ', '')
    expect((await send(harness, 'update-me', { body: { name: 'Eve', access_token: token } })).status).toBe(401)
    expect(
      (await send(harness, 'get-me', { headers: { cookie: `access_token=${token}`, 'x-access-token': token } })).status,
    ).toBe(401)
  })
})

describe.each([
  ['forgot-password', 'If an account with this email exists, a password reset link has been sent.'],
  ['resend-verification', 'If an unverified account with this email exists, a verification link has been sent.'],
] as const)('%s', (name, message) => {
  test('answers alike whether or not there is an account', async () => {
    await register(harness)
    harness.calls.length = 0
    const answers = [
      await send(harness, name, { body: { email: ada.email }, remote: '203.0.113.1' }),
      await send(harness, name, { body: { email: 'bob@example.com' }, remote: '203.0.113.2' }),
    ]
    const [known, unknown] = answers
    expect(known?.body).toEqual({ message, success: true })
    expect(known).toEqual(unknown)
    expect(harness.calls).toEqual(['UpdateItem RateLimits', 'SendMessage', 'UpdateItem RateLimits', 'SendMessage'])
  })

  test('puts a fresh token on the queue each time, for the canonical address', async () => {
    for (const email of ['Ada@Example.com', ada.email]) await send(harness, name, { body: { email } })
    const [first, second] = harness.queue.map(({ message }) => message)
    expect(first).toEqual({
      kind: name === 'forgot-password' ? 'reset' : 'verification',
      email: ada.email,
      token: expect.stringMatching(/^[\w-]{43}$/),
      requested_at: harness.deps.now().getTime(),
    })
    expect(second?.token).not.toBe(first?.token)
    expect(harness.queue.map(({ delaySeconds }) => delaySeconds)).toEqual([0, 0])
  })

  test('refuses with 422 what is no address', async () => {
    await register(harness)
    for (const email of badEmails) expect(await complaints(name, { email })).toEqual([422, ['/email']])
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
    harness.advance(lifetimes.reset)
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
    expect(harness.calls.filter(call => call.includes('Users'))).toEqual([])
  })

  test('refuses with 422 what has another shape', async () => {
    await register(harness)
    const good = { token: 'x', new_password: 'battery staple' }
    for (const token of [undefined, null, 1, {}, []]) {
      expect(await complaints('reset-password', { ...good, token })).toEqual([422, ['/token']])
    }
    for (const new_password of badNewPasswords) {
      expect(await complaints('reset-password', { ...good, new_password })).toEqual([422, ['/new_password']])
    }
  })

  test('ends all tokens that were issued before', async () => {
    await register(harness)
    const headers = await bearer(harness)
    await reset({ token: await requestToken(harness, 'reset'), new_password: 'battery staple' })
    expect(await detailOf(send(harness, 'get-me', { headers }))).toEqual([401, 'Invalid or expired token'])
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
    harness.advance(lifetimes.verification)
    expect(await detailOf(verify(token))).toEqual([400, 'Invalid or expired verification token'])
  })

  test.each(['', 'nonsense', '\0', 'x'.repeat(10_000)])('refuses the token %#', async token => {
    expect(await detailOf(verify(token))).toEqual([400, 'Invalid or expired verification token'])
  })

  test('refuses with 422 what has another shape', async () => {
    await register(harness)
    for (const token of [undefined, null, 1, {}, []]) {
      expect(await complaints('verify-email', { token })).toEqual([422, ['/token']])
    }
  })

  test('takes the token that a registration put on the queue', async () => {
    await send(harness, 'register', { body: ada })
    expect((await verify(lastMessage(harness).token)).status).toBe(200)
  })
})

describe('change-password', () => {
  const body = { current_password: ada.password, new_password: 'battery staple' }
  const change = async (changes: object = {}, headers?: Record<string, string>) =>
    send(harness, 'change-password', { body: { ...body, ...changes }, headers: headers ?? (await bearer(harness)) })

  test('replaces the password, and returns a token that works', async () => {
    await register(harness)
    const { status, body: token } = await change()
    expect([status, token.token_type, token.expires_in]).toEqual([200, 'bearer', 3600])
    const headers = { authorization: `Bearer ${token.access_token}` }
    expect((await send(harness, 'get-me', { headers })).status).toBe(200)
    expect((await send(harness, 'login', { body: { ...ada, password: 'battery staple' } })).status).toBe(200)
    expect((await send(harness, 'login', { body: ada })).status).toBe(401)
  })

  test('ends every other access token', async () => {
    await register(harness)
    const [mine, other] = [await bearer(harness), await bearer(harness)]
    await change({}, mine)
    for (const headers of [mine, other])
      expect(await detailOf(send(harness, 'get-me', { headers }))).toEqual([401, 'Invalid or expired token'])
  })

  test('may be to the same password', async () => {
    await register(harness)
    expect((await change({ new_password: ada.password })).status).toBe(200)
  })

  test('refuses a wrong current password, and keeps the token good', async () => {
    await register(harness)
    const headers = await bearer(harness)
    const answer = await change({ current_password: 'wrong horse' }, headers)
    expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
      400,
      'wrong-password',
      'Incorrect current password',
    ])
    expect((await send(harness, 'get-me', { headers })).status).toBe(200)
  })

  test('voids a pending reset link, and those still on the queue', async () => {
    await register(harness)
    const pending = await requestToken(harness, 'reset')
    harness.advance(1)
    await send(harness, 'forgot-password', { body: { email: ada.email } })
    const queued = lastMessage(harness)
    harness.advance(1)
    await change()
    expect(await deliverMail(harness.deps, queued, harness.deps.now())).toBe('dropped')
    for (const token of [pending, queued.token]) {
      const reset = { token, new_password: 'another horse' }
      expect(await detailOf(send(harness, 'reset-password', { body: reset }))).toEqual([
        400,
        'Invalid or expired reset token',
      ])
    }
    harness.advance(1)
    const later = await requestToken(harness, 'reset')
    expect(
      (await send(harness, 'reset-password', { body: { token: later, new_password: 'another horse' } })).status,
    ).toBe(200)
  })

  test('checks the token, the shape, the length, the limits and the password, in this order', async () => {
    await register(harness)
    const headers = await bearer(harness)
    const wrong = { current_password: 'wrong horse' }
    expect((await change({ ...wrong, new_password: 1 }, {})).body.code).toBe('not-authenticated')
    expect((await change({ ...wrong, new_password: 1 }, headers)).body.code).toBe('invalid-body')
    expect((await change({ ...wrong, new_password: 'seven77' }, headers)).body.code).toBe('password-too-short')
    for (let i = 0; i < 10; i++) expect((await change(wrong, headers)).body.code).toBe('wrong-password')
    expect((await change({}, headers)).body.code).toBe('too-many-requests')
    expect((await change({ new_password: 'seven77' }, headers)).body.code).toBe('password-too-short')
  })

  test('shares the count of guesses with login', async () => {
    await register(harness)
    for (let i = 0; i < 10; i++) await send(harness, 'login', { body: { ...ada, password: 'wrong horse' } })
    harness.advance(2000)
    const { status, body, headers } = await change()
    expect([status, body.detail]).toEqual([
      429,
      'Too many failed logins for this address: at most 10 in 15 minutes. Try again in 898 seconds.',
    ])
    expect(headers.ratelimit).toBe('"change-password";r=29;t=58, "failed-logins-pair";r=0;t=898')
  })

  test('does not count a right guess', async () => {
    await register(harness)
    const wrong = { current_password: 'wrong horse' }
    for (let i = 0; i < 9; i++) await change(wrong)
    await change()
    for (let i = 0; i < 9; i++) expect((await change(wrong)).body.code).toBe('wrong-password')
    expect((await send(harness, 'login', { body: { ...ada, password: body.new_password } })).status).toBe(200)
  })

  test('refuses with 422 what has another shape', async () => {
    await register(harness)
    for (const current_password of [undefined, null, 1, [], {}])
      expect(await complaints('change-password', { ...body, current_password })).toEqual([422, ['/current_password']])
    for (const new_password of badNewPasswords)
      expect(await complaints('change-password', { ...body, new_password })).toEqual([422, ['/new_password']])
    for (const current_password of ['', 'x'.repeat(1000), '\ud800'])
      expect(await complaints('change-password', { ...body, current_password })).toEqual([400, []])
  })
})

describe('logout-everywhere', () => {
  const logOut = async (sent: object = {}) =>
    send(harness, 'logout-everywhere', { headers: await bearer(harness), ...sent })

  test('ends every access token, also the one of the request', async () => {
    await register(harness)
    const [mine, other] = [await bearer(harness), await bearer(harness)]
    const { status, body } = await logOut({ headers: mine })
    expect([status, body]).toEqual([200, { message: 'Logged out everywhere.', success: true }])
    for (const headers of [mine, other]) expect((await send(harness, 'get-me', { headers })).status).toBe(401)
    expect((await logOut({ headers: mine })).status).toBe(401)
    expect((await send(harness, 'login', { body: ada })).status).toBe(200)
  })

  test('ignores a body, whatever it is', async () => {
    await register(harness)
    for (const body of ['no JSON', '{}', '[]', { password: 1 }]) expect((await logOut({ body })).status).toBe(200)
    const image = { ...(await bearer(harness)), 'content-type': 'image/png' }
    expect((await logOut({ body: 'x'.repeat(20_000), headers: image })).status).toBe(200)
  })

  test('leaves a pending reset link as it is', async () => {
    await register(harness)
    const token = await requestToken(harness, 'reset')
    await logOut()
    expect((await send(harness, 'reset-password', { body: { token, new_password: 'battery staple' } })).status).toBe(
      200,
    )
  })
})

describe('delete-account', () => {
  const remove = async (body: object = { password: ada.password }, headers?: Record<string, string>) =>
    send(harness, 'delete-account', { body, headers: headers ?? (await bearer(harness)) })

  test('deletes the account and ends its tokens; its address is free again', async () => {
    const { account } = await register(harness)
    const headers = await bearer(harness)
    const { status, body } = await remove({ password: ada.password }, headers)
    expect([status, body]).toEqual([200, { message: 'Your account has been deleted.', success: true }])
    expect(await harness.items('Users')).toEqual([])
    expect((await send(harness, 'get-me', { headers })).status).toBe(401)
    expect((await send(harness, 'login', { body: ada })).status).toBe(401)
    expect((await register(harness)).account.id).not.toBe(account.id)
    expect((await send(harness, 'get-me', { headers })).status).toBe(401)
  })

  test('refuses a wrong password, which counts as a guess', async () => {
    await register(harness)
    const headers = await bearer(harness)
    for (let i = 0; i < 10; i++)
      expect(await detailOf(remove({ password: 'wrong horse' }, headers))).toEqual([400, 'Incorrect current password'])
    expect((await remove(undefined, headers)).status).toBe(429)
    expect((await send(harness, 'login', { body: ada })).status).toBe(429)
    expect(await harness.items('Users')).toHaveLength(1)
  })

  test("refuses an administrator's account, after it checks the shape and before it checks the password", async () => {
    const admin = { ...ada, email: 'admin@example.com' }
    await register(harness, admin)
    const headers = await bearer(harness, admin.email)
    expect((await remove({ password: 1 }, headers)).status).toBe(422)
    const answer = await remove({ password: 'wrong horse' }, headers)
    expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
      403,
      'administrator',
      "An administrator's account cannot be deleted here",
    ])
    expect((await harness.items('RateLimits')).filter(({ key }) => String(key).startsWith('guess'))).toEqual([])
  })

  test('refuses with 422 what has another shape', async () => {
    await register(harness)
    for (const password of [undefined, null, 1, [], {}])
      expect(await complaints('delete-account', { password })).toEqual([422, ['/password']])
    for (const password of ['', 'x'.repeat(1000), '\ud800'])
      expect(await complaints('delete-account', { password })).toEqual([400, []])
  })
})
