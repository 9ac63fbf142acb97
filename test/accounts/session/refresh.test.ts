import { createHmac } from 'node:crypto'
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { logOut } from '../../../accounts/session/ending.ts'
import { refresh } from '../../../accounts/session/refresh.ts'
import { authenticate } from '../../../accounts/token/authentication.ts'
import { day } from '../../../shared/base/limits/windows.ts'
import { createHarness } from '../../support/service/harness.ts'
import { changePassword } from '../../support/service/owner.ts'
import { ada, find, home, lastMessage, openSession, register } from '../../support/service/people.ts'
import { refusalOf } from '../../support/service/refusal.ts'

/** Milliseconds: the guide promises a minute. */
const grace = 60_000
const harness = createHarness()
const { deps } = harness

const open = async () => {
  await register(harness)
  const session = await openSession(harness)
  harness.calls.length = 0
  return session
}
const next = async (token: string): Promise<string> => (await refresh(deps, token)).refresh?.token ?? ''
const codeOf = async (token: string) => (await refusalOf(refresh(deps, token))).code
const serialOf = (token: string) => Number(token.split('.')[3])
const expectRefused = async (token: string) => expect(await codeOf(token)).toBe('invalid-refresh-token')

describe('a refresh token', () => {
  test('within the grace comes back as it is, and nothing is written', async () => {
    const { refreshToken } = await open()
    harness.advance(grace - 1)
    expect(await next(refreshToken)).toBe(refreshToken)
    expect(harness.calls).toEqual(['GetItem Accounts', 'Sign'])
  })

  test('is replaced after it, by one write, which leaves updated_at alone', async () => {
    const { refreshToken } = await open()
    const [{ updated_at } = {}] = await harness.accountItems()
    harness.advance(grace)
    harness.calls.length = 0
    expect(serialOf(await next(refreshToken))).toBe(2)
    expect(harness.calls).toEqual(['GetItem Accounts', 'Sign', 'UpdateItem Accounts'])
    expect((await harness.accountItems())[0]?.updated_at).toBe(updated_at)
    expect(harness.events.at(-1)?.event).toBe('session-refreshed')
  })

  test('that was just replaced gets its successor, for other tabs and repeats', async () => {
    const { refreshToken } = await open()
    harness.advance(grace)
    const successor = await next(refreshToken)
    harness.advance(grace - 1)
    expect(await next(refreshToken)).toBe(successor)
    expect(harness.events.at(-1)?.event).toBe('session-shared')
  })

  test('whose answers were lost gets a further one, however often', async () => {
    const { refreshToken } = await open()
    for (let i = 2; i < 12; i++) {
      harness.advance(grace)
      expect(serialOf(await next(refreshToken))).toBe(i)
    }
  })

  describe('that was replaced twice has its owner told', () => {
    /** Opens a session of Ada, whose address is verified. @returns a token from two rotations ago */
    async function replaced() {
      const session = await openSession(harness)
      harness.advance(grace)
      const second = await next(session.refreshToken)
      harness.advance(grace)
      await next(second)
      return session
    }
    const deliver = () => deliverMail(deps, lastMessage(harness), deps.now())
    const verified = async () => {
      const { account } = await register(harness)
      await harness.operator.verify(account, deps.now())
      harness.queue.length = 0
    }

    test('once a day, by a mail without a link, queued before the session ends', async () => {
      await verified()
      for (const outcome of ['sent', 'dropped']) {
        const { refreshToken, id } = await replaced()
        harness.calls.length = 0
        await expectRefused(refreshToken)
        expect(harness.calls).toEqual(['GetItem Accounts', 'SendMessage', 'UpdateItem Accounts'])
        expect(lastMessage(harness)).toMatchObject({ kind: 'session-reused', email: ada.email, session_id: id })
        expect([await deliver(), await deliver()]).toEqual([outcome, outcome])
      }
      expect(harness.events.at(-1)).toMatchObject({ event: 'mail-dropped', reason: 'told-today' })
      harness.advance(day * 1000)
      await expectRefused((await replaced()).refreshToken)
      expect(await deliver()).toBe('sent')
      expect(harness.mails.at(-1)).toMatchObject({
        to: ada.email,
        subject: 'You were logged out of Gatehouse on one device',
      })
      expect(harness.mails.at(-1)?.text).toMatch(/^Hello Ada,\n/)
      expect(harness.mails.at(-1)?.html).not.toMatch(/href/)
    })

    test('not before the session has ended, and not if it never does', async () => {
      await verified()
      const { refreshToken } = await replaced()
      harness.beforeCall = command => {
        harness.broken = command === 'UpdateItem' ? 'Accounts' : null
      }
      expect(await codeOf(refreshToken)).toBe('unavailable')
      Object.assign(harness, { broken: null, beforeCall: () => {} })
      expect(await deliver()).toBe('early')
      const sentAt = new Date(deps.now().getTime() - 60_001)
      const late = { ...lastMessage(harness), requested_at: sentAt.getTime() }
      expect(await deliverMail(deps, late, sentAt)).toBe('dropped')
      await expectRefused(refreshToken)
      expect(await deliver()).toBe('sent')
    })

    test('or the session does not end: while the queue is silent it stays', async () => {
      await verified()
      const { refreshToken } = await replaced()
      harness.broken = 'queue'
      expect(await codeOf(refreshToken)).toBe('unavailable')
      expect((await find(harness)).sessions).toHaveLength(1)
    })

    test('once, though the write that ends it loses to another one first', async () => {
      await verified()
      const { refreshToken } = await replaced()
      const [session] = (await find(harness)).sessions
      let isFirst = true
      harness.beforeCall = async command => {
        if (command !== 'UpdateItem' || !isFirst || !session) return
        isFirst = false
        const after = { ...session, current: session.current + 1 }
        await deps.sessions.change(await find(harness), { before: session, after }, [], null)
      }
      await expectRefused(refreshToken)
      expect(isFirst).toBe(false)
      expect(harness.queue).toHaveLength(1)
    })

    test('only if the address is verified, even where it must be', async () => {
      await register(harness)
      const { refreshToken } = await replaced()
      harness.queue.length = 0
      harness.config.requireEmailVerification = true
      await expectRefused(refreshToken)
      expect(harness.queue).toEqual([])
    })
  })

  test('keeps when the password was entered, and outlives no session', async () => {
    const { refreshToken, id } = await open()
    const openedAt = deps.now().getTime() / 1000
    harness.config.sessionIdleDays = 30
    harness.advance(30 * day * 1000 - 90_000)
    const { token, lifetimeSeconds, refresh: renewed } = await refresh(deps, refreshToken)
    const { sid, auth_time, iat = 0, exp = 0 } = decodeJwt(token)
    expect([sid, auth_time, exp]).toEqual([id, openedAt, openedAt + 30 * day])
    expect([lifetimeSeconds, exp - iat, renewed?.lifetimeSeconds]).toEqual([90, 90, 90])
  })

  test('is replaced once by ten requests at once, which all get the same', async () => {
    const { refreshToken } = await open()
    harness.advance(grace)
    const tokens = await Promise.all(Array.from({ length: 10 }, () => next(refreshToken)))
    expect(new Set(tokens).size).toBe(1)
    expect(serialOf(tokens[0] ?? '')).toBe(2)
  })
})

