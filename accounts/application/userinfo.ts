import { DomainError } from '../../shared/base/errors.ts'
import { type Authenticated, authenticate } from '../token/authentication.ts'
import { userinfoAudience } from '../token/claims.ts'

/**
 * Like `authenticate`, for the endpoint of all applications: it also takes tokens issued for userinfo alone, but none
 * of a login, which have no scopes.
 *
 * @throws {DomainError} those of `authenticate`
 */
export const authenticateForUserinfo: typeof authenticate = async (deps, token, scopes): Promise<Authenticated> => {
  const { tokenAudience } = deps.config
  const authenticated = await authenticate(deps, token, scopes, [tokenAudience, userinfoAudience(deps.config)])
  if (authenticated.claims.client_id === undefined) throw new DomainError('insufficient-scope')
  return authenticated
}
