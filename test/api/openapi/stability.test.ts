import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { DescribedOperation, OpenapiDocument } from '../../../api/openapi/document.ts'
import type { Parameter } from '../../../api/openapi/parameters.ts'
import type { MediaType, Response } from '../../../api/openapi/responses.ts'
import type { Reference, Schema } from '../../../api/openapi/schemas.ts'
import { document } from '../../support/api/openapi.ts'

/** The API only grows: `docs/` has the last release's document, and no later one breaks its clients. */

/**
 * The changes that break clients of an earlier document, a sentence each. A request may require less than before, and
 * an answer may contain more.
 *
 * Only the wire matters, not the document's form: shapes may be renamed, HEAD need not be beside GET, and a member's
 * values may be given by examples instead of a constant or an enumeration, if all are. `docs/upgrade/` says what
 * regenerated clients must change.
 */
function breakingChanges(before: OpenapiDocument, after: OpenapiDocument): string[] {
  return Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const where = `${method.toUpperCase()} ${path}`
      const now = after.paths[path]?.[method === 'head' ? 'get' : method]
      if (now && method === 'head') return []
      return now ? ofOperation(where, operation, now, { before, after }) : [`${where} is gone`]
    }),
  )
}

interface Documents {
  before: OpenapiDocument
  after: OpenapiDocument
}

function ofOperation(where: string, old: DescribedOperation, now: DescribedOperation, both: Documents): string[] {
  const needsToken = now.security.length > 0 && old.security.length === 0
  return [
    ...(old.operationId === now.operationId ? [] : [`${where} is called ${now.operationId}, not ${old.operationId}`]),
    ...(needsToken ? [`${where} asks for a token`] : []),
    ...ofParameters(where, old.parameters ?? [], now.parameters ?? [], both),
    ...ofBody(where, old, now, both),
    ...Object.entries(old.responses).flatMap(([status, response]) => {
      const other = now.responses[status]
      const place = `${where} ${status}`
      return other
        ? ofResponse(place, resolve(both.before, response), resolve(both.after, other), both)
        : [`${place} is gone`]
    }),
  ]
}

function ofParameters(where: string, old: Parameter[], now: Parameter[], both: Documents): string[] {
  const find = (some: Parameter[], { name, in: place }: Parameter) =>
    some.find(other => other.name === name && other.in === place)
  return [
    ...old.flatMap(parameter => {
      const other = find(now, parameter)
      const place = `${where}: the parameter ${parameter.name}`
      return other
        ? ofSent(place, flat(both.before, parameter.schema), flat(both.after, other.schema))
        : [`${place} is gone`]
    }),
    ...now
      .filter(parameter => parameter.required && !find(old, parameter)?.required)
      .map(({ name }) => `${where}: the parameter ${name} is needed`),
  ]
}

function ofBody(where: string, old: DescribedOperation, now: DescribedOperation, both: Documents): string[] {
  if (!old.requestBody) return now.requestBody ? [`${where}: a body is needed`] : []
  return Object.entries(old.requestBody.content).flatMap(([type, { schema }]) => {
    const other = now.requestBody?.content[type]
    const place = `${where}: the body ${type}`
    if (!other) return [`${place} is gone`]
    return ofSent(place, flat(both.before, schema), flat(both.after, other.schema))
  })
}

/** Changes to what a client sends: everything that was accepted must still be accepted. */
function ofSent(where: string, old: Schema, now: Schema): string[] {
  const members = Object.entries(old.properties ?? {}) as [string, Schema][]
  const lost = (old.enum ?? []).filter(value => now.enum && !now.enum.includes(value))
  return [
    ...(covers(now, old) ? [] : [`${where} has another type`]),
    ...lost.map(value => `${where} no longer takes ${value}`),
    ...(!old.enum && now.enum ? [`${where} takes some values alone`] : []),
    ...(old.additionalProperties !== false && now.additionalProperties === false
      ? [`${where} takes no other members`]
      : []),
    ...((now.maxLength ?? Infinity) < (old.maxLength ?? Infinity) ? [`${where} must be shorter`] : []),
    ...((now.minLength ?? 0) > (old.minLength ?? 0) ? [`${where} must be longer`] : []),
    ...('const' in now && now.const !== old.const ? [`${where} must be ${now.const}`] : []),
    ...(now.pattern !== undefined && now.pattern !== old.pattern ? [`${where} must be of another form`] : []),
    ...(now.required ?? [])
      .filter(name => !old.required?.includes(name))
      .map(name => `${where}: the member ${name} is needed`),
    ...members.flatMap(([name, schema]) => {
      const other = now.properties?.[name] as Schema | undefined
      return other ? ofSent(`${where}: the member ${name}`, schema, other) : [`${where}: the member ${name} is gone`]
    }),
    ...ofBranches(where, old, now, ofSent),
  ]
}

