import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { lambda } from '../shared/api/lambda.ts'
import { functionNames, routeKeysOf } from '../shared/api/route-keys.ts'
import { routes, type ServedRow } from '../shared/api/routes.ts'
import { answerTo, commonHeaders, problem } from '../shared/base/answer.ts'
import { settings } from '../shared/base/environment.ts'
import { DomainError } from '../shared/base/errors.ts'
import { pageAnswer, type ShownNames, wantsPage } from '../shared/base/page-answer.ts'
import { findLikely } from '../shared/catalogue/nearest.ts'
import page from '../shared/pages/not-found.html'

/** Methods by path, from the route table. */
const methods = new Map<string, string[]>()
for (const key of functionNames.flatMap(routeKeysOf)) {
  const [method, path] = key.split(' ')
  if (method && path) methods.set(path, [...(methods.get(path) ?? []), method])
}

const rows = Object.values<ServedRow>(routes).filter(({ on }) => !on.includes('{'))
const pathOf = ({ on }: ServedRow): string => on.slice(on.indexOf('/'))

/** The paths that somebody may have meant. */
const known = [
  ...new Set([
    ...[...methods.keys()].filter(path => !path.includes('{')),
    ...rows.filter(({ reply }) => reply === 'page').map(pathOf),
  ]),
]

/** What a browser can open. The other paths are for programs. */
const openable = new Set(rows.filter(({ on, access }) => access === 'anyone' && on.startsWith('GET')).map(pathOf))

/**
 * Answers what no other route takes: 404 for unknown paths, 405 for a method that a path lacks (RFC 9110 §15.5.6).
 * Browsers get a page, programs a problem document.
 */
const notFound =
  ({ config }: { config: ShownNames }) =>
  async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const { method } = event.requestContext.http
    const allowed = methods.get(event.rawPath)
    const allow = [...(allowed ?? []), 'OPTIONS'].join(', ')
    if (allowed && method === 'OPTIONS') return { statusCode: 204, headers: { ...commonHeaders, allow } }

    const headers = { ...(allowed && { allow }), vary: 'Accept' }
    if (['GET', 'HEAD'].includes(method) && wantsPage(event.headers.accept)) {
      const gaps = gapsFor(event.rawPath, allowed)
      return answerTo(method, pageAnswer(page, config, { status: allowed ? 405 : 404, gaps, headers }))
    }
    const refusal = allowed
      ? new DomainError('method-not-allowed', {
          detail: `${event.rawPath} answers ${allow}, not ${method}`,
          headers,
        })
      : new DomainError('not-found', { headers })
    return answerTo(method, problem(refusal))
  }

/** What the page says of a path, with the paths that come nearest. */
function gapsFor(wrong: string, allowed: readonly string[] | undefined) {
  const near = findLikely(
    wrong,
    known.filter(path => path !== wrong),
  )
  const words = allowed
    ? {
        heading: 'This address is for programs',
        explanation: `A browser cannot open it. Programs call it by ${allowed.join(' or ')}.`,
      }
    : {
        heading: 'There is nothing at this address',
        explanation: 'Check it for typing mistakes. If a link brought you here, the link may have been cut off.',
      }
  return {
    ...words,
    isNear: near.length > 0,
    nearPages: near.filter(path => openable.has(path)).map(path => ({ path })),
    nearCalls: near
      .filter(path => !openable.has(path))
      .map(path => ({ path, methods: methods.get(path)?.join(' or ') ?? '' })),
  }
}

export default notFound
export const handler = lambda(notFound, () => settings)
