import { DomainError } from '../base/errors.ts'

/** The scheme's case does not matter (RFC 9110 §11.1). */
const scheme = /^\s*bearer(?!\S)/i
/** RFC 6750 §2.1: only spaces come before the token, and nothing comes after it. */
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
