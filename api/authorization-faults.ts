import { decodeJwt } from 'jose'
import {
  isListed,
  parametersOf,
  type RequestFault,
  readAuthorizationRequest,
  requestFaults,
} from '../accounts/application/authorization-request.ts'
import { type Client, findClient, isClientId, isPublic } from '../accounts/application/client.ts'
import { readBasic } from '../accounts/application/client-authentication.ts'
import { parseForm } from '../shared/base/form.ts'
import type { PathOf } from './routes.ts'

/** What is wrong with an address to which an application sends people. */
export interface Fault {
  /** In lines. They repeat parts of the address. */
  what: readonly string[]
  /** What to change in the application's configuration, or in its entry; null: no configuration causes the fault. */
  change: string | null
}

/** What to change at each fault of which an application is told. */
export const changes: Readonly<Record<RequestFault, string | null>> = {
  repeated: 'Take it out of the address of /authorize that the application is configured with',
  requestObject: 'Switch request objects (JAR) off in the application',
  requestUri: 'Switch request objects (JAR) and pushed requests (PAR) off in the application',
  noResponseType: 'Set its response type to code',
  responseType: 'Set its response type to code: the authorization code flow',
  responseMode: 'Set its response mode to query, or leave it unset',
  noPkce: 'One that has a secret but no PKCE gets "pkce": "optional" in its entry of OIDC_CLIENTS',
  methodAlone: 'Switch PKCE wholly on in the application, or off',
  challenge: 'Set the method of its PKCE to S256',
  challengeMethod: 'Set the method of its PKCE to S256',
  noOpenid: 'Add openid to its scopes',
  prompt: 'Set its prompt to one of these, or leave it unset',
  promptNone: 'Set its prompt to one of the two',
  maxAge: 'Set it in seconds, or leave it unset',
  // The application draws these two at each login.
  state: null,
  nonce: null,
}

/** What a configuration causes of what is wrong with a request for a page; null for all other requests. */
export function faultOfConfiguration(path: string, query: string, clients: readonly Client[]): Fault | null {
  const find = clients.length === 0 ? null : (faultsOfPages[path] ?? null)
  const fault = find?.(query, clients)
  return !fault || fault.change === null ? null : fault
}

/** What is wrong with a request to log in. The page shows an unknown application or redirect address, and tells nobody. */
export function faultOfLogin(query: string, clients: readonly Client[]): Fault | null {
  const reading = readAuthorizationRequest(clients, query, 'https://issuer.invalid')
  if (reading.is === 'good') return null
  if (reading.is === 'refused') {
    const { client, error, description, fault } = reading
    return { what: [`${client.id} is told ${error}: ${description}`], change: changes[fault] }
  }
  const [ids = [], redirects = []] = ['client_id', 'redirect_uri'].map(name => allOf(query, name))
  const [id = ''] = ids
  if (ids.length !== 1) return { what: [notOne('client_id', ids)], change: 'Set the client id in the application' }
  const client = findClient(clients, id)
  if (client === null) return unknownClient(id, clients)
  const change = `Set one of these in the application, or list its address in redirects of ${id} (OIDC_CLIENTS)`
  const [redirect = ''] = redirects
  const what =
    redirects.length === 1
      ? unlisted(client, 'redirects', redirect)
      : [`${id}: ${notOne('redirect_uri', redirects)}. Listed are:`, ...client.redirects.map(indent)]
  return { what, change }
}

/** What is wrong with a request to log out, whose page then leads nowhere. The hint's signature is not checked. */
export function faultOfLogout(query: string, clients: readonly Client[]): Fault | null {
  const { only } = parametersOf(query)
  for (const name of ['client_id', 'id_token_hint', 'post_logout_redirect_uri']) {
    const given = allOf(query, name)
    if (given.length > 1) return { what: [notOne(name, given)], change: 'Send it once' }
  }
  const [named, hint, address] = [only('client_id'), only('id_token_hint'), only('post_logout_redirect_uri')]
  const hinted = hint === null ? null : audienceOf(hint)
  const change = 'Send the id_token that the application got at the login'
  if (hint !== null && hinted === null) return { what: ['id_token_hint is not an id_token'], change }
  if (named !== null && hinted !== null && named !== hinted) {
    return { what: [`id_token_hint is of ${hinted}, but client_id is ${named}`], change }
  }
  const id = named ?? hinted
  if (id === null) {
    if (address === null) return null
    const what = [`Neither id_token_hint nor client_id says whose address ${address} is`]
    return { what, change: 'Send one of the two, or both' }
  }
  const client = findClient(clients, id)
  if (client === null) return unknownClient(id, clients)
  if (address === null || isListed(client, client.logouts, address)) return null
  if (client.logouts.length === 0) {
    return { what: [`${id} lists no logouts`], change: `List ${address} there (OIDC_CLIENTS), or send no address` }
  }
  return {
    what: unlisted(client, 'logouts', address),
    change: `Set one of these in the application, or list its address in logouts of ${id} (OIDC_CLIENTS)`,
  }
}

const faultsOfPages: Record<string, typeof faultOfLogin> = {
  ['/authorize' satisfies PathOf<'authorize-page'>]: faultOfLogin,
  ['/logout' satisfies PathOf<'logout-page'>]: faultOfLogout,
}

/** What is wrong with a path, if it looks like one that an issuer with a slash at its end leads to. */
export const faultOfPath = (path: string, issuer: string): Fault | null =>
  path.startsWith('/auth//')
    ? { what: ['The path has two slashes'], change: `The issuer is ${issuer}, without one at its end` }
    : null

