import { type FunctionName, functions, type RouteName, routes, type ServedRow, type SharedRow } from './routes.ts'

const rowsOf = Map.groupBy(Object.entries<ServedRow>(routes), ([name, row]) => row.function ?? name)

/** All functions: in the order of the route table, then those without a path. */
export const functionNames = [...new Set([...rowsOf.keys(), ...Object.keys(functions)])] as FunctionName[]

/** A route key with an unsafe method, POST or PUT (RFC 9110 §9.2.1). */
export type UnsafeKey = `${'POST' | 'PUT'} /auth/${string}`

/** Whether a row takes unsafe methods under `/auth`. */
export const isUnsafe = ({ on = '' }: { on?: string }): boolean => /^(?:POST|PUT) \/auth\//.test(on)

/** The path of a row. */
export const pathOf = (name: RouteName): string => routes[name].on.split(' ')[1] ?? ''

const gateways = new Map(Object.entries<SharedRow>(functions).map(([name, { gateway }]) => [name, gateway]))

/** The route keys of a function. API Gateway answers HEAD only by a route of its own, so each GET gets one. */
export function routeKeysOf(name: FunctionName): string[] {
  const keys = gateways.get(name) ?? rowsOf.get(name)?.map(([, { on }]) => on) ?? []
  return keys.flatMap(key => {
    const [methods = '', path] = key.split(' ')
    if (path === undefined) return [key]
    return methods
      .split('|')
      .flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method]).map(each => `${each} ${path}`))
  })
}
