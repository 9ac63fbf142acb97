// GET and POST /catalogue/validate: a query in, a report out. The report is the resource, whatever it says.
import { caching } from '../../shared/base/answer.ts'
import { DomainError } from '../../shared/base/errors.ts'
import { quote, refuseQuery } from '../../shared/base/query.ts'
import { plain } from '../../shared/prebuilt/encoding.ts'
import { deliver } from '../../shared/prebuilt/response.ts'
import { type Limits, limitChoices } from '../validate/finding.ts'
import { openValidator } from '../validate/validate.ts'
import type { CatalogueRequest } from './http.ts'
import type { Pack } from './pack.ts'
import { type Fields, fieldsOfBody, fieldsOfQuery, type QueryEndpoint, queryEndpoint } from './query-endpoint.ts'

const names = ['query', 'limits']

export function validation(pack: Pack): QueryEndpoint {
  const validate = openValidator(pack.compact())

  return queryEndpoint(request => {
    const { query, limits } = readRequest(request)
    const { report, isSensitive } = validate(query, limits)
    const { method } = request.requestContext.http
    const isKept = method !== 'POST' && !isSensitive
    return deliver(method, plain(JSON.stringify(report)), {
      'cache-control': isKept ? caching.fiveMinutes : caching.never,
    })
  })
}

/** @throws {DomainError} for refused fields */
function readRequest(request: CatalogueRequest): { query: string; limits: Limits } {
  const inQuery = fieldsOfQuery(request)
  const isPost = request.requestContext.http.method === 'POST'
  if (isPost) for (const [name] of inQuery) throw refuseQuery({ code: 'unknown', name, value: '', allowed: [] })
  const fields = readFields(isPost ? fieldsOfBody(request) : inQuery)
  const query = fields.get('query')
  const limits = fields.has('limits') ? fields.get('limits') : 'any'
  if (query === undefined || query === '') {
    const detail = 'Give the query to validate as query, percent-encoded as a whole.'
    throw new DomainError('query-parameter-missing', { detail, members: { allowed: names } })
  }
  if (typeof query !== 'string') throw refuseNonText('query', ['a text'])
  if (typeof limits !== 'string') throw refuseNonText('limits', limitChoices)
  const choice = limitChoices.find(known => known === limits)
  if (!choice) throw refuseQuery({ code: 'invalid', name: 'limits', value: limits, allowed: [...limitChoices] })
  return { query, limits: choice }
}

function readFields(pairs: Fields): Map<string, unknown> {
  const fields = new Map<string, unknown>()
  for (const [name, value] of pairs) {
    if (!names.includes(name)) throw refuseUnknown(name)
    if (fields.has(name)) throw refuseQuery({ code: 'repeated', name, value: '', allowed: names })
    fields.set(name, value)
  }
  return fields
}

/** The usual reason is a query with unencoded `&`. */
function refuseUnknown(name: string): DomainError {
  const detail = `There is no field ${quote(name)} here. Allowed: ${names.join(', ')}. The & and = of the query itself must be percent-encoded.`
  return new DomainError('query-parameter-unknown', { detail, members: { allowed: names } })
}

/** JSON members may be other than text. */
const refuseNonText = (name: string, allowed: readonly string[]): DomainError =>
  new DomainError('query-parameter-invalid', {
    detail: `The field ${quote(name)} must be a text`,
    members: { allowed: [...allowed] },
  })
