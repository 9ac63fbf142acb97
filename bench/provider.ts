import { createHash } from 'node:crypto'
import type { Confirmed } from '../accounts/identity/exchange.ts'
import { type Identity, identityKey, toIdentityItems } from '../accounts/identity/identity.ts'
import type { OfferedProvider } from '../accounts/identity/provider.ts'

/** Another provider, played by the stand-in for AWS, and the person that it confirms. */

const issuer = 'https://provider.example.com'
const clientId = 'gatehouse'

/** @param url of the stand-in */
export const providerAt = (url: string): OfferedProvider => ({
  id: 'example',
  name: 'Example',
  issuer,
  authorizationEndpoint: `${url}/authorize`,
  tokenEndpoint: `${url}/token`,
  jwksUri: `${url}/keys`,
  clientId,
  secret: Buffer.alloc(120).toString('base64'),
  auth: 'post',
  email: 'claim',
  require: {},
  formPost: false,
  redirects: [],
})

/** An account connected to the provider. */
export const connected = { email: 'connected@example.com' }
const subject = 'a subject'
export const identity: Identity = {
  key: identityKey(issuer, subject),
  issuer,
  subject,
  email: connected.email,
  connectedAt: new Date('2026-01-01'),
}
export const identityMembers = { identities: toIdentityItems([identity]), is_verified: true }

const verifier = 'p'.repeat(43)

/** A callback's parameters. */
export const byCode = { provider: 'example', authorization_code: 'a'.repeat(40), code_verifier: verifier }

/** The provider's confirmation. */
export const confirmed: Confirmed = {
  provider: 'example',
  issuer,
  subject,
  email: connected.email,
  isEmailProven: true,
  name: null,
  authTime: null,
  claims: {},
}

/** The provider's claims, now. */
export function idClaims(): object {
  const now = Math.floor(Date.now() / 1000)
  const nonce = createHash('sha256').update(verifier).digest('base64url')
  return {
    iss: issuer,
    aud: clientId,
    sub: subject,
    email: connected.email,
    email_verified: true,
    nonce,
    iat: now,
    exp: now + 600,
  }
}
