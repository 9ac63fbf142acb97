import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { is } from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { bodies } from '../../api/bodies.ts'
import { memberExamples } from '../../api/openapi/meanings.ts'
import type { Schema } from '../../api/openapi/schemas.ts'
import { type Route, routes } from '../../api/routes.ts'
import { countCodePoints } from '../../shared/base/shapes.ts'
import { document } from '../support/api/openapi.ts'
import { endpointNames, isRequired, membersOf } from '../support/api/rows.ts'
import { holds } from '../support/property.ts'
import { goodRequest, send } from '../support/service/endpoints.ts'
import { createHarness } from '../support/service/harness.ts'
import { expectProblem } from './problem.ts'

const harness = createHarness()
// Otherwise the members about languages are unknown.
beforeEach(() => {
  harness.config.languages = ['en', 'de']
})

const rows: Record<string, Route> = routes
const withBody = endpointNames.filter(name => rows[name]?.body)

const type = (contentType: string) => ({ headers: { 'content-type': contentType } })
const coding = (contentEncoding: string) => ({ headers: { 'content-encoding': contentEncoding } })

const malformed = [
  ['absent', { body: undefined }, 'missing-body'],
  ['empty', { body: '' }, 'missing-body'],
  ['no JSON', { body: 'email=ada' }, 'malformed-json'],
  ['cut off', { body: '{"email":' }, 'malformed-json'],
  ['followed by more', { body: '{} {}' }, 'malformed-json'],
  ['not UTF-8', { body: '{"email":"\xff"}', base64: true }, 'malformed-json'],
  ['a lone surrogate in bytes (CESU-8)', { body: '{"name":"\xed\xa0\x80"}', base64: true }, 'malformed-json'],
  ['an overlong NUL', { body: '{"name":"\xc0\x80"}', base64: true }, 'malformed-json'],
  ['UTF-16 that does not say so', { body: '\xff\xfe{\0}\0', base64: true }, 'malformed-json'],
  ['a control character in a text', { body: '{"name":"\x01"}' }, 'malformed-json'],
  ['in single quotes', { body: "{'email':'a'}" }, 'malformed-json'],
  ['a comment', { body: '{/**/}' }, 'malformed-json'],
  ['a comma too many', { body: '{"email":"a",}' }, 'malformed-json'],
  ['a number as no JSON knows it', { body: '{"email":NaN}' }, 'malformed-json'],
  ['blanks', { body: ' \n\t ' }, 'malformed-json'],
  ['2,000 objects in each other, cut off', { body: '{"name":'.repeat(2000) }, 'malformed-json'],
  ['over 16 KiB', { body: JSON.stringify({ padding: 'x'.repeat(16 * 1024) }) }, 'body-too-large'],
  ['over 16 KiB and no JSON', { body: 'x'.repeat(16 * 1024 + 1) }, 'body-too-large'],
  ['over 16 KiB in bytes, not in characters', { body: JSON.stringify('é'.repeat(8192)) }, 'body-too-large'],
  ['a form', { body: 'email=ada', ...type('application/x-www-form-urlencoded') }, 'unsupported-media-type'],
  [
    'a form in parts',
    { body: '--x\r\n\r\n--x--', ...type('multipart/form-data; boundary=x') },
    'unsupported-media-type',
  ],
  [
    'XML',
    { body: '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>', ...type('text/xml') },
    'unsupported-media-type',
  ],
  ['of a media type twice', { body: '{}', ...type('application/json, application/json') }, 'unsupported-media-type'],
  ['of a media type of blanks', { body: '{}', ...type(';;;=;') }, 'unsupported-media-type'],
  ['plain text', { body: '{}', ...type('text/plain') }, 'unsupported-media-type'],
  ['of no media type', { body: '{}', ...type('') }, 'unsupported-media-type'],
  ['of an odd media type', { body: '{}', ...type('json') }, 'unsupported-media-type'],
  ['in UTF-16', { body: '{}', ...type('application/json; charset=utf-16') }, 'unsupported-media-type'],
  ['in gzip', { body: '{}', ...coding('gzip') }, 'unsupported-content-encoding'],
  ['in a coding that nobody knows', { body: '{}', ...coding('x') }, 'unsupported-content-encoding'],
  ['in a list of codings', { body: '{}', ...coding('identity, gzip') }, 'unsupported-content-encoding'],
  ['in gzip and over 16 KiB', { body: 'x'.repeat(20_000), ...coding('gzip') }, 'body-too-large'],
  [
    'in gzip and of a media type that is not read',
    { body: 'x', headers: { ...type('image/png').headers, ...coding('gzip').headers } },
    'unsupported-media-type',
  ],
  ['an array', { body: '[]' }, 'invalid-body'],
  ['an array of objects', { body: '[{}]' }, 'invalid-body'],
  ['null', { body: 'null' }, 'invalid-body'],
  ['text', { body: '"text"' }, 'invalid-body'],
  ['a number', { body: '1e999' }, 'invalid-body'],
  ['deeply nested', { body: '['.repeat(8000) + ']'.repeat(8000) }, 'invalid-body'],
] as const

