import { type CompactVerifyResult, compactVerify, decodeProtectedHeader, errors, type JSONWebKeySet } from 'jose'
import type { ReasonOf } from '../../shared/base/system.ts'
import { toSeconds } from '../token/access-token.ts'
import { keyFinder } from '../token/authentication.ts'

/** The claims of an id token (OpenID Connect Core §2). Only claims that `readIdToken` has checked have this type. */
export interface IdClaims extends Readonly<Record<string, unknown>> {
  sub: string
}

/** The values that an id token must match. */
interface Expected {
  issuer: string
  clientId: string
  nonce: string
  now: Date
}

/** The first check that an id token fails. */
type IdTokenFault = Exclude<ReasonOf<'provider-refused'>, 'code'>

/** Asymmetric algorithms alone: a public key is no secret (RFC 8725 §3.1). `Ed25519` is `EdDSA` by RFC 9864. */
export const idTokenAlgorithms: readonly string[] = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']

/** Seconds by which a provider's clock may differ from ours. */
const leeway = 60

/** Seconds. An id token is issued for the exchange: an older one came from elsewhere. */
const maxAge = 10 * 60

/** OpenID Connect Core §2. */
const maxSubject = 255

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const hasBegun = (value: unknown, now: Date): value is number => isTime(value) && value <= toSeconds(now) + leeway
/** With a second audience, `azp` must say for which of them the token was made. */
function isFor(clientId: string, aud: unknown, azp: unknown): boolean {
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud]
  const isNamed = audiences.includes(clientId) && audiences.every(audience => typeof audience === 'string')
  return isNamed && (azp === clientId || (azp === undefined && audiences.length === 1))
}
// Ill-formed texts could share a hash, and control characters would steer a terminal that shows the identity.
const isSubject = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length >= 1 &&
  value.length <= maxSubject &&
  value.isWellFormed() &&
  !/\p{Cc}/u.test(value)

/** The checks of an id token's claims, in order (OpenID Connect Core §3.1.3.7). */
const checks: readonly [IdTokenFault, (claims: Readonly<Record<string, unknown>>, expected: Expected) => boolean][] = [
  ['issuer', ({ iss }, { issuer }) => iss === issuer],
  ['audience', ({ aud, azp }, { clientId }) => isFor(clientId, aud, azp)],
  ['expired', ({ exp }, { now }) => isTime(exp) && toSeconds(now) < exp + leeway],
  ['age', ({ iat }, { now }) => hasBegun(iat, now) && toSeconds(now) - iat <= maxAge],
  ['age', ({ nbf }, { now }) => nbf === undefined || hasBegun(nbf, now)],
  ['nonce', ({ nonce }, expected) => nonce === expected.nonce],
  ['subject', ({ sub }) => isSubject(sub)],
]

/**
 * Verifies an id token with the keys of its provider. No key comes from the token, nor from an address in it.
 *
 * @returns its claims, or the first failed check; `isKeyUnknown` when newer keys of the provider may verify it
 */
export async function readIdToken(
  text: string,
  keys: JSONWebKeySet,
  expected: Expected,
): Promise<{ claims: IdClaims } | { fault: IdTokenFault; isKeyUnknown: boolean }> {
  const read = await verifyToken(text, keys)
  if (typeof read === 'string') {
    // A newer key may have signed a token that names no key.
    const isKeyUnknown = read === 'key' || (read === 'signature' && decodeProtectedHeader(text).kid === undefined)
    return { fault: read, isKeyUnknown }
  }
  const claims = parse(read.payload)
  if (claims === null) return { fault: 'form', isKeyUnknown: false }
  const [fault] = checks.find(([, holds]) => !holds(claims, expected)) ?? []
  return fault ? { fault, isKeyUnknown: false } : { claims: claims as IdClaims }
}

/** By the codes of jose's errors. Any other error comes from an unusable key. */
const faults: Record<string, IdTokenFault> = {
  [errors.JWSInvalid.code]: 'form',
  [errors.JOSENotSupported.code]: 'form',
  [errors.JOSEAlgNotAllowed.code]: 'algorithm',
  [errors.JWSSignatureVerificationFailed.code]: 'signature',
}

async function verifyToken(text: string, keys: JSONWebKeySet): Promise<CompactVerifyResult | IdTokenFault> {
  const find = keyFinder(keys)
  try {
    return await compactVerify(
      text,
      (header, token) => {
        // Without a key id, jose would take the only key that suits the algorithm, even among others.
        if (header.kid === undefined && findSigningKeys(keys).length !== 1) throw new errors.JWKSNoMatchingKey()
        return find(header, token)
      },
      { algorithms: [...idTokenAlgorithms] },
    )
  } catch (error) {
    return faults[(error as { code?: string }).code ?? ''] ?? 'key'
  }
}

const findSigningKeys = ({ keys }: JSONWebKeySet) => keys.filter(({ use }) => use !== 'enc')

function parse(payload: Uint8Array): Record<string, unknown> | null {
  try {
    const claims: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload))
    return typeof claims === 'object' && !Array.isArray(claims) ? (claims as Record<string, unknown> | null) : null
  } catch {
    return null
  }
}
