import { compactVerify } from 'jose'
import type { Configured } from '../../shared/base/config.ts'
import { alg } from '../token/access-token.ts'
import { keyFinderFor, type PublicKeys } from '../token/authentication.ts'
import { type Client, findClient } from './client.ts'

/** The content of an `id_token_hint`: who was logged in to which client. */
export interface Hint {
  client: Client
  /** The account's id. */
  sub: string
  /** The client's session, if it has one. */
  sid: string | null
}

export type HintDeps = Configured<'issuer'> & { clients: readonly Client[]; publicKeys: PublicKeys }

/**
 * Reads an id token that a client sends back (OpenID Connect Core §3.1.2.1). It may have expired, because it only names a person.
 *
 * @returns null unless it is an id token of this service for a listed client; an access token is none
 * @throws {DomainError} `unavailable`
 */
export async function readHint(deps: HintDeps, token: string | null): Promise<Hint | null> {
  if (token === null) return null
  const { iss, aud, sub, sid } = await claimsIn(token, deps)
  const client = typeof aud === 'string' ? findClient(deps.clients, aud) : null
  if (iss !== deps.config.issuer || client === null || typeof sub !== 'string') return null
  return { client, sub, sid: typeof sid === 'string' ? sid : null }
}

/** The claims of a token that this service signed; no claims for any other text. */
async function claimsIn(token: string, { publicKeys }: HintDeps): Promise<Record<string, unknown>> {
  const findKey = await keyFinderFor(token, publicKeys)
  try {
    const { payload } = await compactVerify(token, findKey, { algorithms: [alg] })
    return JSON.parse(new TextDecoder().decode(payload))
  } catch {
    return {}
  }
}
