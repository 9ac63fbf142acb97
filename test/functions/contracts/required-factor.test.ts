import { decodeJwt } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { bytesOfBase32 } from '../../../accounts/factor/codes.ts'
import { isRemembered } from '../../../accounts/session/remembered-clients.ts'
import { bearer, send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import {
  ada,
  appOf,
  find,
  home,
  lastMessage,
  newClient,
  protect,
  register,
  requestMove,
} from '../../support/service/people.ts'

/** `SECOND_FACTOR`: its requirements for accounts without a second factor, and how they get one. */

const harness = createHarness()
const { deps } = harness
const minute = 60_000

const logIn = async (body: object = {}) => {
  const answer = await send(harness, 'login', { body: { ...ada, ...body } })
  return [answer.status, answer.body.code, answer.body.setup_token] as const
}

/** Logs in, delivers the queued mail, and returns the token of its link. */
async function askForLink(email: string = ada.email, password: string = ada.password): Promise<string> {
  await send(harness, 'login', { body: { email, password }, clientAddress: newClient() })
  const message = lastMessage(harness)
  expect(message.kind).toBe('second-factor')
  expect(await deliverMail(deps, message, deps.now())).toBe('sent')
  expect(harness.mails.at(-1)?.text).toContain(`https://example.com/second-factor?token=${message.token}\n`)
  return message.token
}

const setupToken = async () => (await logIn({ mail_token: await askForLink() }))[2]

const refused = [403, 'second-factor-setup', undefined]
const givenToken = [403, 'second-factor-setup', expect.any(String)]

beforeEach(async () => {
  harness.config.secondFactor = 'required'
  await register(harness)
})

describe('where everybody needs a second factor, an account without one', () => {
  test('gets no token for its password, but a mail with a link', async () => {
    expect(await logIn()).toEqual(refused)
    expect(lastMessage(harness)).toMatchObject({ kind: 'second-factor', account_id: (await find(harness)).id })
    expect(harness.events.at(-1)).toMatchObject({ event: 'login-failed', reason: 'no-second-factor' })
  })

  test('causes no mail with a wrong password, and says nothing of it', async () => {
    harness.queue.length = 0
    expect((await logIn({ password: 'wrong horse' }))[1]).toBe('bad-credentials')
    expect(harness.queue).toEqual([])
  })

  test('sets one up with its password and the link, which verifies the address', async () => {
    harness.advance(1)
    await requestMove(harness, 'ada@example.org')
    const token = await setupToken()
    const account = await find(harness)
    expect(account).toMatchObject({ isVerified: true, pendingEmail: null })
    expect(decodeJwt(token).email_verified).toBe(true)
    expect(isRemembered(account, home, deps.now())).toBe(true)
    const headers = { authorization: `Bearer ${token}` }
    // After a login by password it is asked for.
    expect((await send(harness, 'set-up-second-factor', { headers, body: {} })).status).toBe(422)
    const setup = await send(harness, 'set-up-second-factor', { headers, body: { password: ada.password } })
    expect(setup.status).toBe(200)
    const { code } = appOf(harness, bytesOfBase32(setup.body.secret))
    const confirmed = await send(harness, 'confirm-second-factor', { headers, body: { code: code() } })
    expect([confirmed.status, confirmed.body.refresh_token]).toEqual([200, undefined])
    expect(decodeJwt(confirmed.body.access_token).amr).toEqual(['pwd', 'otp', 'mfa'])
    expect(await logIn()).toEqual([401, 'second-factor-required', undefined])
    expect((await logIn({ code: confirmed.body.recovery_codes[0] }))[0]).toBe(200)
  })

  test('is logged out by the switch: no access token of its password goes on', async () => {
    harness.config.secondFactor = 'optional'
    const headers = await bearer(harness)
    harness.config.secondFactor = 'required'
    expect((await send(harness, 'get-me', { headers })).status).toBe(401)
  })
})

describe('the link', () => {
  test('is spent by the login that gives the setup token, not by a wrong password', async () => {
    const mail_token = await askForLink()
    expect((await logIn({ mail_token, password: 'wrong horse' }))[1]).toBe('bad-credentials')
    expect(await logIn({ mail_token })).toEqual(givenToken)
    expect(await logIn({ mail_token })).toEqual(refused)
  })

  test('gives one setup token to two logins at once', async () => {
    const mail_token = await askForLink()
    const answers = await Promise.all([logIn({ mail_token }), logIn({ mail_token })])
    expect(answers.filter(([, , token]) => token !== undefined)).toHaveLength(1)
  })

  test.each(['KMS', 'Accounts'] as const)('still works after %s failed', async part => {
    const mail_token = await askForLink()
    harness.beforeCall = command => {
      // Reads of the account still work.
      harness.broken = part === 'Accounts' && command === 'UpdateItem' ? 'Accounts' : harness.broken
    }
    if (part === 'KMS') harness.broken = 'KMS'
    expect((await logIn({ mail_token }))[0]).toBe(503)
    Object.assign(harness, { broken: null, beforeCall: () => {} })
    expect(await logIn({ mail_token })).toEqual(givenToken)
  })

  test('of another account is ignored, and one of nobody too', async () => {
    const bob = { email: 'bob@example.com', password: 'battery staple' }
    await register(harness, bob)
    const mail_token = await askForLink(bob.email, bob.password)
    expect(await logIn({ mail_token })).toEqual(refused)
    expect(await logIn({ mail_token: 'x' })).toEqual(refused)
    expect(await logIn({ ...bob, mail_token })).toEqual(givenToken)
  })

  test('is of no use where nobody needs a factor, or with one', async () => {
    const mail_token = await askForLink()
    harness.config.secondFactor = 'optional'
    expect((await logIn({ mail_token }))[0]).toBe(200)
    harness.config.secondFactor = 'required'
    await protect(harness)
    expect(await logIn({ mail_token })).toEqual([401, 'second-factor-required', undefined])
  })

  test('is mailed five times in an hour, then the last one still works', async () => {
    const tokens = []
    for (let i = 0; i < 5; i++) tokens.push(await askForLink())
    await logIn()
    expect(await deliverMail(deps, lastMessage(harness), deps.now())).toBe('dropped')
    expect(harness.events.at(-1)?.event).toBe('mail-capped')
    expect(await logIn({ mail_token: tokens.at(-1) })).toEqual(givenToken)
  })

  test('that was used is mailed no more when its message is delivered again', async () => {
    const mail_token = await askForLink()
    const message = lastMessage(harness)
    await logIn({ mail_token })
    expect(await deliverMail(deps, message, deps.now())).toBe('dropped')
  })

  test('is mailed until the end of its hour, and not later', async () => {
    await logIn()
    const message = lastMessage(harness)
    harness.advance(60 * minute - 1)
    expect(await deliverMail(deps, message, deps.now())).toBe('sent')
    harness.advance(1)
    expect(await deliverMail(deps, message, deps.now())).toBe('dropped')
  })

  test.each([
    ['locked', async () => harness.operator.lock(await find(harness), deps.now())],
    ['protected', async () => protect(harness)],
  ])('is not mailed to an account that is %s meanwhile', async (_, change) => {
    await logIn()
    const message = lastMessage(harness)
    await change()
    expect(await deliverMail(deps, message, deps.now())).toBe('dropped')
  })
})

describe('the setup token', () => {
  test.each([
    ['lives until the last second of ten minutes', 10 * minute - 1000, 200],
    ['dies with them', 10 * minute, 401],
  ])('%s', async (_, age, status) => {
    const authorization = `Bearer ${await setupToken()}`
    harness.advance(age)
    const body = { password: ada.password }
    expect((await send(harness, 'set-up-second-factor', { headers: { authorization }, body })).status).toBe(status)
  })
})

test('where everybody needs one it cannot be removed, which only password and code reveal', async () => {
  await harness.operator.verify(await find(harness), deps.now())
  const { code, wrongCode } = await protect(harness)
  const remove = async (body: object) =>
    (await send(harness, 'remove-second-factor', { headers: await bearer(harness), body })).body.code
  expect(await remove({ password: 'wrong horse', code: code() })).toBe('wrong-password')
  expect(await remove({ password: ada.password, code: wrongCode() })).toBe('wrong-code')
  expect(await remove({ password: ada.password, code: code() })).toBe('second-factor-required-here')
  expect((await find(harness)).factor).not.toBeNull()
})

test('where they are off, who has one needs it', async () => {
  harness.config.secondFactor = 'off'
  const { code } = await protect(harness)
  expect(await logIn()).toEqual([401, 'second-factor-required', undefined])
  expect((await logIn({ code: code() }))[0]).toBe(200)
})
