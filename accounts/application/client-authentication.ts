import { createHash, timingSafeEqual } from 'node:crypto'
import { decodeFormText } from '../../shared/base/form.ts'
import { OAuthError } from '../../shared/base/oauth-error.ts'
import type { System } from '../../shared/base/system.ts'
import { type Client, findClient, isPublic } from './client.ts'

/** How a client identifies itself. */
export interface ClientProof {
  form: ReadonlyMap<string, string>
  authorization: string | undefined
  /** Whether it comes from a page whose origin `CORS_ORIGINS` does not list by name: any page can send it, from its visitor's address. */
  isFromUnlistedPage: boolean
}

/** The SHA-256 of no secret: stands in for the secrets of unknown clients, and of clients with fewer than two. */
const nobody = '0'.repeat(64)

/** RFC 7617 §2, in the alphabet of RFC 4648 §4. */
const basicForm = /^basic +([\w+/]+={0,2})$/i

/**
 * Finds the client that sends a request (RFC 6749 §2.3.1): by its secret in HTTP Basic or in the form. A public client
 * states its id alone, also as Basic without a secret.
 *
 * @throws {OAuthError} `invalid_request` when it identifies itself in two ways, `invalid_client`
 */
export function authenticateClient(
  deps: Pick<System, 'log'> & { clients: readonly Client[] },
  { form, authorization = '', isFromUnlistedPage }: ClientProof,
): Client {
  const isBasic = /^basic(?!\S)/i.test(authorization)
  const basic = isBasic ? readBasic(authorization) : null
  const stated = form.get('client_id') ?? null
  const posted = form.get('client_secret') ?? null
  if (basic?.secret && posted !== null) throw new OAuthError('invalid_request', 'The client sends two secrets')
  if (basic && stated !== null && stated !== basic.id) {
    throw new OAuthError('invalid_request', 'client_id is another than that of the Authorization header')
  }
  const client = findClient(deps.clients, basic?.id ?? stated ?? '')
  const secret = basic?.secret || posted
  const isProven = isSecretOf(client, secret ?? '')
  const isTheirs = client !== null && (isPublic(client) ? secret === null : isProven)
  if (isTheirs && (basic !== null || !isBasic)) return client
  // Foreign pages must not raise the alarm that counts these.
  if (!isFromUnlistedPage) deps.log({ event: 'client-refused' })
  // A 401 needs a challenge of the scheme that was used. Clients that used none would show the challenge instead of the text.
  const challenge = isBasic ? { 'www-authenticate': 'Basic realm="auth"' } : {}
  throw new OAuthError('invalid_client', 'Unknown client or wrong secret', isBasic ? 401 : 400, challenge)
}

/** Id and secret, each decoded as a part of a form (RFC 6749 §2.3.1); null when they are malformed. */
export function readBasic(authorization: string): { id: string; secret: string } | null {
  const [, credentials] = basicForm.exec(authorization) ?? []
  const [rawId = '', ...rest] = Buffer.from(credentials ?? '', 'base64')
    .toString()
    .split(':')
  const [id, secret] = [decodeFormText(rawId), decodeFormText(rest.join(':'))]
  return id !== null && secret !== null && rest.length > 0 ? { id, secret } : null
}

/** Compares in the same time for every client, known or not. */
function isSecretOf(client: Client | null, secret: string): boolean {
  const hash = createHash('sha256').update(secret).digest()
  const hashes = [...(client?.secrets ?? []), nobody, nobody].slice(0, 2)
  return hashes.map(known => timingSafeEqual(Buffer.from(known, 'hex'), hash)).includes(true)
}
