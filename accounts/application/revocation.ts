import { endSession, findSession, type SessionDeps } from '../session/ending.ts'
import { parseRefreshToken } from '../session/refresh-token.ts'
import type { Client } from './client.ts'
import { authenticateClient, type ClientProof } from './client-authentication.ts'
import { requireParameter } from './exchange.ts'

/**
 * Revokes a client's own refresh token by ending its session, and with it the access tokens (RFC 7009 §2.1). Any other
 * text succeeds and changes nothing.
 *
 * @throws {OAuthError} `invalid_request`, `invalid_client`
 * @throws {DomainError} `unavailable`
 */
export async function revoke(deps: SessionDeps & { clients: readonly Client[] }, request: ClientProof): Promise<void> {
  const client = authenticateClient(deps, request)
  const token = parseRefreshToken(requireParameter(request.form, 'token'))
  if (token === null) return
  await endSession(deps, async () => {
    const found = await findSession(deps, token)
    return found?.session.application === client.id ? found : null
  })
}
