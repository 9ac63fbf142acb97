import { createHash } from 'node:crypto'
import { Secret, TOTP, URI } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { base32, drawRecoveryCodes, hashRecoveryCode, readCode } from '../../../accounts/factor/codes.ts'
import { codeOf, findStep, stepOf, totpUri } from '../../../accounts/factor/totp.ts'
import { codeForms } from '../../support/code-forms.ts'
import { createHarness } from '../../support/service/harness.ts'

/** The secret of RFC 4226, appendix D, and of RFC 6238, appendix B. */
const secret = Buffer.from('12345678901234567890')
const at = (step: number, second = 0): Date => new Date((step * 30 + second) * 1000)

describe('a code of an app', () => {
  test.each(['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489'])(
    'is that of RFC 4226, appendix D: %s',
    code => {
      const counters = Array.from({ length: 10 }, (_, i) => i)
      expect(counters.map(counter => codeOf(secret, counter))).toContain(code)
    },
  )

  test.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('after %i seconds ends like that of RFC 6238, appendix B', (seconds, eightDigits) => {
    expect(codeOf(secret, stepOf(new Date(seconds * 1000)))).toBe(eightDigits.slice(2))
  })

  test('is that of another program', () => {
    const other = new TOTP({ secret: new Secret({ buffer: Uint8Array.from(secret).buffer }) })
    for (let day = 0; day < 200; day++) {
      const timestamp = Date.UTC(2026, 0, day, day % 24, day % 60, (day * 7) % 60)
      expect(codeOf(secret, stepOf(new Date(timestamp)))).toBe(other.generate({ timestamp }))
    }
  })
})

describe('a step', () => {
  test.each([
    ['of now', 0, 1000, 0],
    ['before, as of a slow hand or clock', -1, 1000, 0],
    ['after, as of a clock that is ahead', 1, 1000, 0],
    ['of now, in its last second', 0, 1000, 29],
    ['before, in the last second', -1, 1000, 29],
    ['of the very first now', 0, 0, 0],
  ])('is taken that is the one %s', (_, offset, step, second) => {
    expect(findStep(secret, codeOf(secret, step + offset), -1, at(step, second))).toBe(step + offset)
  })

  test.each([
    ['two before', -2],
    ['two after', 2],
  ])('is refused that is %s', (_, offset) => {
    expect(findStep(secret, codeOf(secret, 1000 + offset), -1, at(1000))).toBeNull()
  })

  test('is used up with itself and all before it, and with none after it', () => {
    const taken = (offset: number) => findStep(secret, codeOf(secret, 1000 + offset), 1000, at(1000))
    expect([-1, 0, 1].map(taken)).toEqual(['used', 'used', 1001])
  })

  test('is another one where it has the code of the step before', () => {
    const [first, code] = [50424280, '070562']
    expect([first, first + 1].map(step => codeOf(secret, step))).toEqual([code, code])
    expect(findStep(secret, code, -1, at(first))).toBe(first)
    // Its owner sees the same digits for a minute.
    expect(findStep(secret, code, first, at(first + 1))).toBe(first + 1)
    expect(findStep(secret, code, first + 1, at(first + 1))).toBe('used')
    // Late use spends the code at once.
    expect(findStep(secret, code, -1, at(first + 1))).toBe(first + 1)
  })
})

describe('what somebody types', () => {
  const app = '492039'
  const recovery = 'MFRG-GZDF-MZTW-Q2LK-NNWG-23TP'
  const asRead = [
    [app, { is: 'code', digits: app }],
    [recovery, { is: 'recovery', hash: hashRecoveryCode(recovery) }],
  ] as const

  test('is a recovery code by the hash of its characters, as it is stored', () => {
    const hash = createHash('sha256').update('MFRGGZDFMZTWQ2LKNNWG23TP').digest('hex')
    expect(readCode(recovery)).toEqual({ is: 'recovery', hash })
  })

  test.each(Object.entries(codeForms))('is one and the same code %s', (_, write) => {
    for (const [code, read] of asRead) expect(readCode(write(code))).toEqual(read)
  })

  test.each([
    ['nothing', ''],
    ['five digits', '49203'],
    ['seven digits', '4920391'],
    ['five digits of another script', '٤٩٢٠٣'],
    ['seven wide digits', '４９２０３９１'],
    ['numbers that are no decimal digits', '四九二〇三九'],
    ['marks alone', '\u200e–\u00ad'],
    ['23 characters', 'MFRGGZDFMZTWQ2LKNNWG23T'],
    ['a digit that base32 lacks', 'MFRGGZDFMZTWQ2LKNNWG23T1'],
    ['a letter that becomes one in upper case', 'ıFRGGZDFMZTWQ2LKNNWG23TP'],
    ['a letter that looks like one', 'МFRGGZDFMZTWQ2LKNNWG23TP'],
    ['half of a pair', '\ud800'],
  ])('is neither: %s', (_, text) => {
    expect(readCode(text)).toBeNull()
  })
})

describe('a secret', () => {
  test.each([
    ['', ''],
    ['fooba', 'MZXW6YTB'],
    ['foobarfoob', 'MZXW6YTBOJTG633C'],
  ])('is written in base32 (RFC 4648 §10): %s', (text, written) => {
    expect(base32(Buffer.from(text))).toBe(written)
  })

  test.each([
    ['Gatehouse', 'Gatehouse'],
    ['Smith & Söhne', 'Smith & Söhne'],
    ['a:b/c?d#e%f', 'a b/c?d#e%f'],
    ['Shop: Berlin', 'Shop Berlin'],
  ])('is read by another program, of %s', (product, issuer) => {
    const uri = totpUri(product, "o'hara+x@example.com", base32(secret))
    const read = URI.parse(uri)
    expect(read).toMatchObject({
      issuer,
      label: "o'hara+x@example.com",
      algorithm: 'SHA1',
      digits: 6,
      period: 30,
    })
    expect(Buffer.from(read.secret.bytes)).toEqual(secret)
  })
})

test('recovery codes are ten, each of 24 characters in groups of four, and all differ', () => {
  const codes = drawRecoveryCodes(createHarness().deps)
  expect(codes).toHaveLength(10)
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){5}$/)
})
