// What the catalogue answers besides what it has: its methods, and refusals.
import type { DomainError } from '../../errors.ts'
import { answerTo } from '../../http/head.ts'
import { commonHeaders, problem } from '../../http/problem.ts'
import type { HttpAnswer } from '../../prebuilt/response.ts'

export const methods = ['GET', 'HEAD', 'OPTIONS']
export const allowed = methods.join(', ')

export function allow(): HttpAnswer {
  return { statusCode: 204, headers: { ...commonHeaders, allow: allowed }, body: '', isBase64Encoded: false }
}

export function refuse(method: string, error: DomainError): HttpAnswer {
  const { statusCode = 500, headers, body = '' } = problem(error)
  const length = String(Buffer.byteLength(body))
  return answerTo(method, {
    statusCode,
    headers: { ...headers, 'content-length': length },
    body,
    isBase64Encoded: false,
  })
}
