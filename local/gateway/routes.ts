export interface Match<T> {
  routeKey: string
  pathParameters: Record<string, string>
  target: T
}

/**
 * Finds a request's route as API Gateway does ("Routes for HTTP APIs"): literal segments win over variables, variables
 * over greedy ones, a method over ANY, and all over `$default`. A GET route does not match HEAD.
 */
export function routeFinder<T>(routes: ReadonlyMap<string, T>) {
  const usual = routes.get('$default')
  const patterns = [...routes]
    .filter(([routeKey]) => routeKey !== '$default')
    .map(([routeKey, target]) => {
      const [method = '', path = ''] = routeKey.split(' ')
      return { routeKey, method, segments: path.split('/').slice(1), target }
    })
    .sort((a, b) => (rank(a) < rank(b) ? -1 : 1))

  /** @param path decoded */
  return (method: string, path: string): Match<T> | null => {
    const segments = path.split('/').slice(1)
    for (const { routeKey, target, ...pattern } of patterns) {
      if (pattern.method !== method && pattern.method !== 'ANY') continue
      const pathParameters = match(pattern.segments, segments)
      if (pathParameters) return { routeKey, pathParameters, target }
    }
    return usual === undefined ? null : { routeKey: '$default', pathParameters: {}, target: usual }
  }
}

/** Sort key: the more specific pattern first, segment by segment. */
const rank = ({ method, segments }: { method: string; segments: readonly string[] }): string =>
  segments.map(segment => (isGreedy(segment) ? 2 : isVariable(segment) ? 1 : 0)).join('') + (method === 'ANY' ? 1 : 0)

const isVariable = (segment: string): boolean => segment.startsWith('{')
const isGreedy = (segment: string): boolean => segment.endsWith('+}')

function match(pattern: readonly string[], segments: readonly string[]): Record<string, string> | null {
  const parameters: Record<string, string> = {}
  for (const [i, expected] of pattern.entries()) {
    const segment = segments[i]
    // A variable matches at least one character.
    if (!segment && isVariable(expected)) return null
    if (isGreedy(expected)) return { ...parameters, [expected.slice(1, -2)]: segments.slice(i).join('/') }
    if (isVariable(expected)) parameters[expected.slice(1, -1)] = segment ?? ''
    else if (segment !== expected) return null
  }
  return segments.length === pattern.length ? parameters : null
}
