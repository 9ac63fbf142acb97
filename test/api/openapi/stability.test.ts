import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { DescribedOperation, OpenapiDocument } from '../../../api/openapi/document.ts'
import type { Response } from '../../../api/openapi/responses.ts'
import type { Reference } from '../../../api/openapi/schemas.ts'
import { breakingChanges } from '../../support/api/breaking-changes.ts'
import { document } from '../../support/api/openapi.ts'

/** The API only grows: `docs/` has the last release's document, and no later one breaks its clients. */

const root = join(import.meta.dirname, '../../..')
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))
const { version } = read('package.json') as { version: string }
const released = read(`docs/openapi-${version}.json`) as OpenapiDocument

test('the document of the last release is kept, and no other', () => {
  expect(globSync('docs/openapi-*.json', { cwd: root })).toEqual([`docs/openapi-${version}.json`])
  expect(released.info.version).toBe(version)
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
      d => delete answer(d, 403).content?.['application/problem+json']?.examples?.['account-locked'],
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
      ({ components }) => delete components.schemas.Token?.properties?.expires_in,
      'POST /auth/login 200 application/json: the member expires_in is gone',
    ],
    [
      'a member of an answer may be missing',
      ({ components }) => components.schemas.UserResponse?.required?.pop(),
      'the member created_at may be missing',
    ],
    [
      'a member of an answer has another type',
      ({ components }) => Object.assign(components.schemas.Token?.properties?.expires_in as object, { type: 'string' }),
      'the member expires_in has another type',
    ],
    [
      'a member of an answer may have any type',
      ({ components }) =>
        Object.assign(components.schemas.Token?.properties?.expires_in as object, { type: undefined }),
      'the member expires_in has another type',
    ],
    [
      'what is in a list of an answer may be anything',
      ({ components }) =>
        Object.assign(components.schemas.SessionList?.properties?.sessions as object, { items: undefined }),
      'the member sessions: each may be anything',
    ],
    [
      'a constant has changed',
      ({ components }) => Object.assign(components.schemas.Token?.properties?.token_type as object, { const: 'mac' }),
      'is mac, not bearer',
    ],
    [
      'a header is gone',
      d => delete answer(d, 401).headers?.['WWW-Authenticate'],
      'the header WWW-Authenticate is gone',
    ],
    [
      'a header may be missing',
      d => Object.assign(answer(d, 401).headers?.['WWW-Authenticate'] ?? {}, { required: false }),
      'the header WWW-Authenticate may be missing',
    ],
    [
      'a media type is gone',
      d => delete answer(d, 401).content?.['application/problem+json'],
      'POST /auth/login 401 application/problem+json is gone',
    ],
    [
      'another member is needed',
      ({ components }) => components.schemas.UserLogin?.required?.push('code'),
      'the member code is needed',
    ],
    [
      'a member of a body is gone',
      ({ components }) => delete components.schemas.UserCreate?.properties?.name,
      'the member name is gone',
    ],
    [
      'a text must be shorter',
      ({ components }) => Object.assign(components.schemas.UserCreate?.properties?.name ?? {}, { maxLength: 100 }),
      'must be shorter',
    ],
    [
      'a text must be longer',
      ({ components }) => Object.assign(components.schemas.NewPassword ?? {}, { minLength: 15 }),
      'must be longer',
    ],
    [
      'a member of a body takes one value alone',
      ({ components }) => Object.assign(components.schemas.UserLogin?.properties?.password ?? {}, { const: 'x' }),
      'the member password must be x',
    ],
    [
      'a member of a body has another type',
      ({ components }) => Object.assign(components.schemas.UserLogin?.properties?.password ?? {}, { type: 'integer' }),
      'the member password has another type',
    ],
    [
      'other members of a body are refused',
      ({ components }) => Object.assign(components.schemas.UserLogin ?? {}, { additionalProperties: false }),
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

test.each<[string, Change]>([
  ['a path', ({ paths }) => Object.assign(paths, { '/auth/new': { get: login(document) } })],
  ['a status and a code', d => Object.assign(login(d).responses, { 418: answer(d, 403) })],
  [
    'a member of an answer',
    ({ components }) => Object.assign(components.schemas.Token?.properties ?? {}, { more: { type: 'string' } }),
  ],
  [
    'a member that may be sent',
    ({ components }) => Object.assign(components.schemas.UserLogin?.properties ?? {}, { code: { type: 'string' } }),
  ],
  [
    'a longer text',
    ({ components }) => Object.assign(components.schemas.UserCreate?.properties?.name ?? {}, { maxLength: 300 }),
  ],
])('%s may be added', (_, change) => {
  expect(breakingChanges(document, changed(change))).toEqual([])
})