describe('a session ends', () => {
  test.each([
    ['when nobody has used it for SESSION_IDLE_DAYS', 14 * day, 30],
    ['SESSION_DAYS after it was opened', 10 * day, 10],
  ])('%s, and not a second before', async (_, seconds, sessionDays) => {
    const [{ refreshToken }, unused] = [await open(), await openSession(harness)]
    Object.assign(harness.config, { sessionDays })
    harness.advance(seconds * 1000 - 1000)
    const { refresh: renewed } = await refresh(deps, refreshToken)
    expect(renewed?.lifetimeSeconds).toBe(sessionDays === 10 ? 1 : 14 * day)
    harness.advance(1000)
    await expectRefused(unused.refreshToken)
    if (sessionDays === 10) await expectRefused(renewed?.token ?? '')
  })

  test('not by TOKENS_NOT_BEFORE of the very moment at which it was opened', async () => {
    const { refreshToken, tokens } = await open()
    harness.config.tokensNotBefore = deps.now()
    harness.advance(1000)
    await authenticate(deps, tokens.token)
    await refresh(deps, refreshToken)
  })

  test('by logging out, with any of its tokens, old or new', async () => {
    const { refreshToken } = await open()
    harness.advance(grace)
    const second = await next(refreshToken)
    harness.advance(grace)
    const third = await next(second)
    await logOut(deps, refreshToken)
    expect(harness.events.at(-1)?.event).toBe('session-ended')
    await expectRefused(third)
    expect((await find(harness)).sessions).toEqual([])
  })

  test('and stays ended, though a refresh was under way', async () => {
    const { refreshToken } = await open()
    harness.advance(grace)
    harness.before('UpdateItem Accounts', () => logOut(deps, refreshToken))
    await expectRefused(refreshToken)
    expect((await find(harness)).sessions).toEqual([])
  })
})

