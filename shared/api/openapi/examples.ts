import { bodies } from '../../accounts/schemas.ts'
import { writeAnswers, writeLists } from '../../catalogue/build/answers.ts'
import { compactCatalogue } from '../../catalogue/build/compact.ts'
import type { Catalogue } from '../../catalogue/model.ts'
import { openFacade } from '../../catalogue/paraminfo/facade.ts'
import { describeAll } from '../../catalogue/paraminfo/parents.ts'
import { openValidator } from '../../catalogue/validate/validate.ts'
import { catalogueLinks } from '../catalogue-links.ts'
import { discoveryResponse, messages } from '../replies.ts'
import type { Route } from '../routes.ts'
import type { Operation } from './operations.ts'

const email = 'ada@example.com'
const password = 'correct horse'

/** Examples by the names of members, which mean the same everywhere. */
const members: Record<string, unknown> = {
  email,
  password,
  current_password: password,
  new_password: 'battery staple',
  name: 'Ada',
  token: 'wLq0gKk1bYz6uTn3pEaJxR5dVf8hMc2sQi7oWt9ZyXU',
}

/** A body that the API accepts, except for its token: that comes by mail. */
export const bodyExample = (name: keyof typeof bodies): Record<string, unknown> =>
  Object.fromEntries(Object.keys(bodies[name].entries).map(member => [member, members[member]]))

/** What the fields of paths may hold: a query with a mistake in it, and a small module. */
export const fieldExamples: Record<NonNullable<Route['fields']>, Record<string, string>> = {
  ValidationRequest: { query: 'list=search&srsearch=a&limit=5', limits: 'any' },
  ParaminfoRequest: { action: 'paraminfo', format: 'json', formatversion: '2', modules: 'query+tokens' },
}

const kid = '01234567-89ab-cdef-0123-456789abcdef'

/** Examples of answers by their shape, but for those that the catalogue gives itself. */
const replyExamples: Record<string, unknown> = {
  UserResponse: {
    id: '019c2f6e-8a10-7c3d-9f4b-2e5a6d7c8b90',
    email,
    name: 'Ada',
    is_admin: false,
    is_verified: false,
    created_at: '2026-03-01T12:00:00.000Z',
  },
  // Its signature is none: that of a real one has 342 characters.
  Token: {
    access_token: 'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTljMmY2ZSJ9.c2lnbmF0dXJl',
    token_type: 'bearer',
    expires_in: 3600,
  },
  KeySet: { keys: [{ kty: 'RSA', n: 'u1SU1LfVLPHCozMxH2Mo', e: 'AQAB', kid, alg: 'RS256', use: 'sig' }] },
  Discovery: discoveryResponse('https://api.example.com/auth'),
  OpenapiDocument: { openapi: '3.1.1', info: { title: 'Gatehouse' }, paths: {} },
}

/** What variables of the catalogue's paths stand for in examples. */
export const variableExamples: Record<string, string> = { name: 'allpages', parameter: 'namespace', set: 'REVPROP' }

/** An example of an operation's success: for the catalogue the real answer, with long lists cut. */
export function examplesOf(catalogue: Catalogue): (operation: Operation) => unknown {
  const answers = writeAnswers(catalogue, catalogueLinks)
  const [wholeList] = writeLists(catalogue).values()
  return ({ shape, path, rowName, row }) => {
    if (shape === 'MessageResponse') return { message: messageOf(rowName), success: true }
    if (shape === 'Report') {
      return openValidator(compactCatalogue(catalogue))(fieldExamples.ValidationRequest.query ?? '', 'any').report
    }
    if (shape === 'Paraminfo') {
      const fields = new Map(Object.entries(fieldExamples.ParaminfoRequest))
      return JSON.parse(openFacade(describeAll(catalogue))(fields).text)
    }
    if (shape in replyExamples) return replyExamples[shape]
    const key = path
      .replace(/^\/catalogue\/?/, '')
      .replace(/^query\+/, 'modules/query+')
      .replaceAll(/\{(\w+)\}/g, (_, variable) => variableExamples[variable] ?? '')
    if (shape === 'TypeScript') return undefined
    const answer = JSON.parse((row.query === 'filters' ? wholeList : answers.get(key))?.text ?? 'null')
    return shape === 'JsonSchema' ? headOf(answer) : abridged(answer)
  }
}

function messageOf(row: string): string {
  const message = Object.entries(messages).find(([name]) => name === row)?.[1]
  if (message === undefined) throw new Error(`${row} answers a MessageResponse, but has no line in messages`)
  return message
}

/** Of a schema, what stands before its parts. */
const headOf = (schema: object) =>
  Object.fromEntries(Object.entries(schema).filter(([, member]) => typeof member === 'string'))

/** Lists have at most this many items in examples. */
const itemsShown = 2

function abridged(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, itemsShown).map(abridged)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, abridged(member)]))
}
