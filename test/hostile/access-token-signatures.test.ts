import { constants, createHash, generateKeyPairSync, privateEncrypt, sign } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encode, issueToken } from '../support/attack/access-token.ts'
import { testAfterAttack } from '../support/attack/after-attack.ts'
import { startTarget } from '../support/attack/target.ts'
import { holds, seed } from '../support/property.ts'

/** Access tokens whose signature is not the service's, or malformed. */

const target = startTarget()
const { issued, signed, ask, expectRefused } = issueToken(target)
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 })

/**
 * RSASSA-PKCS1-v1_5 (RFC 8017 §9.2): a hash has one right encoding, and these are wrong. Wycheproof's
 * `ModifiedPadding`, and Bleichenbacher's forgery of 2006.
 */
describe('a signature is refused when', () => {
  const algorithm = '300d06096086480165030402010500'
  const block = (info: string, fill = 'ff', type = '0001') => {
    const length = 256 - 3 - info.length / 2
    return `${type}${fill.repeat(length).slice(0, 2 * length)}00${info}`
  }
  const sha = (name: string, input: string) => createHash(name).update(input).digest('hex')

  const cases: [what: string, encoded: (hash: string, input: string) => string, status: number][] = [
    ['nothing is wrong (it is accepted)', hash => block(`3031${algorithm}0420${hash}`), 200],
    ['a length is in the long form', hash => block(`308131${algorithm}0420${hash}`), 401],
    ['a length has a leading zero', hash => block(`30820031${algorithm}0420${hash}`), 401],
    ['a length is one too many', hash => block(`3032${algorithm}0420${hash}`), 401],
    ['a length overflows 32 bits', hash => block(`30850100000031${algorithm}0420${hash}`), 401],
    ['a length is indefinite', hash => block(`3080${algorithm}0420${hash}0000`), 401],
    ['the parameters are absent', hash => block(`302f300b06096086480165030402010420${hash}`), 401],
    ['the hash is there without its algorithm', hash => block(`0420${hash}`), 401],
    ['the hash is there alone', hash => block(hash), 401],
    ['the hash is SHA-1', (_, input) => block(`3021300906052b0e03021a05000414${sha('sha1', input)}`), 401],
    ['the hash is SHA-512', (_, input) => block(`3051300d060960864801650304020305000440${sha('sha512', input)}`), 401],
    ['the hash is cut off', hash => block(`3030${algorithm}041f${hash.slice(2)}`), 401],
    ['something follows the hash', hash => block(`3031${algorithm}0420${hash}0500`), 401],
    [
      'garbage follows a short padding',
      hash => `0001${'ff'.repeat(8)}003031${algorithm}0420${hash}`.padEnd(512, 'a5'),
      401,
    ],
    ['the padding is of zeros', hash => block(`3031${algorithm}0420${hash}`, '00'), 401],
    ['the padding has one other byte', hash => block(`3031${algorithm}0420${hash}`).replace('ffff', 'fffe'), 401],
    ['the block is of the other type', hash => block(`3031${algorithm}0420${hash}`, 'ff', '0002'), 401],
  ]
  test.each(cases)('%s', async (_, encoded, expected) => {
    const input = `${encode(issued.header)}.${encode(issued.claims)}`
    const key = { key: issued.ownKey, padding: constants.RSA_NO_PADDING }
    const signature = privateEncrypt(key, Buffer.from(encoded(sha('sha256', input), input), 'hex'))
    expect((await ask(`${input}.${signature.toString('base64url')}`)).status).toBe(expected)
  })

  test('it is by RSASSA-PSS', async () => {
    const input = `${encode(issued.header)}.${encode(issued.claims)}`
    const key = { key: issued.ownKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
    await expectRefused(`${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`)
  })
})

describe(`at random (seed ${seed})`, () => {
  test('claims and header members of any kind are refused when another key signed them', () =>
    holds(
      fc.tuple(fc.object({ maxDepth: 2, maxKeys: 4 }), fc.object({ maxDepth: 2, maxKeys: 4 })),
      async ([head, body]) => {
        const token = signed({ ...issued.header, ...head }, { ...issued.claims, ...body }, stranger.privateKey)
        if (token.length < 8000) expect((await ask(token)).status).toBe(401)
      },
      60,
    ))
})

testAfterAttack(target)
