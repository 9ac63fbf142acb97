import { DomainError } from '../../shared/base/errors.ts'
import { type Authenticated, authenticate } from '../token/authentication.ts'
import { userinfoAudience } from '../token/claims.ts'

/**
 * As `authenticate`, for the endpoint that all applications may ask: it takes what is for it alone too, and no token of a
 * login, which has no scopes.
 *
 * @throws {DomainError} those of `authenticate`
 */
export const authenticateForUserinfo: typeof authenticate = async (deps, token, scopes): Promise<Authenticated> => {
  const { tokenAudience } = deps.config
  const authenticated = await authenticate(deps, token, scopes, [tokenAudience, userinfoAudience(deps.config)])
  if (authenticated.claims.client_id === undefined) throw new DomainError('insufficient-scope')
  return authenticated
}