const readable = [
  type('application/json'),
  type('application/json; charset=utf-8'),
  type('APPLICATION/JSON;charset="UTF-8"'),
  type('application/json; charset=utf8'),
  type('application/json; charset="UTF8"'),
  type('application/vnd.x+json'),
  // An empty name means no coding.
  coding('identity'),
  coding('Identity'),
  coding(''),
]

const { schemas } = document.components
// Formats are annotations.
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(document, 'document')
const isDescribed = (shape: string, value: unknown): boolean =>
  ajv.getSchema(`document#/components/schemas/${shape}`)?.(value) as boolean

/** The sets of members that a body may have beside the required ones. */
function setsOf(shape: string): string[][] {
  const { properties = {}, required = [] } = schemas[shape] as Schema
  const optional = Object.keys(properties).filter(member => !required.includes(member))
  return Array.from({ length: 2 ** optional.length }, (_, bits) => [
    ...required,
    ...optional.filter((_, i) => bits & (1 << i)),
  ])
}

const exampleWith = (members: string[]) =>
  Object.fromEntries(members.map(member => [member, memberExamples[member as keyof typeof memberExamples]]))

/** Texts without joiners: words describe those of names. */
const texts = (constraints: fc.StringConstraints = {}) => fc.string({ unit: 'grapheme-composite', ...constraints })

/** Values that a schema allows. Words describe more of an address, a name and a passkey's second id. */
function allowed(schema: Schema): fc.Arbitrary<unknown> {
  const { $ref, type, enum: values, pattern, minLength = 0, maxLength } = schema
  const shape = $ref?.split('/').at(-1)
  if (shape === 'Email') return fc.emailAddress().map(address => address.replaceAll(/[^@.a-z0-9-]/gi, 'x'))
  if (shape) return allowed(schemas[shape] as Schema)
  if (values) return fc.constantFrom(...(values as unknown[]))
  if (Array.isArray(type)) return fc.oneof(...type.map(each => allowed({ ...schema, type: each })))
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(allowed(schema.items as Schema), { maxLength: 3 })
    case 'object':
      return objects(schema, Object.keys(schema.properties ?? {}), schema.required)
    case 'string':
      // Base64url, which `stringMatching` draws a thousand times as slowly.
      if (pattern?.includes('[AQgw]')) return fc.uint8Array().map(bytes => Buffer.from(bytes).toString('base64url'))
      if (pattern && !pattern.startsWith('^[^')) return fc.stringMatching(new RegExp(pattern))
      return fc
        .oneof(texts({ minLength, maxLength: 300 }), fc.constant('🏰'.repeat(Math.min(maxLength ?? 0, 4050))))
        .filter(text => [text, text.normalize()].every(each => countCodePoints(each) <= (maxLength ?? Infinity)))
        .filter(text => new RegExp(pattern ?? '').test(text) && countCodePoints(text) >= minLength)
    default:
      return fc.jsonValue()
  }
}

function objects({ properties = {} }: Schema, members: string[], required = members): fc.Arbitrary<object> {
  const each = Object.fromEntries(members.map(member => [member, allowed(properties[member] as Schema)]))
  return fc
    .record(each, { requiredKeys: required })
    .map(thing => ('rawId' in thing ? { ...thing, rawId: thing.id } : thing))
}

