import { type GenericSchema, is } from 'valibot'
import { bodies } from '../../../api/bodies.ts'
import { needsOf, rows } from '../../../api/needs.ts'
import { routeKeysOf } from '../../../api/route-keys.ts'
import type { EndpointName } from '../../../api/routes.ts'
import { type FunctionName, type Route, routes } from '../../../api/routes.ts'
import { type AccountKind, accountKinds, type Family, families } from '../../../shared/base/families.ts'
import { accountsPerClient } from '../../../shared/base/limits/windows.ts'

/** The rows of the route table, for tests that send requests. */

/** Every row that `endpoint()` serves. */
export const endpointNames = (Object.entries<Route>(routes) as [EndpointName, Route][]).flatMap(([name, row]) =>
  row.function ? [] : [name],
)

/** Endpoints with an access token. */
export const bearerNames = endpointNames.filter(name => rows[name].access === 'bearer')

/** The method and the path of a function's first route key. */
export function requestLine(name: FunctionName): { method: string; path: string } {
  const [key] = routeKeysOf(name)
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

/** Endpoints that take an address from anyone without revealing whether it has an account; registering reveals it. */
export const discreetNames = endpointNames.filter(
  name => rows[name].access === 'anyone' && membersOf(name).includes('email') && name !== 'register',
)

export const takesAddressAlone = (name: EndpointName): boolean =>
  membersOf(name)[0] === 'email' && !membersOf(name).includes('password')

/** Whether people type a password in a row's body. An assertion of a passkey can replace it, where allowed. */
export const takesPassword = (name: FunctionName): boolean =>
  membersOf(name).some(member => /^(current_)?password$/.test(member))

/** Whether a row's body is refused without this member, and without an assertion in its place. */
export function isRequired(name: FunctionName, member: string): boolean {
  const schema = entriesOf(name)[member]
  if (schema === undefined) return false
  // Without the token that replaces them.
  if (rows[name].withProviders) return ['provider', 'authorization_code', 'code_verifier'].includes(member)
  const isReplaceable = membersOf(name).includes('assertion') && takesPassword(name)
  return isReplaceable && /^(email|(current_)?password)$/.test(member) ? true : !is(schema, undefined)
}

/** The members of all bodies, each once. */
export const members = [...new Set(Object.values(bodies).flatMap(({ entries }) => Object.keys(entries)))]

/** The parts of a schema that are used here. */
interface Shape {
  entries?: Record<string, Shape>
  pipe?: readonly Shape[]
  wrapped?: Shape
}

/** JSON pointers (RFC 6901) to a value and to all its members, at any depth. */
const pointersIn = ({ entries = {}, pipe = [], wrapped }: Shape, at: string): string[] => [
  at,
  ...Object.entries(entries).flatMap(([member, shape]) => pointersIn(shape, `${at}/${member}`)),
  // The first of a pipe is the schema itself.
  ...[...pipe.slice(1), ...(wrapped ? [wrapped] : [])].flatMap(shape => pointersIn(shape, at)),
]

/** JSON pointers to all members of bodies, each once. */
export const pointers = [...new Set(Object.values(bodies).flatMap(body => pointersIn(body as Shape, '')))]

/** Whether a function counts guesses at a password: it reads a counter to say which limit is passed. */
export const countsGuesses = (name: FunctionName): boolean =>
  needsOf(rows[name]).may.Guesses?.includes('GetItem') ?? false

/** A record of all key prefixes in the table of counters. */
export const ofFamilies = <T>(make: (prefix: string) => T): Record<Family, T> =>
  Object.fromEntries(Object.entries(families).map(([name, prefix]) => [name, make(prefix)])) as Record<Family, T>

/** The same in the table of accounts. */
export const ofKinds = <T>(make: (prefix: string) => T): Record<AccountKind, T> =>
  Object.fromEntries(Object.entries(accountKinds).map(([name, prefix]) => [name, make(prefix)])) as Record<
    AccountKind,
    T
  >

/**
 * The setting `RATE_LIMITS` with one limit for every limited route, and for the accounts of a client.
 *
 * @param others in its place
 */
export function limitEach(limit: string, others: Partial<Record<EndpointName, string>> = {}): string {
  const limited = endpointNames.filter(name => rows[name].limit)
  return [...limited.map(name => `${name}=${others[name] ?? limit}`), `${accountsPerClient.name}=${limit}`].join()
}

/** Whether a refusal is that of a dead link, which any other token causes. */
export const isDeadLink = (code: string): boolean => /^invalid-(?:.+-token|invitation)$/.test(code)
