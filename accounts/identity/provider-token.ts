import { createHash } from 'node:crypto'
import { type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { Config, Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import type { System } from '../../shared/base/system.ts'
import { alg, type Signer, sign, toSeconds, typ } from '../token/access-token.ts'
import { keyFinderFor, type PublicKeys } from '../token/authentication.ts'
import type { Confirmed } from './exchange.ts'
import { findProvider, type Provider } from './provider.ts'

/**
 * A token of ours that carries a provider's confirmation, so that a code, a password or a mailed link needs no second
 * trip. It has its own `aud`, and neither `sub` nor `ver`: nothing takes it for an access token.
 */
interface ProviderToken {
  /** Its counter keeps the token from being used twice. */
  id: string
  /** By the present entry: offered, of this issuer and client, and with the same proof of addresses. */
  confirmed: Confirmed
  expiresAt: Date
}

/** Milliseconds for which it works, counted from the exchange. */
export const providerTokenLifetime = 10 * 60 * 1000

type TokenDeps = Pick<System, 'now'> & Configured<'issuer' | 'tokenAudience'> & { providers: readonly Provider[] }
export type SealDeps = TokenDeps & Pick<System, 'randomBytes'> & { signer: Signer }

/** Bytes of the id, which is unique. */
const idBytes = 16

const audienceOf = ({ tokenAudience }: Pick<Config, 'tokenAudience'>): string => `${tokenAudience}:provider`

/** The members of an entry that a confirmation depends on: once they change, older tokens stop working. */
const entryOf = ({ issuer, clientId, email }: Provider): string =>
  createHash('sha256')
    .update(JSON.stringify([issuer, clientId, email]))
    .digest('base64url')

/**
 * Makes a token.
 *
 * @param confirmed by a provider that is offered
 * @param expiresAt of the token that it replaces, if any
 * @throws {DomainError} `unavailable`
 */
export async function sealProviderToken(
  deps: SealDeps,
  confirmed: Confirmed,
  expiresAt: Date = new Date(deps.now().getTime() + providerTokenLifetime),
): Promise<string> {
  const provider = findProvider(deps.providers, confirmed.provider)
  if (provider === null) throw new DomainError('provider-not-found')
  const { authTime } = confirmed
  return sign(deps, {
    iss: deps.config.issuer,
    aud: audienceOf(deps.config),
    iat: toSeconds(deps.now()),
    exp: toSeconds(expiresAt),
    jti: Buffer.from(deps.randomBytes(idBytes)).toString('base64url'),
    entry: entryOf(provider),
    confirmed: { ...confirmed, authTime: authTime && toSeconds(authTime) },
  })
}

interface Payload {
  jti: string
  exp: number
  entry: string
  confirmed: Omit<Confirmed, 'authTime'> & { authTime: number | null }
}

/**
 * Reads a token. The caller checks whether it was used, and `require`.
 *
 * @throws {DomainError} `provider-not-found` when its provider is not offered any more, `invalid-provider-token`, `unavailable`
 */
export async function openProviderToken(
  deps: TokenDeps & { publicKeys: PublicKeys },
  token: string,
): Promise<ProviderToken> {
  const { jti, exp, entry, confirmed } = await read(deps, token, await keyFinderFor(token, deps.publicKeys))
  const provider = findProvider(deps.providers, confirmed.provider)
  if (provider === null) throw new DomainError('provider-not-found')
  if (entry !== entryOf(provider)) throw new DomainError('invalid-provider-token')
  const authTime = confirmed.authTime === null ? null : new Date(confirmed.authTime * 1000)
  return { id: jti, confirmed: { ...confirmed, authTime }, expiresAt: new Date(exp * 1000) }
}

async function read({ config, now }: TokenDeps, token: string, findKey: JWTVerifyGetKey): Promise<Payload> {
  try {
    const { payload } = await jwtVerify(token, findKey, {
      algorithms: [alg],
      typ,
      issuer: config.issuer,
      audience: audienceOf(config),
      requiredClaims: ['iat', 'exp', 'jti'],
      currentDate: now(),
    })
    // The service signed it for this purpose alone, so its other claims are those that it seals.
    return payload as unknown as Payload
  } catch {
    throw new DomainError('invalid-provider-token')
  }
}