describe('changing the password', () => {
  const passwords = { current_password: ada.password, new_password: toPassword('battery staple') }

  test("keeps the caller's own session, with a new secret, and ends the others", async () => {
    const { refreshToken, id } = await open()
    const other = await openSession(harness)
    harness.advance(5000)
    const changed = await changePassword(deps, home, await find(harness), passwords, id)
    const { account, claims } = await authenticate(deps, changed.token)
    expect([claims.sid, claims.auth_time, account.sessions.length]).toEqual([id, deps.now().getTime() / 1000, 1])
    expect(serialOf(changed.refresh?.token ?? '')).toBe(2)
    await expectRefused(refreshToken)
    await expectRefused(other.refreshToken)
    await refresh(deps, changed.refresh?.token ?? '')
  })

  test('succeeds though the session is refreshed meanwhile', async () => {
    const { refreshToken, id } = await open()
    harness.advance(grace)
    const account = await find(harness)
    await next(refreshToken)
    const { refresh: kept } = await changePassword(deps, home, account, passwords, id)
    expect(serialOf(kept?.token ?? '')).toBe(3)
  })

  test('is refused when the session has ended meanwhile, and does not restore it', async () => {
    const { refreshToken, id } = await open()
    const account = await find(harness)
    await logOut(deps, refreshToken)
    const refusal = await refusalOf(changePassword(deps, home, account, passwords, id))
    expect(refusal.code).toBe('invalid-access-token')
    expect(await find(harness)).toMatchObject({ sessions: [], tokenVersion: 0 })
  })
})

describe('a malformed or foreign token is refused with one read at most:', () => {
  const parts = (change: (parts: string[]) => string[]) => (token: string) => change(token.split('.')).join('.')
  const part = (at: number, change: (part: string) => string) =>
    parts(all => all.map((one, i) => (i === at ? change(one) : one)))

  test.each<[string, (token: string) => string]>([
    ['nothing', () => ''],
    ['nonsense', () => 'nonsense'],
    ...[0, 1, 2, 3, 4, 5].flatMap((at): [string, (token: string) => string][] => [
      [`part ${at} missing`, parts(all => all.filter((_, i) => i !== at))],
      [`part ${at} empty`, part(at, () => '')],
      [`part ${at} doubled`, part(at, one => `${one}.${one}`)],
      [`part ${at} too long`, part(at, one => one.repeat(20))],
      [`part ${at} with NUL`, part(at, one => `${one}\0`)],
      [`part ${at} with padding`, part(at, one => `${one}=`)],
      [`part ${at} with a blank`, part(at, one => ` ${one}`)],
    ]),
    ['the prefix of an earlier version', part(0, () => 'ghr1')],
    ['another prefix', part(0, () => 'ghr3')],
    ['capitals in the prefix', part(0, one => one.toUpperCase())],
    ...Object.entries({
      'the address in place of the id': ada.email,
      'the key of an unknown address': `@${ada.email}`,
      'an id of no account': '00000000-0000-7000-8000-000000000000',
      'an id with 129 characters': 'a'.repeat(129),
      'an id with a blank': 'a b',
    }).map(([what, id]): [string, (token: string) => string] => [
      what,
      part(1, () => Buffer.from(id).toString('base64url')),
    ]),
    [
      'the id in capitals',
      part(1, one => Buffer.from(Buffer.from(one, 'base64url').toString().toUpperCase()).toString('base64url')),
    ],
    ['another session', part(2, () => 'A'.repeat(22))],
    ...['0', '-1', '+1', '01', '1e9', '1000000000', '1.0', '2', '99999999999999999999'].map(
      (serial): [string, (token: string) => string] => [`serial ${serial}`, part(3, () => serial)],
    ),
    ['another secret', part(4, () => 'A'.repeat(43))],
    ['the last character of the secret spelled otherwise', part(4, one => respell(one))],
    ['another mac', part(5, () => 'A'.repeat(43))],
    [
      'the mac of another serial by a key that anybody has',
      token => {
        const [, , , , secret = ''] = token.split('.')
        return part(5, () => createHmac('sha256', '').update(`${secret}1`).digest('base64url'))(token)
      },
    ],
  ])('%s', async (_, change) => {
    const { refreshToken } = await open()
    const before = await harness.items('Accounts')
    for (const serve of [refresh(deps, change(refreshToken)), logOut(deps, change(refreshToken))]) {
      harness.calls.length = 0
      const outcome = await serve.then(
        () => 'done',
        error => error.code,
      )
      expect(['done', 'invalid-refresh-token']).toContain(outcome)
    }
    harness.calls.length = 0
    await expectRefused(change(refreshToken))
    expect(harness.calls.filter(call => call !== 'GetItem Accounts')).toEqual([])
    expect(harness.calls.length).toBeLessThanOrEqual(1)
    expect(await harness.items('Accounts')).toEqual(before)
  })

  test("another account's session", async () => {
    const { refreshToken } = await open()
    const bob = { email: 'bob@example.com', password: 'correct horse' }
    await register(harness, bob)
    const his = await openSession(harness, bob.email)
    const [, , ...rest] = refreshToken.split('.')
    await expectRefused(['ghr2', his.refreshToken.split('.')[1], ...rest].join('.'))
    await refresh(deps, his.refreshToken)
  })
})

/** The same bits, except the spare ones of the last character. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const respell = (part: string): string => {
  const last = alphabet.indexOf(part.at(-1) ?? '')
  return part.slice(0, -1) + (alphabet[last ^ 1] ?? '')
}
