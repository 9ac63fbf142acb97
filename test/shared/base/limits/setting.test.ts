import { describe, expect, test } from 'vitest'
import { parseRateLimits } from '../../../../shared/base/limits/windows.ts'

const parse = (text: string) => parseRateLimits(text, ['register', 'login', 'verify-email'])

describe('the setting RATE_LIMITS', () => {
  test('can be on, which is the default', () => {
    expect(parse('on')).toEqual(new Map())
    expect(parse('ON')).toEqual(new Map())
  })

  test('can be off', () => {
    expect(parse('off')).toBeNull()
    expect(parse('OFF')).toBeNull()
  })

  test('overrides single routes', () => {
    expect(parse('login=10/minute, register=5/hour')).toEqual(
      new Map([
        ['login', { limit: 10, seconds: 60 }],
        ['register', { limit: 5, seconds: 3600 }],
      ]),
    )
  })

  test.each([
    'nonsense',
    'login',
    'login=',
    'login=0/minute',
    'login=-1/minute',
    'login=1.5/minute',
    'login=10/fortnight',
    'login=10/constructor',
    'login=10',
    '__proto__=10/minute',
    'login=1/minute,login=2/minute',
    'login=1/minute,',
    'login=99999999/minute',
  ])('is refused when it is %s', text => {
    expect(parse(text)).toMatch(/is not <route>=<number>\/<unit>/)
  })

  test.each(['logout', 'get-me'])('is refused when %s, which it names, has no limit', name => {
    expect(parse(`${name}=10/minute`)).toBe(`there is no limit '${name}': they are register, login, verify-email`)
  })

  test('is refused in its form, where any route may be named', () => {
    expect(parseRateLimits('=1/minute')).toMatch(/is not <route>=<number>/)
  })
})
