import * as v from 'valibot'
import { proofMembers } from '../accounts/identity/shapes.ts'
import type { Configured } from '../shared/base/config.ts'
import { DomainError } from '../shared/base/errors.ts'
import { type BodyEvent, isJson, parseJson, readBytes } from '../shared/base/raw-body.ts'
import type { bodies } from './bodies.ts'
import type { Step } from './step.ts'

/** In bytes. The longest valid body, with every character escaped, is less than half as long. */
export const maxBody = 16 * 1024

/**
 * Refuses a request whose body is not declared as JSON. Pages of other origins can send any other media type, or none,
 * without a preflight (Fetch standard, "CORS-safelisted request-header").
 *
 * @throws {DomainError} `missing-body`, `unsupported-media-type`
 */
export function requireJson({ body, headers }: BodyEvent): void {
  if (!body) throw new DomainError('missing-body')
  if (!isJson(headers['content-type'] ?? '')) throw new DomainError('unsupported-media-type')
}

/**
 * Reads the body of an event as JSON.
 *
 * @throws {DomainError} `body-too-large`, `missing-body`, `unsupported-media-type`, `unsupported-content-encoding`,
 * `malformed-json`
 */
function readJson(event: BodyEvent): unknown {
  return parseJson(readBytes(event, { bytes: maxBody, isTaken: isJson }))
}

/**
 * Validates a body against its schema.
 *
 * @param ignored members that count as absent
 * @throws {DomainError} `invalid-body` with `errors: [{ pointer, detail }]` (pointers by RFC 6901)
 */
function parseBody<S extends v.GenericSchema>(
  schema: S,
  json: unknown,
  ignored: readonly string[] = [],
): v.InferOutput<S> {
  // For valibot an array is an object too.
  const known = Array.isArray(json) ? null : withoutMembers(ignored, json)
  const result = v.safeParse(schema, known, { abortPipeEarly: true })
  if (result.success) return result.output
  const errors = result.issues.map(issue => {
    const path = issue.path?.map(({ key }) => String(key)) ?? []
    return {
      pointer: path.map(key => `/${key}`).join(''),
      detail: complaint(issue, path.length > 0),
    }
  })
  const [first] = errors
  const subject = first?.pointer ? `'${first.pointer.slice(1)}'` : 'The body'
  const rest = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  throw new DomainError('invalid-body', { detail: `${subject} ${first?.detail}${rest}`, members: { errors } })
}

const withoutMembers = (names: readonly string[], json: unknown): unknown =>
  names.length === 0 || typeof json !== 'object' || json === null
    ? json
    : Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)))

/** Never valibot's own words where they quote the input. */
function complaint(issue: v.BaseIssue<unknown>, isMember: boolean): string {
  if (!isMember) return 'must be a JSON object'
  return issue.received === 'undefined' || issue.input === undefined ? 'is required' : issue.message
}

/** Grants of rows whose body names a language or an application, or has a provider's proof. */
export type ParsingDeps = Configured<'languages' | 'hasClients' | 'hasProviders'>

/** Where no languages are offered, a body's `language` is ignored like any unknown member; likewise `client_id`, and a provider's proof. */
export const parsing = (schema: (typeof bodies)[keyof typeof bodies], { config }: ParsingDeps): Step => ({
  before({ event }) {
    const ignored: string[] = []
    if ('language' in schema.entries && config.languages.length === 0) ignored.push('language')
    if ('client_id' in schema.entries && !config.hasClients) ignored.push('client_id')
    if ('provider_token' in schema.entries && !config.hasProviders) ignored.push(...proofMembers)
    event.json = parseBody<v.GenericSchema>(schema, readJson(event), ignored)
  },
})
