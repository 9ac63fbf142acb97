import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import * as v from 'valibot'
import { DomainError } from '../errors.ts'

/** Bytes. The longest legitimate body, every character of it escaped, has less than half of this. */
const maxBody = 16 * 1024

/**
 * Reads the body of an event as JSON.
 *
 * @throws {DomainError} `body-too-large`, `missing-body`, `unsupported-media-type`, `unsupported-content-encoding`,
 * `malformed-json`
 */
export function readJson(event: Pick<APIGatewayProxyEventV2, 'body' | 'isBase64Encoded' | 'headers'>): unknown {
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8')
  if (bytes.length > maxBody) throw new DomainError('body-too-large')
  if (bytes.length === 0) throw new DomainError('missing-body')
  const contentType = event.headers['content-type']
  if (contentType && !isJson(contentType)) throw new DomainError('unsupported-media-type')
  if (isEncoded(event.headers['content-encoding'])) throw new DomainError('unsupported-content-encoding')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // Without a cause: JSON.parse quotes the body in its message, and there may be a password in it.
    throw new DomainError('malformed-json')
  }
}

/** `utf8` is not registered, but means nothing else, and clients send it. */
function isJson(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.split(';').map(part => part.trim().toLowerCase())
  return (
    /^application\/(?:json|[\w.-]+\+json)$/.test(type) &&
    parameters.every(parameter => !parameter.startsWith('charset') || /^charset="?utf-?8"?$/.test(parameter))
  )
}

/** Nothing is decoded: 16 KiB of gzip can be 16 MB of body. `identity` is no coding (RFC 9110 §8.4.1). */
const isEncoded = (contentEncoding = ''): boolean =>
  contentEncoding.split(',').some(coding => !['', 'identity'].includes(coding.trim().toLowerCase()))

/**
 * Holds a body against its schema.
 *
 * @throws {DomainError} `invalid-body` with `errors: [{ pointer, detail }]` (pointers by RFC 6901)
 */
export function parseBody<S extends v.GenericSchema>(schema: S, json: unknown): v.InferOutput<S> {
  // To valibot an array is an object too.
  const result = v.safeParse(schema, Array.isArray(json) ? null : json, { abortPipeEarly: true })
  if (result.success) return result.output
  const errors = result.issues.map(issue => {
    const path = issue.path?.map(({ key }) => String(key)) ?? []
    return {
      pointer: path.map(key => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
      detail: complaint(issue, path.length > 0),
    }
  })
  const [first] = errors
  const subject = first?.pointer ? `'${first.pointer.slice(1)}'` : 'The body'
  const rest = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  throw new DomainError('invalid-body', { detail: `${subject} ${first?.detail}${rest}`, members: { errors } })
}

/** Never valibot's own words where they would quote what was received. */
function complaint(issue: v.BaseIssue<unknown>, isMember: boolean): string {
  if (!isMember) return 'must be a JSON object'
  return issue.received === 'undefined' || issue.input === undefined ? 'is required' : issue.message
}
