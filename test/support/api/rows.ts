import { type GenericSchema, is } from 'valibot'
import { bodies } from '../../../shared/accounts/schemas.ts'
import { needsOf, rows } from '../../../shared/endpoints/needs.ts'
import type { EndpointName } from '../../../shared/http/endpoint.ts'
import { accountsOfRemote } from '../../../shared/limits/policy.ts'
import { type FunctionName, type RouteName, routes } from '../../../shared/routes.ts'

/** Questions about the rows of the route table, for tests that send requests. */

/** Every row that answers requests. */
export const routeNames = Object.keys(routes) as RouteName[]

const isEndpoint = (name: RouteName): name is EndpointName => rows[name].reply !== undefined

/** Every row that `endpoint()` serves. */
export const endpointNames = routeNames.filter(isEndpoint)

/** Those that ask for an access token. */
export const bearerNames = endpointNames.filter(name => rows[name].access === 'bearer')

/** The method and the path of a row's first route key. */
export function requestLine(name: FunctionName): { method: string; path: string } {
  const [key] = rows[name].on ?? []
  if (!key) throw new Error(`${name} answers no requests`)
  const [method = '', path = '/nowhere'] = key.split(' ')
  return { method: path === '/nowhere' || method === 'ANY' ? 'GET' : method, path }
}

/** The schemas of a row's body by member, in their order. */
function entriesOf(name: FunctionName): Record<string, GenericSchema> {
  const { body } = rows[name]
  return body ? bodies[body].entries : {}
}

/** The members of a row's body, in their order. */
export const membersOf = (name: FunctionName): string[] => Object.keys(entriesOf(name))

/** Those that take an address from anyone and do not tell whether it has an account; registering tells. */
export const discreetNames = endpointNames.filter(
  name => rows[name].access === 'anyone' && membersOf(name).includes('email') && name !== 'register',
)

export const takesAddressAlone = (name: EndpointName): boolean => membersOf(name).join() === 'email'

/** Whether a row's body is refused without this member. */
export function isRequired(name: FunctionName, member: string): boolean {
  const schema = entriesOf(name)[member]
  return schema !== undefined && !is(schema, undefined)
}

/** The members of all bodies, each once. */
export const members = [...new Set(Object.values(bodies).flatMap(({ entries }) => Object.keys(entries)))]

/** Whether a function counts guesses at a password: it reads a counter to say which limit is passed. */
export const countsGuesses = (name: FunctionName): boolean =>
  needsOf(rows[name]).may.RateLimits?.includes('GetItem') ?? false

/**
 * The setting `RATE_LIMITS` with one limit for every limited route, and for the accounts of a remote.
 *
 * @param others in its place
 */
export function limitEach(limit: string, others: Partial<Record<EndpointName, string>> = {}): string {
  const limited = endpointNames.filter(name => rows[name].limit)
  return [...limited.map(name => `${name}=${others[name] ?? limit}`), `${accountsOfRemote.name}=${limit}`].join()
}
