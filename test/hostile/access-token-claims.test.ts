import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { issueToken } from '../support/attack/access-token.ts'
import { testAfterAttack } from '../support/attack/after-attack.ts'
import { startTarget } from '../support/attack/target.ts'
import { holds, seed } from '../support/property.ts'

/** Access tokens that say something else than the service's own do, though its own key has signed them. */

const target = startTarget()
const { issued, signed, ask, expectRefused } = issueToken(target)

describe('a token is refused', () => {
  test.each([
    ['crit', { crit: ['exp'] }],
    ['crit of its own', { crit: ['x'], x: 1 }],
    ['an empty crit', { crit: [] }],
    ['crit that is no list', { crit: 'b64' }],
    ['an unencoded payload', { b64: false, crit: ['b64'] }],
    ['the type of another token', { typ: 'at+jwt' }],
    ['no type', { typ: undefined }],
    ['a type that is no text', { typ: ['JWT'] }],
    ['an algorithm that is no text', { alg: ['RS256'] }],
    ['another key’s id', { kid: 'x' }],
  ])('that the service’s own key has signed, with %s in its header', async (_, changes) => {
    await expectRefused(signed({ ...issued.header, ...changes }, issued.claims))
  })

  test.each([
    ['expired a second ago', { exp: Math.floor(Date.now() / 1000) - 1 }],
    ['expired from the first', { exp: 0 }],
    ['expired before time', { exp: -1 }],
    ['expiring never', { exp: undefined }],
    ['expiring at a text', { exp: '9999999999' }],
    ['expiring at null', { exp: null }],
    ['not begun', { nbf: 9_999_999_999 }],
    ['begun at a text', { nbf: '0' }],
    ['issued at no time', { iat: undefined }],
    ['issued at a text', { iat: '0' }],
    ['of another issuer', { iss: 'https://attacker.example/auth' }],
    ['of several issuers', { iss: ['https://attacker.example/auth'] }],
    ['of an issuer with a slash more', { iss: 'http://localhost/auth/' }],
    ['of no issuer', { iss: undefined }],
    ['for another audience', { aud: 'other' }],
    ['for an audience in other letters', { aud: 'Gatehouse' }],
    ['for no audience', { aud: undefined }],
    ['for nobody', { aud: [] }],
  ])('that the service’s own key has signed, %s', async (_, changes) => {
    await expectRefused(signed(issued.header, { ...issued.claims, ...changes }))
  })

  test.each([
    ['another subject', { sub: '0' }],
    ['no subject', { sub: undefined }],
    ['a subject that is no text', { sub: 1 }],
    ['no address', { email: undefined }],
    ['an address that is an object', { email: { S: 'a' } }],
    ['an address in other letters', { email: 'NOBODY@example.com' }],
    ['an empty address', { email: '' }],
    ['an address that is NUL', { email: '\0' }],
    ['an address of 3 KB', { email: 'a'.repeat(3000) }],
    ['no version', { ver: undefined }],
    ['a version to come', { ver: 1 }],
    ['a version that is text', { ver: '0' }],
  ])('that the service’s own key has signed, with %s', async (_, changes) => {
    await expectRefused(signed(issued.header, { ...issued.claims, ...changes }), true)
  })

  test.each(['[]', 'null', '"x"', '1', '{', '', '{"exp":1e999}', '\ufeff{}'])(
    'that the service’s own key has signed, with the claims %s',
    async body => {
      await expectRefused(signed(issued.header, body))
      await expectRefused(signed(body, issued.claims))
    },
  )
})

describe(`at random (seed ${seed})`, () => {
  test('header and claims of any kind, even signed by the service’s own key, never give access to another account', () =>
    holds(
      fc.tuple(
        fc.constantFrom(...['alg', 'typ', 'kid', 'crit', 'b64', 'sub', 'email', 'ver', 'iss', 'aud', 'exp', 'iat']),
        fc.jsonValue(),
      ),
      async ([member, value]) => {
        const token = signed({ ...issued.header, [member]: value }, { ...issued.claims, [member]: value })
        const { status, body } = await ask(token)
        if (status === 200) expect(body.email).toBe(issued.person.email)
        else expect(status).toBe(401)
      },
      100,
    ))
})

testAfterAttack(target)
