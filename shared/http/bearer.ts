import { DomainError } from '../errors.ts'

/**
 * The token in an `Authorization` field (RFC 6750 §2.1; the scheme's case does not matter, RFC 9110 §11.1). A token
 * anywhere else, such as in the query, is ignored.
 *
 * @throws {DomainError} `not-authenticated` without a bearer credential, `invalid-access-token` for a malformed one
 */
export function bearerToken(authorization: string | undefined): string {
  const [, credential] = /^bearer(?: +(.*))?$/i.exec(authorization?.trim() ?? '') ?? []
  if (!/^bearer\b/i.test(authorization?.trim() ?? '')) throw new DomainError('not-authenticated')
  if (!credential || /\s/.test(credential)) throw new DomainError('invalid-access-token')
  return credential
}
