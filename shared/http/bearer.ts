import { DomainError } from '../errors.ts'

/**
 * The token in an `Authorization` field (RFC 6750 §2.1; the scheme's case does not matter, RFC 9110 §11.1). A token
 * anywhere else, such as in the query, is ignored.
 *
 * @throws {DomainError} `not-authenticated` without a bearer credential, `invalid-access-token` for a malformed one
 */
export function bearerToken(authorization: string | undefined): string {
  const [scheme, token, ...more] = (authorization ?? '').trim().split(/ +/)
  if (scheme?.toLowerCase() !== 'bearer') throw new DomainError('not-authenticated')
  if (!token || more.length > 0) throw new DomainError('invalid-access-token')
  return token
}
