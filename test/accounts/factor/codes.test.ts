import { describe, expect, test } from 'vitest'
import { windowsCleared } from '../../../accounts/factor/code-limits.ts'
import { logIn } from '../../../accounts/login/login.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { resetPassword } from '../../../accounts/password/reset.ts'
import { issueLoginTokens } from '../../../accounts/session/opening.ts'
import type { DomainError } from '../../../shared/base/errors.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, find, home, protect, register, requestToken } from '../../support/service/people.ts'
import { refusalOf } from '../../support/service/refusal.ts'

const harness = createHarness()
const { deps } = harness
const minutes = (count: number) => count * 60_000

const attempt = (code?: string, from = home) => logIn(deps, from, { ...ada, code })
const refusal = async (code?: string, from = home): Promise<string> => (await refusalOf(attempt(code, from))).code

/** Ada, verified, with a second factor. */
async function protectedAda() {
  const { account } = await register(harness)
  await harness.operator.verify(account, deps.now())
  const factor = await protect(harness)
  harness.queue.length = 0
  harness.calls.length = 0
  return factor
}

/** Stores wrong codes in a row, without their windows. */
async function countWrong(count: number) {
  const account = await find(harness)
  for (let i = 0; i < count; i++) await deps.factors.addWrongCode(account, `wrong ${i}`, deps.now())
}

const kinds = () => harness.queue.map(({ message }) => message.kind)

/** Runs attempts in parallel. @returns their outcomes */
const outcomes = async (attempts: Promise<unknown>[]): Promise<string[]> =>
  (await Promise.allSettled(attempts)).map(each =>
    each.status === 'fulfilled' ? 'right' : (each.reason as DomainError).code,
  )

describe('a login', () => {
  test('without a second factor makes the usual calls, with any code', async () => {
    await register(harness)
    await attempt()
    for (const code of [undefined, '000000', 'x']) {
      harness.calls.length = 0
      await issueLoginTokens(deps, await attempt(code), undefined)
      const reads = ['GetItem Accounts', 'GetItem Accounts']
      expect(harness.calls).toEqual(['UpdateItem RateLimits', ...reads, 'UpdateItem RateLimits', 'Sign'])
    }
  })

  test('without the password makes the same calls with a second factor as without an account', async () => {
    const { code } = await protectedAda()
    const calls = async (email: string) => {
      harness.calls.length = 0
      const wrong = { email, password: toPassword('wrong horse'), code: code() }
      expect((await refusalOf(logIn(deps, home, wrong))).code).toBe('bad-credentials')
      return [...harness.calls]
    }
    expect(await calls(ada.email)).toEqual(await calls('nobody@example.com'))
  })

  test('with a second factor costs one decryption more, and the writes that count', async () => {
    const { code } = await protectedAda()
    await attempt(code(-1))
    harness.calls.length = 0
    await attempt(code())
    expect(harness.calls).toEqual([
      ...['UpdateItem RateLimits', 'GetItem Accounts', 'GetItem Accounts'],
      ...['UpdateItem RateLimits', 'UpdateItem Accounts', 'Decrypt', 'UpdateItem Accounts', 'UpdateItem RateLimits'],
      'UpdateItem RateLimits',
    ])
  })

  test('without a code is no wrong guess, and does not clear the pair’s count', async () => {
    const { code } = await protectedAda()
    for (let i = 0; i < 9; i++) await logIn(deps, home, { ...ada, password: toPassword('wrong horse') }).catch(() => {})
    for (let i = 0; i < 12; i++) expect(await refusal()).toBe('second-factor-required')
    await logIn(deps, home, { ...ada, password: toPassword('wrong horse') }).catch(() => {})
    expect(await refusal(code())).toBe('too-many-requests')
  })

  test('remembers no client before the code was right', async () => {
    const { code, wrongCode } = await protectedAda()
    await refusal()
    await refusal(wrongCode())
    expect((await find(harness)).clients).toEqual([])
    await attempt(code())
    expect((await find(harness)).clients).toHaveLength(1)
  })
})

