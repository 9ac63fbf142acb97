// GET, HEAD and OPTIONS /catalogue and everything below it. No SDK, no pipeline: the answers were written at build time.
import { openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { findAddress } from '../shared/catalogue/serve/address.ts'
import { encodeFor } from '../shared/catalogue/serve/encoding.ts'
import { readQuery } from '../shared/catalogue/serve/filters.ts'
import { listAnswers } from '../shared/catalogue/serve/list.ts'
import { type Answer, openPack, type Pack } from '../shared/catalogue/serve/pack.ts'
import { refuseMethod, refusePath, refuseQuery } from '../shared/catalogue/serve/refusals.ts'
import type { DomainError } from '../shared/errors.ts'
import { commonHeaders, problem } from '../shared/http/problem.ts'

/** What the catalogue reads of a request; API Gateway has decoded the path, not the query string. */
export type CatalogueRequest = {
  rawPath: string
  rawQueryString: string
  headers: Record<string, string | undefined>
  requestContext: { http: { method: string } }
}

export type CatalogueResponse = {
  statusCode: number
  headers: Record<string, string>
  body: string
  isBase64Encoded: boolean
}

const methods = ['GET', 'HEAD', 'OPTIONS']
const allowed = methods.join(', ')

/** Five minutes: a release is seen everywhere soon, with nothing to invalidate. */
const cacheControl = 'public, max-age=300'

/** Answers requests from the pack that `open` gives, which is asked for it once, at the first request. */
export default function serveCatalogue(open: () => Pack) {
  let opened: { pack: Pack; answerList: ReturnType<typeof listAnswers> } | undefined

  return async ({ rawPath, rawQueryString, headers, requestContext }: CatalogueRequest): Promise<CatalogueResponse> => {
    if (!opened) {
      const pack = open()
      opened = { pack, answerList: listAnswers(pack) }
    }
    const { pack, answerList } = opened
    const { method } = requestContext.http
    const send = (response: CatalogueResponse) =>
      method === 'HEAD' ? { ...response, body: '', isBase64Encoded: false } : response

    const address = findAddress(rawPath, pack)
    if ('missing' in address) return send(refuse(refusePath(address)))
    if (method === 'OPTIONS') return allow()
    if (!methods.includes(method)) return refuse(refuseMethod(method, rawPath, allowed))

    const isList = address.key === 'modules'
    const query = readQuery(rawQueryString, isList)
    if ('code' in query) return send(refuse(refuseQuery(query)))

    const accepted = headers['accept-encoding']
    const answer = isList ? answerList(query, Boolean(accepted)) : (pack.find(address.key) as Answer)
    if (matches(headers['if-none-match'], answer.etag)) return notModified(answer.etag)
    return send(deliver(answer, accepted))
  }
}

function deliver(answer: Answer, accepted: string | undefined): CatalogueResponse {
  const { body, isBase64Encoded, length, encoding } = encodeFor(accepted, answer)
  return {
    statusCode: 200,
    headers: {
      ...commonHeaders,
      'content-type': 'application/json',
      ...(encoding && { 'content-encoding': encoding }),
      'content-length': String(length),
      etag: answer.etag,
      'cache-control': cacheControl,
      vary: 'Accept-Encoding',
    },
    body,
    isBase64Encoded,
  }
}

/** `If-None-Match` is a list of entity tags or `*`; tags compare weakly (RFC 9110, 13.1.2). */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.includes(etag.slice('W/'.length))
}

/** As small as may be: the fields that RFC 9110, 15.4.5 asks for. */
function notModified(etag: string): CatalogueResponse {
  return {
    statusCode: 304,
    headers: { etag, 'cache-control': cacheControl, vary: 'Accept-Encoding' },
    body: '',
    isBase64Encoded: false,
  }
}

function allow(): CatalogueResponse {
  return { statusCode: 204, headers: { ...commonHeaders, allow: allowed }, body: '', isBase64Encoded: false }
}

function refuse(error: DomainError): CatalogueResponse {
  const { statusCode = 500, headers, body = '' } = problem(error)
  return {
    statusCode,
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    body,
    isBase64Encoded: false,
  }
}

/** Reads parts of a file of ASCII text, which stays open for as long as the function lives. */
function readParts(file: string): (offset: number, length: number) => string {
  const descriptor = openSync(file, 'r')
  return (offset, length) => {
    const bytes = Buffer.allocUnsafe(length)
    readSync(descriptor, bytes, 0, length, offset)
    return bytes.toString('latin1')
  }
}

export const handler = serveCatalogue(() => openPack(readParts(join(import.meta.dirname, 'catalogue.pack'))))
