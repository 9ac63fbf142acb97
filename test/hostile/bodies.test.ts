import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { bodies } from '../../api/bodies.ts'
import { rows } from '../../api/needs.ts'
import type { EndpointName } from '../../api/routes.ts'
import { hasHidden, isBlank } from '../../shared/base/hidden-characters.ts'
import { fruitlessBody } from '../support/api/requests.ts'
import { endpointNames, members, membersOf, requestLine } from '../support/api/rows.ts'
import { testAfterAttack } from '../support/attack/after-attack.ts'
import { canary } from '../support/attack/safe-answer.ts'
import { startTarget } from '../support/attack/target.ts'
import { holds, seed } from '../support/property.ts'

/** Hostile bodies, sent through the gateway to the running system. */

// Otherwise the members about languages are unknown.
const target = startTarget({ LANGUAGES: 'en,en-XA' })

const names = endpointNames.filter(name => membersOf(name).length > 0)

let authorization = ''
beforeAll(async () => {
  authorization = `Bearer ${await target.logIn(await target.register())}`
})

async function send(name: EndpointName, body: unknown, headers: Record<string, string> = {}) {
  return target.send({ ...requestLine(name), body, headers: { authorization, ...headers } })
}

/** The status and code for an attack. */
const outcome = async (...request: Parameters<typeof send>): Promise<[number, string]> => {
  const { status, body } = await send(...request)
  return [status, body.code]
}

const json = { 'content-type': 'application/json' }

describe.each(names)('%s', name => {
  // Other rules for bodies are in `test/every-route/body.test.ts`.
  test.each<[what: string, body: unknown, headers: Record<string, string>, code: string]>([
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), json, 'malformed-json'],
    ['gzip that says it is none', gzipSync('{}'), json, 'malformed-json'],
    ['NUL bytes', Buffer.alloc(100), json, 'malformed-json'],
    ['one byte over 16 KiB', '{}'.padEnd(16 * 1024 + 1), json, 'body-too-large'],
    ['5 MB', Buffer.alloc(4_000_000, '{'), json, 'body-too-large'],
    ['a body of no media type', Buffer.from('{}'), {}, 'unsupported-media-type'],
  ])('refuses %s', async (_, body, headers, code) => {
    const [, received] = await outcome(name, body, headers)
    expect(received).toBe(code)
  })

  test('takes a body with a byte order mark, or padded to 16 KiB', async () => {
    const shaped = fruitlessBody(name)
    const text = JSON.stringify(shaped)
    const expected = await outcome(name, text)
    expect(['malformed-json', 'invalid-body', 'unsupported-media-type']).not.toContain(expected[1])
    expect(await outcome(name, `\ufeff${text}`)).toEqual(expected)
    expect(await outcome(name, text.padEnd(16 * 1024))).toEqual(expected)
    expect(await outcome(name, text, { 'content-type': 'application/octet-stream' })).toEqual([
      415,
      'unsupported-media-type',
    ])
  })
})

describe(`anything at all (seed ${seed})`, () => {
  /** Texts known to break software. */
  const notorious = [
    '',
    ' ',
    '\0',
    '\u0085',
    '\u2028',
    '\u202e',
    '\ud800',
    '\udfff',
    '\ufffe',
    '\uffff',
    '\ufeff',
    'a\0b',
    '\r\nBcc: a@b.c',
    '__proto__',
    'constructor',
    '$where',
    '{{7*7}}',
    '#{7*7}',
    '%00',
    '../../etc/passwd',
    "' OR 1=1 --",
    '<script>',
    'ﷺ'.repeat(50),
    'ẛ̣'.repeat(50),
    '𝅘𝅥𝅮'.repeat(50),
    'e\u0301'.repeat(128),
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿'.repeat(30),
    'K@example.com',
    'a@ex\u00admple.com',
    `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.com`,
    'a@xn--.com',
    'a@xn--a.com',
  ]
  const codeUnits = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map(unit => String.fromCharCode(unit)) })
  const hostile = fc.oneof(fc.constantFrom(...notorious), codeUnits, fc.string({ unit: 'grapheme', maxLength: 300 }))
  const marked = hostile.map(text => text + canary)
  const value = fc.oneof(marked, fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 }) as fc.Arbitrary<unknown>)
  const member = fc.oneof(fc.constantFrom(...members, '__proto__', 'constructor', 'is_admin'), marked)
  const someName = fc.constantFrom(...names)

  test('is answered safely when it is JSON', () =>
    holds(
      fc.tuple(someName, fc.oneof(fc.dictionary(member, value, { maxKeys: 6 }), value)),
      async ([name, body]) => void (await send(name, JSON.stringify(body))),
      150,
    ))

  test('is answered safely when it is a good body with one member replaced', () =>
    holds(
      fc.tuple(someName, fc.nat(), value),
      async ([name, which, replaced]) => {
        const shaped = fruitlessBody(name)
        const members = membersOf(name)
        await send(name, JSON.stringify({ ...shaped, [members[which % members.length] ?? '']: replaced }))
      },
      100,
    ))

  test('is answered safely when it is bytes, with any media type', () =>
    holds(
      fc.tuple(
        someName,
        fc.uint8Array({ maxLength: 200 }),
        fc.oneof(
          fc.constantFrom('application/json', 'application/problem+json', ''),
          fc.string({ unit: 'grapheme-ascii' }),
        ),
      ),
      async ([name, bytes, type]) => {
        const { status } = await send(name, Buffer.from(bytes), { 'content-type': type })
        expect([400, 415, 422]).toContain(status)
      },
      100,
    ))

  test('that is accepted as a name is returned as sent, and may be a name', () =>
    holds(
      hostile,
      async name => {
        const { status, body } = await send('update-me', JSON.stringify({ name }))
        const isName = name.isWellFormed() && !hasHidden(name) && !isBlank(name) && [...name].length <= 200
        expect(status).toBe(isName ? 200 : 422)
        if (isName) expect((await target.send({ path: '/auth/me', headers: { authorization } })).body.name).toBe(name)
        else expect(body.errors[0].pointer).toBe('/name')
      },
      100,
    ))
})

test.each<[what: string, size: number, expected: number]>([
  ['7 MB, which no function is given', 7_000_000, 413],
  ['11 MB, which the gateway does not take', 11_000_000, 413],
])('a body of %s is refused by the gateway itself', async (_, size, expected) => {
  const { status } = await target.send({ method: 'POST', path: '/auth/login', body: Buffer.alloc(size, 'x') })
  expect(status).toBe(expected)
})

test('every shape of body is attacked', () => {
  const attacked = new Set<string | undefined>(names.map(name => rows[name].body))
  expect(Object.keys(bodies).filter(shape => !attacked.has(shape))).toEqual([])
})

testAfterAttack(target)