describe('a code', () => {
  test('works once, then its step and all before are used, which does not count', async () => {
    const { code } = await protectedAda()
    await attempt(code())
    for (let i = 0; i < 7; i++) expect(await refusal(code())).toBe('used-code')
    expect(await refusal(code(-1))).toBe('used-code')
    expect((await find(harness)).wrongCodes).toBe(0)
    await attempt(code(1))
  })

  test('works for one of four that send it at once', async () => {
    const { code } = await protectedAda()
    const ends = await outcomes(Array.from({ length: 4 }, () => attempt(code())))
    expect(ends.sort()).toEqual(['right', 'used-code', 'used-code', 'used-code'])
    expect((await find(harness)).wrongCodes).toBe(0)
  })

  test('of another account is wrong', async () => {
    await protectedAda()
    await register(harness, { ...ada, email: 'bob@example.com' })
    const { code } = await protect(harness, 'bob@example.com')
    expect(await refusal(code())).toBe('wrong-code')
  })

  test('that is neither of an app nor a recovery code is wrong, and counts', async () => {
    await protectedAda()
    const neither = ['-', ' - ', '\u200e', '\u00ad', '12345', '1234567', '٤٩٢٠٣', 'A'.repeat(23)]
    for (const [i, typed] of neither.entries()) {
      if (i % 4 === 0) harness.advance(minutes(15))
      expect(await refusal(typed)).toBe('wrong-code')
    }
    expect((await find(harness)).wrongCodes).toBe(neither.length)
    expect(harness.calls).not.toContain('Decrypt')
  })
})

describe('wrong codes', () => {
  test('are five in a quarter of an hour, from anywhere and whatever RATE_LIMITS says', async () => {
    const { code, wrongCode } = await protectedAda()
    harness.config.rateLimits = null
    for (let i = 0; i < 5; i++) expect(await refusal(wrongCode(), `198.51.100.${i}`)).toBe('wrong-code')
    harness.advance(minutes(3))
    const { message, options } = await refusalOf(attempt(code(), '198.51.100.9'))
    expect(message).toBe('Too many wrong codes for this account: at most 5 in 15 minutes. Try again in 720 seconds.')
    expect(options.headers).toMatchObject({ 'retry-after': '720' })
    harness.advance(minutes(12) - 1000)
    expect(await refusal(code())).toBe('too-many-requests')
    harness.advance(1000)
    await attempt(code())
  })

  test('are forgotten with a right one, but with nothing that a stranger can do', async () => {
    const { code, wrongCode } = await protectedAda()
    for (let i = 0; i < 4; i++) await refusal(wrongCode())
    await refusal()
    await logIn(deps, home, { ...ada, password: toPassword('wrong horse') }).catch(() => {})
    expect((await find(harness)).wrongCodes).toBe(4)
    await attempt(code())
    for (let i = 0; i < 5; i++) expect(await refusal(wrongCode())).toBe('wrong-code')
    expect(await refusal(wrongCode())).toBe('too-many-requests')
  })

  test.each(['KMS', 'Accounts', 'RateLimits'] as const)('do not grow while %s does not answer', async part => {
    const { code, wrongCode } = await protectedAda()
    for (let i = 0; i < 3; i++) {
      let calls = 0
      // After the password was checked.
      harness.beforeCall = (_, table) => {
        if (table === part && ++calls > 1) harness.broken = part
      }
      if (part === 'KMS') harness.broken = part
      expect(await refusal(wrongCode())).toBe('unavailable')
      Object.assign(harness, { broken: null, beforeCall: () => {} })
    }
    harness.advance(2000)
    for (let i = 0; i < 4; i++) expect(await refusal(wrongCode())).toBe('wrong-code')
    await attempt(code())
  })

  test('disable codes at a hundred in a row, over days and whoever sent them', async () => {
    const { code, wrongCode } = await protectedAda()
    await countWrong(99)
    expect(await refusal(wrongCode())).toBe('wrong-code')
    harness.advance(minutes(60 * 24))
    const { code: disabled, options } = await refusalOf(attempt(code()))
    expect([disabled, options]).toEqual([
      'codes-disabled',
      { status: 401, headers: { 'www-authenticate': 'Bearer' }, members: { methods: ['recovery'] } },
    ])
    expect((await refusalOf(attempt())).options.members).toEqual({ methods: ['recovery'] })
  })

  test('are a hundred even if the last of them come at once', async () => {
    const { wrongCode } = await protectedAda()
    await countWrong(98)
    const ends = await outcomes(Array.from({ length: 4 }, () => attempt(wrongCode())))
    expect(ends.sort()).toEqual(['codes-disabled', 'codes-disabled', 'wrong-code', 'wrong-code'])
  })

  test('do not stop owners with a recovery code, which enables codes again', async () => {
    const { code, wrongCode, recoveryCodes } = await protectedAda()
    for (let i = 0; i < 5; i++) await refusal(wrongCode())
    await countWrong(95)
    await attempt(recoveryCodes[0])
    harness.advance(minutes(15))
    await attempt(code())
  })

  test('are enabled again by a reset of the password, which leaves the factor', async () => {
    const { code } = await protectedAda()
    await countWrong(100)
    expect(await refusal(code())).toBe('codes-disabled')
    const token = await requestToken(harness, 'reset')
    await resetPassword(deps, home, { token, new_password: ada.password })
    expect(await refusal()).toBe('second-factor-required')
    await attempt(code())
  })

  test.each([
    [1, 1],
    [2, 2],
    [4, 4],
    [5, 5],
    [3, 1],
  ])('tell the owner at the fifth in a row, %i and then %i a window', async (first, then) => {
    const { wrongCode } = await protectedAda()
    for (let sent = 0, inWindow = 0, most = first; sent < 4; sent++) {
      expect(await refusal(wrongCode())).toBe('wrong-code')
      if (++inWindow < most) continue
      harness.advance(minutes(15))
      inWindow = 0
      most = then
    }
    expect(kinds()).toEqual([])
    expect(await refusal(wrongCode())).toBe('wrong-code')
    expect(kinds()).toEqual(['password-known'])
    harness.advance(minutes(15))
    // The next too: the worker mails it once a day, and a persistent guesser is reported again tomorrow.
    expect(await refusal(wrongCode())).toBe('wrong-code')
    expect(kinds()).toEqual(['password-known', 'password-known'])
  })

  test('tell the owner at the fifth of a window, despite a recovery code in between', async () => {
    const { wrongCode, recoveryCodes } = await protectedAda()
    for (let i = 0; i < 4; i++) await refusal(wrongCode())
    await attempt(recoveryCodes[0])
    await refusal(wrongCode())
    await refusal(wrongCode())
    expect(kinds()).toEqual(['recovery-code-used', 'password-known'])
  })

  test('are wrong codes all the same when the queue cannot tell their owner', async () => {
    const { wrongCode } = await protectedAda()
    harness.broken = 'queue'
    for (let i = 0; i < 5; i++) expect(await refusal(wrongCode())).toBe('wrong-code')
    expect(await refusal(wrongCode())).toBe('too-many-requests')
    expect(harness.failures).toHaveLength(1)
  })

  test('of a window are forgotten by a reset of the password, once a day', async () => {
    expect(windowsCleared).toEqual({ limit: 1, seconds: 86_400 })
    const { code, wrongCode } = await protectedAda()
    const useUp = async () => {
      for (let i = 0; i < 5; i++) expect(await refusal(wrongCode())).toBe('wrong-code')
      expect(await refusal(code())).toBe('too-many-requests')
    }
    const reset = async () =>
      resetPassword(deps, home, { token: await requestToken(harness, 'reset'), new_password: ada.password })
    harness.config.rateLimits = null
    await useUp()
    await reset()
    await useUp()
    harness.advance(1)
    await reset()
    expect(await refusal(code())).toBe('too-many-requests')
    // Past midnight.
    harness.advance(minutes(12 * 60))
    await useUp()
    await reset()
    await attempt(code())
  })
})