/** Values of each JSON type that a schema does not take, and a text that is too long for it. */
function foreignTo(schema: Schema): unknown[] {
  const { $ref, type, maxLength } = schema
  if ($ref) return foreignTo(schemas[$ref.split('/').at(-1) ?? ''] as Schema)
  if (type === undefined) return []
  const types: string[] = [type].flat()
  const values = { null: null, boolean: true, number: 12_345_678, array: ['correct horse'], object: {}, string: 'text' }
  const others = Object.entries(values).flatMap(([each, value]) => (types.includes(each) ? [] : [value]))
  return types.includes('string') && maxLength ? [...others, 'x'.repeat(maxLength + 1)] : others
}

describe.each(withBody)('the body of %s', name => {
  const answerTo = async (changes: object) => send(harness, name, { ...(await goodRequest(harness, name)), ...changes })

  test('is refused when it is malformed, and nothing is spent: afterwards the request succeeds', async () => {
    // More of them than a client IP address may send in a minute.
    harness.config.rateLimits = null
    const request = await goodRequest(harness, name)
    for (const [what, changes, code] of malformed) {
      const headers = { ...request.headers, ...('headers' in changes ? changes.headers : {}) }
      expectProblem(await send(harness, name, { ...request, ...changes, headers }), code, what)
    }
    expect((await send(harness, name, request)).status).toBe(routes[name].reply[0])
  })

  test('is refused in a content coding, with the coding that is accepted', async () => {
    const request = await goodRequest(harness, name)
    const ask = (added: object) => send(harness, name, { ...request, headers: { ...request.headers, ...added } })
    expect((await ask({ 'content-encoding': 'br' })).headers['accept-encoding']).toBe('identity')
    expect((await ask({ 'content-type': 'text/plain' })).headers).not.toHaveProperty('accept-encoding')
  })

  test('is read as any media type of JSON, in no coding, and in base64', async () => {
    harness.config.rateLimits = null
    const { body, ...request } = await goodRequest(harness, name)
    // A body refused as not JSON was read.
    for (const changes of readable) {
      const headers = { ...request.headers, ...changes.headers }
      const answer = await send(harness, name, { ...request, headers, body: '{"email":' })
      expectProblem(answer, 'malformed-json', JSON.stringify(changes))
    }
    const { status } = await send(harness, name, { ...request, body: JSON.stringify(body), base64: true })
    expect(status).toBe(routes[name].reply[0])
  })

  test('may have unknown members and members that only the server sets: they are ignored', async () => {
    const request = await goodRequest(harness, name)
    const [stored] = await harness.accountItems()
    if (stored) await harness.operator.setRoles(stored, ['editor'], harness.deps.now())
    const extra =
      '"roles":["admin"],"is_admin":true,"id":"1","ver":9,"constructor":{"prototype":{}},"__proto__":{"is_admin":true}'
    const body = `{${extra},${JSON.stringify(request.body).slice(1)}`
    const answer = await send(harness, name, { ...request, body })
    expect(answer.status).toBe(routes[name].reply[0])
    for (const item of await harness.accountItems()) {
      expect(item).toMatchObject({ is_admin: false, email: expect.any(String) })
      expect(item.roles).toEqual(item.id === stored?.id ? ['editor'] : undefined)
    }
    expect(({} as { is_admin?: unknown }).is_admin).toBeUndefined()
  })

  test('gets all its faults named at once, without the values that were sent', async () => {
    const faulty = [17, { hunter2: 17 }, ['hunter2']]
    // Some members are objects.
    const isThing = (member: string) => ['session', 'assertion', 'credential'].includes(member)
    const sent = Object.fromEntries(
      membersOf(name).map((member, i) => [member, isThing(member) ? ['hunter2'] : faulty[i % faulty.length]]),
    )
    const { body } = await answerTo({ body: sent })
    expect(body).toMatchObject({ code: 'invalid-body', detail: expect.any(String) })
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(
      membersOf(name).map(member => `/${member}`),
    )
    for (const { detail } of body.errors) expect(detail).toMatch(/^must (?:not )?be /)
    expect(JSON.stringify(body)).not.toMatch(/17|hunter2/)
  })

  test('refuses a name or label that cannot be seen, and spends nothing', async () => {
    harness.config.rateLimits = null
    const request = await goodRequest(harness, name)
    const at: Record<string, (text: string) => object> = {
      name: text => ({ name: text }),
      label: text => ({ label: text }),
      session: label => ({ session: { label } }),
    }
    const places = membersOf(name).flatMap(member => at[member] ?? [])
    const named = (text: string) => ({
      ...request,
      body: Object.assign({}, request.body, ...places.map(put => put(text))),
    })
    for (const text of places.length > 0
      ? ['Ada\u034f', 'Ada\u200d', '\u00a0\u2800', 'a\nb', 'a\0', '\u202e', '\ud800']
      : []) {
      const { status, body } = await send(harness, name, named(text))
      expect([status, body.errors.map(({ pointer }: { pointer: string }) => pointer.split('/').at(-1))]).toEqual([
        422,
        places.map(put => (JSON.stringify(put('')).includes('label') ? 'label' : 'name')),
      ])
    }
    expect((await send(harness, name, named('അനില്\u200d 👩\u200d🚀'))).status).toBe(routes[name].reply[0])
  })

  test('needs each member that its schema does not default', async () => {
    const { body, status } = await answerTo({ body: {} })
    const missing = membersOf(name).filter(member => isRequired(name, member))
    if (missing.length === 0) return expect(status).toBe(routes[name].reply[0])
    expect(body.errors).toEqual(missing.map(member => ({ pointer: `/${member}`, detail: 'is required' })))
  })

  const shape = rows[name]?.body as keyof typeof bodies

  test('may have the members together that its description allows, and no others', () => {
    const taken = (members: string[]) => is(bodies[shape], exampleWith(members))
    const differ = setsOf(shape).filter(members => isDescribed(shape, exampleWith(members)) !== taken(members))
    expect(differ).toEqual([])
  })

  test('is not refused for its shape where its description allows it', async () => {
    harness.config.rateLimits = null
    const { properties } = schemas[shape] as Schema
    // Words say that a token of another kind has no meaning there, and that all others end without an id.
    const isForAll = (members: string[]) =>
      name === 'set-up-second-factor' ? members.length > 0 : name !== 'end-session' || members.includes('id')
    const sets = setsOf(shape).filter(members => isForAll(members) && isDescribed(shape, exampleWith(members)))
    const request = await goodRequest(harness, name)
    const fitting = fc.constantFrom(...sets).chain(members => objects({ properties } as Schema, members))
    await holds(
      fitting,
      async body => {
        expect(isDescribed(shape, body)).toBe(true)
        expect((await send(harness, name, { ...request, body })).body?.errors).toBe(undefined)
      },
      // Each may compare a password.
      12,
    )
    expectProblem(await send(harness, name, { ...request, body: '[]' }), 'invalid-body')
  })

  test('refuses a member of another type than its description gives, or longer, by that member', async () => {
    harness.config.rateLimits = null
    const { properties = {} } = schemas[shape] as Schema
    const { body, ...request } = await goodRequest(harness, name)
    for (const [member, schema] of Object.entries(properties)) {
      // The next test's: null stands for no assertion.
      const taken = member === 'assertion' && !isRequired(name, member) ? [null] : []
      for (const value of foreignTo(schema as Schema).filter(each => !taken.includes(each as null))) {
        const answer = await send(harness, name, { ...request, body: { ...(body as object), [member]: value } })
        const pointers: string[] = (answer.body.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)
        const told = pointers.map(pointer => pointer.split('/')[1])
        expect([answer.status, told], `${member}: ${JSON.stringify(value)?.slice(0, 40)}`).toEqual([
          422,
          expect.arrayContaining([member]),
        ])
      }
    }
  })

  test('may have null in the place of no assertion', async () => {
    if (!membersOf(name).includes('assertion') || isRequired(name, 'assertion')) return
    const { body, ...request } = await goodRequest(harness, name)
    const { status } = await send(harness, name, { ...request, body: { ...(body as object), assertion: null } })
    expect(status).toBe(routes[name].reply[0])
  })
})
