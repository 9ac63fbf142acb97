import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import type { Configured } from '../shared/base/config.ts'
import { DomainError } from '../shared/base/errors.ts'

/** The first six groups of an IPv4-mapped address (RFC 4291 §2.5.5.2); the other two are the IPv4 address. */
const mapped = '0:0:0:0:0:ffff'

/**
 * The client as limits count it: an IPv4 address, or the /64 of an IPv6 address, which one subscriber has to itself
 * (RFC 6177 §2). An IPv4-mapped address counts as its IPv4 address, in any spelling.
 */
export function clientKey(sourceIp: string): string {
  if (!sourceIp.includes(':')) return sourceIp
  const groups = groupsOf(sourceIp)
  if (groups.slice(0, 6).join(':') === mapped) return groups.slice(6).flatMap(bytesOf).join('.')
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** The eight groups of an IPv6 address (RFC 4291 §2.2), without leading zeros and without its zone (RFC 4007 §11). */
function groupsOf(address: string): string[] {
  const [plain = ''] = address.toLowerCase().split('%')
  const [head = '', tail] = plain.replace(/\d+\.\d+\.\d+\.\d+$/, hexadecimal).split('::')
  const before = head.split(':').filter(group => group !== '')
  const after = tail === undefined ? [] : tail.split(':').filter(group => group !== '')
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].map(group => group.replace(/^0+(?=.)/, ''))
}

/** An IPv4 address as the last two groups of an IPv6 address. */
function hexadecimal(ipv4: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number)
  return [a * 256 + b, c * 256 + d].map(group => group.toString(16)).join(':')
}

function bytesOf(group: string): [number, number] {
  const bits = Number.parseInt(group, 16)
  return [bits >> 8, bits & 0xff]
}

/** The scheme's case does not matter (RFC 9110 §11.1). */
const scheme = /^\s*bearer(?!\S)/i
/** RFC 6750 §2.1: only spaces before the token, and nothing after it. */
const credential = /^bearer +(\S+)$/i

/**
 * The token in an `Authorization` field. A token anywhere else, such as in the query, is ignored.
 *
 * @throws {DomainError} `not-authenticated` without a bearer credential, `invalid-access-token` for a malformed one
 */
export function bearerToken(authorization = ''): string {
  if (!scheme.test(authorization)) throw new DomainError('not-authenticated')
  const [, token] = credential.exec(authorization) ?? []
  if (token === undefined) throw new DomainError('invalid-access-token')
  return token
}

/**
 * Refuses requests from pages of origins that `CORS_ORIGINS` does not name, unless the page is the service's own. CORS
 * alone would only hide the answer. Browsers set both headers, and no page can change them (Fetch standard, "Origin
 * header"; Fetch Metadata). Other programs send neither.
 *
 * @throws {DomainError} `origin-not-allowed`
 */
export function requireAllowedOrigin(
  { config: { corsOrigins } }: Configured<'corsOrigins'>,
  { headers: { origin, host, 'sec-fetch-site': site } }: Pick<APIGatewayProxyEventV2, 'headers'>,
): void {
  if (corsOrigins === null || site === 'same-origin') return
  const isAllowed =
    origin === undefined ? site !== 'cross-site' : corsOrigins.includes(origin) || hostOf(origin) === host
  if (!isAllowed) throw new DomainError('origin-not-allowed')
}

/** Whether the request comes from a page whose origin `CORS_ORIGINS` does not list by name: `*` names none. */
export const isFromUnlistedPage = (
  { config: { corsOrigins } }: Configured<'corsOrigins'>,
  { headers: { origin } }: Pick<APIGatewayProxyEventV2, 'headers'>,
): boolean => origin !== undefined && !corsOrigins?.includes(origin)

/** Null for the opaque origin, `null`. */
export const hostOf = (origin: string): string | null => (URL.canParse(origin) ? new URL(origin).host : null)
