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
    'logout=10/minute',
    'get-me=10/minute',
    '__proto__=10/minute',
    'login=1/minute,login=2/minute',
    'login=1/minute,',
    'login=99999999/minute',
  ])('is refused when it is %s', text => {
    expect(parse(text)).toMatch(/is not <route>=<number>\/<unit>|there is no limit '[\w-]+': they are register, login/)
  })

  test.each(['nonsense', 'login=0/minute', 'login=10/fortnight', '=1/minute', 'login=1/minute,login=2/minute'])(
    'is refused when it is %s, where any route may be named',
    text => {
      expect(parseRateLimits(text)).toMatch(/is not <route>=<number>/)
    },
  )
})