describe('a recovery code', () => {
  test('works once, in place of a code of the app, and its owner is told', async () => {
    const { recoveryCodes } = await protectedAda()
    await attempt(recoveryCodes[3]?.toLowerCase())
    expect(kinds()).toEqual(['recovery-code-used'])
    expect(harness.calls).not.toContain('Decrypt')
    expect((await find(harness)).factor?.recoveryCodes).toHaveLength(9)
    expect(await refusal(recoveryCodes[3])).toBe('wrong-code')
    expect(harness.events.map(({ event }) => event)).toContain('recovery-code-used')
  })

  test('works for one of five that send it at once', async () => {
    const { recoveryCodes } = await protectedAda()
    const ends = await outcomes(Array.from({ length: 5 }, () => attempt(recoveryCodes[0])))
    expect(ends.sort()).toEqual(['right', ...Array.from({ length: 4 }, () => 'wrong-code')])
  })

  test('is not spent when its owner cannot be told', async () => {
    const { recoveryCodes } = await protectedAda()
    harness.broken = 'queue'
    expect(await refusal(recoveryCodes[0])).toBe('unavailable')
    harness.broken = null
    await attempt(recoveryCodes[0])
  })

  test('that is wrong is never counted', async () => {
    await protectedAda()
    for (let i = 0; i < 20; i++) expect(await refusal('A'.repeat(24))).toBe('wrong-code')
    expect((await find(harness)).wrongCodes).toBe(0)
  })

  test('is no longer named when none is left', async () => {
    const { recoveryCodes } = await protectedAda()
    expect((await refusalOf(attempt())).options.members).toEqual({ methods: ['code', 'recovery'] })
    for (const code of recoveryCodes) await attempt(code)
    expect((await refusalOf(attempt())).options.members).toEqual({ methods: ['code'] })
  })
})