function ofResponse(where: string, old: Response, now: Response, both: Documents): string[] {
  return [
    ...Object.entries(old.headers ?? {}).flatMap(([name, header]) => {
      const other = now.headers?.[name]
      if (!other) return [`${where}: the header ${name} is gone`]
      const [was, is] = [header, other].map((each, i) =>
        '$ref' in each ? (i === 0 ? both.before : both.after).components.headers[name] : each,
      )
      return was?.required && !is?.required ? [`${where}: the header ${name} may be missing`] : []
    }),
    ...Object.entries(old.content ?? {}).flatMap(([type, media]) => {
      const other = now.content?.[type]
      const place = `${where} ${type}`
      return other ? ofAnswered(place, exact(both.before, media), exact(both.after, other)) : [`${place} is gone`]
    }),
  ]
}

/** Changes to answers: everything that a client relied on must still be there. */
function ofAnswered(where: string, old: Schema, now: Schema): string[] {
  const members = Object.entries(old.properties ?? {}) as [string, Schema][]
  const known = valuesOf(now)
  // Every other constant is a text, because generators cannot use others.
  const isStillTrue = old.const === true && now.type === 'boolean'
  const lost = isStillTrue ? [] : valuesOf(old).filter(value => !known.includes(value))
  const [items, others] = [old.items, now.items] as (Schema | undefined)[]
  return [
    ...(covers(old, now) ? [] : [`${where} has another type`]),
    ...lost.map(value => `${where} is never ${value}`),
    ...('const' in old && !isStillTrue
      ? known.filter(value => value !== old.const).map(value => `${where} is ${value}, not ${old.const}`)
      : []),
    ...(old.required ?? [])
      .filter(name => !now.required?.includes(name))
      .map(name => `${where}: the member ${name} may be missing`),
    ...members.flatMap(([name, schema]) => {
      const other = now.properties?.[name] as Schema | undefined
      return other
        ? ofAnswered(`${where}: the member ${name}`, schema, other)
        : [`${where}: the member ${name} is gone`]
    }),
    ...(items && others ? ofAnswered(`${where}: each`, items, others) : []),
    ...(items && !others ? [`${where}: each may be anything`] : []),
    ...ofBranches(where, old, now, ofAnswered),
  ]
}

/** Changes to alternatives, compared by position. */
function ofBranches(where: string, old: Schema, now: Schema, compare: typeof ofSent): string[] {
  const [before, after] = [old, now].map(({ anyOf, oneOf }) => (anyOf ?? oneOf ?? []) as Schema[])
  return (before ?? []).flatMap((branch, i) => {
    const other = after?.[i]
    return other ? compare(where, branch, other) : [`${where} has a choice less`]
  })
}

const typesOf = ({ type }: Schema): string[] => [type ?? []].flat()

/** Whether a schema takes all types of another one. One without a type takes any. */
const covers = (wide: Schema, narrow: Schema): boolean =>
  typesOf(wide).length === 0 ||
  (typesOf(narrow).length > 0 && typesOf(narrow).every(type => typesOf(wide).includes(type)))

const resolve = (document: OpenapiDocument, response: DescribedOperation['responses'][string]): Response =>
  '$ref' in response ? (document.components.responses[nameOf(response.$ref)] as Response) : response

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** The values that a schema names. */
const valuesOf = (schema: Schema): unknown[] =>
  schema.enum ?? ('const' in schema ? [schema.const] : ((schema.examples ?? []) as unknown[]))

/** An answer's schema with the values of its examples, if they are examples of all its possible values: those of problems. */
function exact(document: OpenapiDocument, { schema, examples }: MediaType): Schema {
  const written = flat(document, schema)
  const values = Object.values(examples ?? {}).map(({ value }) => value as Record<string, unknown>)
  if (values.length === 0) return written
  const properties = Object.entries((written.properties ?? {}) as Record<string, Schema>).map(([name, member]) => {
    const named = ['type', 'title', 'status', 'code'].includes(name) && valuesOf(member).length === 0
    return [name, named ? { ...member, examples: [...new Set(values.map(value => value[name]))] } : member] as const
  })
  const isAlways = (name: string) => values.every(value => name in value)
  return {
    ...written,
    properties: Object.fromEntries(properties),
    required: [...new Set([...(written.required ?? []), ...properties.map(([name]) => name).filter(isAlways)])],
  } as Schema
}

