import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { OpenapiDocument } from './document.ts'
import { findOperation, isPage } from './match.ts'
import { type MediaType, type Response, type Responses, refusal } from './responses.ts'

/** An answer as its client receives it, with its body decoded. */
export interface WireAnswer {
  status: number
  header(name: string): string | null
  body: string
}

/** Lists an answer's differences from the document, a sentence each; empty if it conforms. */
type Conformance = (method: string, path: string, answer: WireAnswer) => string[]

/** Headers that are described wherever they occur. */
const tracked = [
  ...['RateLimit', 'RateLimit-Policy', 'Retry-After', 'WWW-Authenticate'],
  ...['Allow', 'ETag', 'Cache-Control', 'Accept-Encoding'],
]

/** Headers of all our answers at these statuses. The gateway's own lack them. */
const ours: Record<number, string> = { 401: 'WWW-Authenticate', 429: 'Retry-After', 503: 'Retry-After' }

/**
 * Checks answers against a document: status, media type, headers and schema.
 *
 * @param isClosed whether an undescribed member is a fault; clients must accept new ones
 * @param isGateway whether the gateway may have answered
 */
export function conformanceTo(
  document: OpenapiDocument,
  { isClosed, isGateway }: { isClosed: boolean; isGateway: boolean },
): Conformance {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(isClosed ? closeObjects(document) : document, id)
  const validators = new Map<string, ValidateFunction>()
  /** @param where a pointer to the schema, by default in the document */
  const faultsOf = (where: string, value: unknown, name = 'body', schema: object = { $ref: id + where }): string[] => {
    const validate = validators.get(where) ?? ajv.compile(schema)
    validators.set(where, validate)
    return validate(value) ? [] : [ajv.errorsText(validate.errors, { dataVar: name })]
  }

  const faultsOfBody = (where: string, { content = {} }: Response, answer: WireAnswer): string[] => {
    const [type = ''] = (answer.header('content-type') ?? '').split(';')
    const described = Object.keys(content).find(known => known.split(';')[0] === type)
    if (!described) return [`the media type ${type || 'none'} is not described`]
    const value = /json$/.test(type) ? parse(answer.body) : answer.body
    const { schema, examples = {} } = content[described] as MediaType
    const faults = faultsOf(schema.$ref ?? `${where}/content/${escapePointer(described)}/schema`, value)
    return faults.length > 0 ? faults : faultsOfProblem(Object.entries(examples), value as Problem)
  }

  /** The schema of a problem allows every code, status and title; its examples list the known ones. */
  const faultsOfProblem = (examples: [code: string, { value: unknown }][], problem: Problem): string[] => {
    const [first] = examples
    if (!first) return []
    const { type, title, status } = first[1].value as Problem
    const isThat = problem.type === type && problem.title === title && problem.status === status
    return [
      ...(isThat ? [] : [`the problem is ${problem.status} ${problem.title}`]),
      ...(examples.some(([code]) => code === problem.code) ? [] : [`the code ${problem.code} is not described`]),
    ]
  }

  const faultsOfHeaders = (where: string, response: Response, answer: WireAnswer): string[] => {
    const { headers = {} } = response
    const isOurs = (answer.header('content-type') ?? '').startsWith('application/problem+json')
    const due = isOurs ? ours[answer.status] : undefined
    return tracked.flatMap(name => {
      const value = answer.header(name)
      const stated = headers[name]
      if (value !== null && !stated) return [`the header ${name} is not described`]
      const isShared = stated !== undefined && '$ref' in stated
      const header = isShared ? document.components.headers[name] : stated
      if (value === null) return header?.required || name === due ? [`the header ${name} is missing`] : []
      const place = isShared ? stated.$ref : `${where}/headers/${name}`
      const { schema = {} } = header ?? {}
      return faultsOf(`${place}/schema`, schema.type === 'integer' ? Number(value) : value, name, schema)
    })
  }

  const faultsAt = (where: string, stated: Responses[string], method: string, answer: WireAnswer): string[] => {
    const [place, response] = resolve(document, where, stated)
    const hasBody = method !== 'HEAD' && response.content !== undefined
    const body = hasBody ? faultsOfBody(place, response, answer) : answer.body ? ['a body is not described'] : []
    return [...body, ...faultsOfHeaders(place, response, answer)]
  }

  /** Whether it is the gateway's own answer to a bad request. OAuth endpoints refuse with the same media type. */
  const isOfGateway = ({ status, body }: WireAnswer) =>
    malformed.includes(status) && faultsOf(pointer('components', 'schemas', 'GatewayMessage'), parse(body)).length === 0

  return (method, path, answer) => {
    const { status } = answer
    const isPlain = /^application\/json\b/.test(answer.header('content-type') ?? '')
    if (isGateway && isPlain && isOfGateway(answer)) return []
    // HTML is not described: neither pages, nor a browser's answer for an unknown path.
    const isHtml = /^text\/html\b/.test(answer.header('content-type') ?? '')
    if (isHtml && elsewhere[status]) return []
    const described = method === 'HEAD' ? 'GET' : method
    const found = findOperation(document, described, path)
    if (found) {
      const stated = found.operation.responses[status]
      const where = `${pointer('paths', found.template, described.toLowerCase(), 'responses')}/${status}`
      return stated ? faultsAt(where, stated, method, answer) : [`${status} is not described`]
    }
    if (isHtml || isPage(path)) return []
    if (method === 'OPTIONS' && status === 204) return []
    const stated = elsewhere[status]
    return stated ? faultsAt(`elsewhere/${status}`, stated, method, answer) : [`${status} is not described`]
  }
}

const escapePointer = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
const pointer = (...parts: string[]): string => `#/${parts.map(escapePointer).join('/')}`

interface Problem {
  type: string
  title: string
  status: number
  code: string
}

/** Answers to requests that match no operation: the document has them in words alone. */
const elsewhere: Record<number, Response> = {
  404: refusal(404, ['not-found', 'module-not-found', 'parameter-not-found', 'set-not-found']),
  405: refusal(405, ['method-not-allowed'], {
    Allow: { description: '', required: true, schema: { type: 'string' } },
  }),
}

/** Statuses of the gateway's own answers, for requests that reach no function. */
const malformed = [400, 404, 408, 413, 431]

const id = 'openapi.json'

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function resolve(document: OpenapiDocument, where: string, stated: Responses[string]): [string, Response] {
  if (!('$ref' in stated)) return [where, stated]
  const name = stated.$ref.slice(stated.$ref.lastIndexOf('/') + 1)
  return [stated.$ref, document.components.responses[name] as Response]
}

/** The document with all objects closed that list their members. */
function closeObjects(value: unknown): object {
  return JSON.parse(
    JSON.stringify(value, (_, part) =>
      part?.type === 'object' && part.properties && part.additionalProperties === undefined
        ? { ...part, additionalProperties: false }
        : part,
    ),
  )
}