/** A request that an application's server sends, and the body of its refusal. */
interface Refused {
  authorization?: string | undefined
  sent: Uint8Array
  answered: Uint8Array
}

/** What is wrong with a request for tokens that was refused; null at other paths. No secret, code or verifier of it is repeated. */
export function faultOfRefusal(
  path: string,
  { authorization = '', sent, answered }: Refused,
  clients: readonly Client[],
) {
  if (!refusingPaths.includes(path) || clients.length === 0) return null
  const read = parseForm(sent)
  const form: ReadonlyMap<string, string> = typeof read === 'string' ? new Map() : read
  const basic = readBasic(authorization)
  const id = basic?.id || form.get('client_id') || null
  const { error, error_description: description } = refusalIn(answered)
  if (error === undefined) return null
  const client = id === null ? null : findClient(clients, id)
  if (error !== 'invalid_client') {
    return { what: [`${client?.id ?? 'An application'} is told ${error}: ${description}`], change: null }
  }
  return faultOfClient(id, client, Boolean(basic?.secret || form.get('client_secret')), clients)
}

/** Why a client is not taken for the one that it says. @param hasSecret whether it sends one */
function faultOfClient(
  id: string | null,
  client: Client | null,
  hasSecret: boolean,
  clients: readonly Client[],
): Fault {
  if (id === null) return { what: ['client_id is missing'], change: 'Set the client id in the application' }
  // It may be the secret, set in the place of the id.
  if (client === null && !isClientId(id)) return unknownClient('…', clients)
  if (client === null) return unknownClient(id, clients)
  const has = `Its entry has the SHA-256 of one: put that secret into the application, or make another: npm run clients -- secret ${client.id}`
  if (isPublic(client)) {
    return { what: [`${client.id} is public, but sends a secret`], change: 'Take the secret out of the application' }
  }
  return { what: [`${client.id} sends ${hasSecret ? 'a secret that is not listed' : 'no secret'}`], change: has }
}

const refusingPaths: readonly string[] = [
  '/auth/token' satisfies PathOf<'token'>,
  '/auth/revoke' satisfies PathOf<'revoke'>,
]

/** The members of a refusal (RFC 6749 §5.2). */
function refusalIn(answered: Uint8Array): { error?: string; error_description?: string } {
  try {
    return JSON.parse(Buffer.from(answered).toString()) ?? {}
  } catch {
    return {}
  }
}

/** The client that an id token is for, whoever signed it; null if it is none. */
function audienceOf(token: string): string | null {
  try {
    const { aud } = decodeJwt(token)
    return typeof aud === 'string' ? aud : null
  } catch {
    return null
  }
}

/** The values of a parameter. An empty one counts as absent (RFC 6749 §3.1). */
const allOf = (query: string, name: string): string[] => new URLSearchParams(query).getAll(name).filter(Boolean)

const notOne = (name: string, values: readonly string[]): string =>
  values.length === 0 ? `${name} is missing` : `${name} is given more than once`

const indent = (address: string): string => `  ${address}`

const unknownClient = (id: string, clients: readonly Client[]): Fault => ({
  what: [noSuchClient(id, clients)],
  change: toList,
})

/** What to change where the client is not listed. */
export const toList = 'List it in OIDC_CLIENTS, or set the id of a listed one in the application'

/** What an application was told, as the address says to which it led people back. */
export function faultOfReturn(error: string, description: string | null): Fault {
  const names = Object.keys(requestFaults) as RequestFault[]
  const told = names.find(name => String(requestFaults[name]) === String([error, description]))
  const what = [`The application was told ${error}: ${description ?? 'it was not told why'}`]
  return { what, change: told === undefined ? null : changes[told] }
}

export const noSuchClient = (id: string, clients: readonly Client[]): string =>
  `There is no application '${id}'${clients.length === 0 ? ', nor any other' : `, but ${clients.map(each => each.id).join(', ')}`}`

function unlisted(client: Client, member: 'redirects' | 'logouts', address: string): string[] {
  const listed = client[member]
  // Any port of the loopback interface is allowed.
  const anyPort = address.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d+/, '$1')
  const hints = listed.flatMap(each => hintOn(address, each) ?? hintOn(anyPort, each) ?? [])
  return [
    `${client.id} does not list ${address} in ${member}. ${hints[0] ?? 'It is compared as text.'} Listed are:`,
    ...listed.map(indent),
  ]
}

/** The small difference between an address and a listed one, if it is small. */
function hintOn(sent: string, listed: string): string | null {
  const without = (pattern: RegExp) => sent.replace(pattern, '') === listed.replace(pattern, '')
  if (without(/\/$/)) return 'Only the slash at its end differs.'
  if (sent.toLowerCase() === listed.toLowerCase()) return 'Only capitals differ.'
  if (without(/^https?:/)) return 'Only http and https differ.'
  if (without(/(?<=^https?:\/\/[^/?]*):\d+/))
    return 'Only the port differs: any is good for http://127.0.0.1 and http://[::1] of public applications alone.'
  if (without(/(?<=^http:\/\/)(?:localhost|127\.0\.0\.1)(?::\d+)?/))
    return 'localhost and 127.0.0.1 are different addresses.'
  if (decodeURIComponentOrNull(sent) === listed) return 'It is encoded twice.'
  return sent.startsWith(listed) ? 'It begins as a listed one, but goes on.' : null
}

function decodeURIComponentOrNull(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