/** A schema with its references inlined, and alternatives of simple types as a list of types. */
function flat(document: OpenapiDocument, schema: Schema): Schema {
  const text = JSON.stringify(schema, (_, part) => {
    const found = typeof part?.$ref === 'string' ? document.components.schemas[nameOf(part.$ref)] : undefined
    return found ? flat(document, found) : part
  })
  return JSON.parse(text, (_, part) => {
    const types = ((part?.anyOf ?? []) as Schema[]).map(({ type }) => type)
    const isSimple = types.length > 0 && types.every(type => typeof type === 'string' && !/array|object/.test(type))
    if (!isSimple) return part
    const { anyOf, ...rest } = part
    return Object.assign({}, ...anyOf, rest, { type: types })
  }) as Schema
}

const root = join(import.meta.dirname, '../../..')
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
const [newest = '', last = ''] = [...changelog.matchAll(/^## \[(.+)\]/gm)].map(([, version]) => version)
const released = read(`docs/openapi-${last}.json`) as OpenapiDocument

test('the document of the release before the changelog’s newest is kept, and no other', () => {
  expect(globSync('docs/openapi-*.json', { cwd: root })).toEqual([`docs/openapi-${last}.json`])
  expect(released.info.version).toBe(last)
  expect(read('package.json').version).toBe(newest === 'Unreleased' ? last : newest)
})

const of = (operations: string[], fault: string) =>
  operations.map(operation => `POST /auth/${operation}: the body application/json: ${fault}`)

/** Refused on purpose where this release accepted it: more invisible characters. It did not describe passkeys' labels. */
const corrected = [
  ...of(['login', 'passkeys/login', 'provider-login'], 'the member session: the member label must be of another form'),
  ...of(['register', 'accept-invitation'], 'the member name must be of another form'),
  ...of(['passkeys/confirm', 'passkeys/rename'], 'the member label must be of another form'),
  ...of(['passkeys/confirm', 'passkeys/rename'], 'the member label must be shorter'),
  'PUT /auth/me: the body application/json: the member name must be of another form',
]

/** Refusals that the released document has in words alone. */
const saidInWords =
  /: the member (?:assertion|credential)(?: has another type|: the member (?:id|rawId|response) is needed)$/

test('nothing that it describes has changed for its clients, but for corrections', () => {
  const changes = breakingChanges(released, document).filter(change => !saidInWords.test(change))
  expect(changes.toSorted()).toEqual(corrected.toSorted())
})

/** The sentences of answers, by where their examples stand. */
function sentencesOf(thing: unknown, path: readonly string[] = []): [path: string, sentence: string][] {
  if (typeof thing !== 'object' || thing === null) return []
  return Object.entries(thing).flatMap(([name, value]) =>
    typeof value === 'string' && (name === 'detail' || name === 'message')
      ? [[[...path, name].join(' '), value] as const]
      : sentencesOf(value, [...path, name]),
  ) as [string, string][]
}

test('what its answers say in a sentence has not changed', () => {
  const present = new Map(sentencesOf(document.paths))
  const former = sentencesOf(released.paths).filter(([path]) => present.has(path))
  expect(former.length).toBeGreaterThan(100)
  expect(former.filter(([path, sentence]) => present.get(path) !== sentence)).toEqual([])
})

type Change = (document: OpenapiDocument) => void

const login = ({ paths }: OpenapiDocument) => paths['/auth/login']?.post as DescribedOperation
const answer = (document: OpenapiDocument, status: number) => {
  const response = login(document).responses[status] as Response | Reference
  return '$ref' in response
    ? (document.components.responses[response.$ref.split('/').at(-1) as string] as Response)
    : response
}
const changed = (change: Change): OpenapiDocument => {
  const copy = structuredClone(document) as OpenapiDocument
  change(copy)
  return copy
}

/** Changes a shape, or a member of it: `Token.expires_in`. */
const alter =
  (path: string, changes: object): Change =>
  ({ components }) => {
    const [shape = '', member] = path.split('.')
    const schema = components.schemas[shape]
    Object.assign((member === undefined ? schema : schema?.properties?.[member]) as object, changes)
  }
const without =
  (shape: string, member: string): Change =>
  ({ components }) =>
    delete components.schemas[shape]?.properties?.[member]
const problems = 'application/problem+json'
const challenge = (document: OpenapiDocument) => answer(document, 401).headers as Record<string, object>

describe('the test notices that', () => {
  test.each<[string, Change, string]>([
    ['a path is gone', ({ paths }) => delete paths['/auth/login'], 'POST /auth/login is gone'],
    ['a method is gone', ({ paths }) => delete paths['/auth/me']?.put, 'PUT /auth/me is gone'],
    [
      'an operation has another name',
      d => Object.assign(login(d), { operationId: 'signIn' }),
      'POST /auth/login is called signIn, not login',
    ],
    [
      'a token is asked for',
      d => Object.assign(login(d), { security: [{ bearer: [] }] }),
      'POST /auth/login asks for a token',
    ],
    ['a status is gone', d => delete login(d).responses[401], 'POST /auth/login 401 is gone'],
    [
      'a code is gone',
      d => delete answer(d, 403).content?.[problems]?.examples?.['account-locked'],
      'never account-locked',
    ],
    [
      'a status says something else',
      d =>
        void JSON.stringify(answer(d, 403), (_, part) => (part?.title ? Object.assign(part, { title: 'No' }) : part)),
      'the member title is never Forbidden',
    ],
    [
      'a member that comes with a code may be missing',
      ({ paths }) =>
        void JSON.stringify(paths['/catalogue/modules'], (_, part) =>
          part?.code === 'query-parameter-unknown' ? delete part.allowed : part,
        ),
      'the member allowed may be missing',
    ],
    [
      'a member of an answer is gone',
      without('Token', 'expires_in'),
      'POST /auth/login 200 application/json: the member expires_in is gone',
    ],
    ['a member of an answer may be missing', alter('Token', { required: [] }), 'the member expires_in may be missing'],
    [
      'a member of an answer has another type',
      alter('Token.expires_in', { type: 'string' }),
      'the member expires_in has another type',
    ],
    [
      'a member of an answer may have any type',
      alter('Token.expires_in', { type: undefined }),
      'the member expires_in has another type',
    ],
    [
      'a list of an answer may have anything',
      alter('SessionList.sessions', { items: undefined }),
      'the member sessions: each may be anything',
    ],
    ['a constant has changed', alter('Token.token_type', { const: 'mac' }), 'is mac, not bearer'],
    ['a header is gone', d => delete challenge(d)['WWW-Authenticate'], 'the header WWW-Authenticate is gone'],
    [
      'a header may be missing',
      d => Object.assign(challenge(d)['WWW-Authenticate'] as object, { required: false }),
      'the header WWW-Authenticate may be missing',
    ],
    [
      'a media type is gone',
      d => delete answer(d, 401).content?.[problems],
      `POST /auth/login 401 ${problems} is gone`,
    ],
    ['another member is needed', alter('UserLogin', { required: ['code'] }), 'the member code is needed'],
    ['a member of a body is gone', without('UserCreate', 'name'), 'the member name is gone'],
    ['a text must be shorter', alter('UserCreate.name', { maxLength: 100 }), 'must be shorter'],
    ['a text must be longer', alter('NewPassword', { minLength: 15 }), 'must be longer'],
    ['a member takes one value alone', alter('UserLogin.password', { const: 'x' }), 'the member password must be x'],
    [
      'a member of a body has another type',
      alter('UserLogin.password', { type: 'integer' }),
      'the member password has another type',
    ],
    [
      'other members are refused',
      alter('UserLogin', { additionalProperties: false }),
      'POST /auth/login: the body application/json takes no other members',
    ],
    [
      'a filter is gone',
      ({ paths }) => paths['/catalogue/modules']?.get?.parameters?.shift(),
      'GET /catalogue/modules: the parameter group is gone',
    ],
    [
      'a filter takes less',
      ({ components }) => components.schemas.GroupName?.enum?.pop(),
      'the parameter group no longer takes meta',
    ],
    [
      'a parameter is needed',
      ({ paths }) => {
        const added = { name: 'x', in: 'query', required: true, description: 'x', schema: {} } as const
        paths['/catalogue/groups']?.get?.parameters?.push(added)
      },
      'the parameter x is needed',
    ],
  ])('%s', (_, change, fault) => {
    expect(breakingChanges(document, changed(change)).join('\n')).toContain(fault)
  })
})
