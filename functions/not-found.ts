import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { lambda } from '../shared/api/lambda.ts'
import { functionNames, routeKeysOf } from '../shared/api/route-keys.ts'
import { DomainError } from '../shared/base/errors.ts'
import { answerTo } from '../shared/base/head.ts'
import { commonHeaders, problem } from '../shared/base/problem.ts'

/** Methods by path, from the route table. */
const methods = new Map<string, string[]>()
for (const key of functionNames.flatMap(routeKeysOf)) {
  const [method, path] = key.split(' ')
  if (method && path) methods.set(path, [...(methods.get(path) ?? []), method])
}

/** Answers what no other route takes: 404 for unknown paths, 405 for a method that a path lacks (RFC 9110 §15.5.6). */
const notFound =
  () =>
  async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const { method } = event.requestContext.http
    const allowed = methods.get(event.rawPath)
    if (allowed === undefined) return answerTo(method, problem(new DomainError('not-found')))

    const allow = [...allowed, 'OPTIONS'].join(', ')
    if (method === 'OPTIONS') return { statusCode: 204, headers: { ...commonHeaders, allow } }
    const refusal = new DomainError('method-not-allowed', {
      detail: `${event.rawPath} answers ${allow}, not ${method}`,
      headers: { allow },
    })
    return answerTo(method, problem(refusal))
  }

export default notFound
export const handler = lambda(notFound, () => ({}))
