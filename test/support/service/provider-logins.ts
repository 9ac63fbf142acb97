import { decodeJwt } from 'jose'
import { afterEach, beforeEach } from 'vitest'
import type { Account } from '../../../accounts/account/account.ts'
import { identityKey } from '../../../accounts/identity/identity.ts'
import type { OfferedProvider, OpenIdProvider } from '../../../accounts/identity/provider.ts'
import type { Claims } from '../../../accounts/token/claims.ts'
import { send } from './endpoints.ts'
import type { Harness } from './harness.ts'
import type { Received } from './http.ts'
import { type LyingProvider, startLyingProvider } from './lying-provider.ts'
import { ada, find } from './people.ts'

/** Kept by the browser for the return. */
export const verifier = 'v'.repeat(43)

/** The provider's claims about Ada, by default. */
const adasClaims = { sub: 'ada', email: ada.email, email_verified: true, name: 'Ada Lovelace' }

/** A provider for each test of a file, which the service lists alone. @param entry further members of its entry */
export function withProvider(harness: Harness, entry: Partial<OfferedProvider<OpenIdProvider>> = {}) {
  let liar: LyingProvider
  beforeEach(async () => {
    liar = await startLyingProvider(harness.deps.now, entry)
    harness.providers = [liar.provider]
  })
  afterEach(() => liar[Symbol.asyncDispose]())

  /** The proof after a trip to the provider. @param claims of its id token */
  const proof = (claims: Record<string, unknown> = {}) => ({
    provider: liar.provider.id,
    authorization_code: liar.authorize(verifier, { ...adasClaims, ...claims }),
    code_verifier: verifier,
  })
  const post = (body: object, clientAddress?: string): Promise<Received> =>
    send(harness, 'provider-login', { body, ...(clientAddress !== undefined && { clientAddress }) })
  return {
    get liar() {
      return liar
    },
    proof,
    post,
    /** Logs in by the provider. */
    logIn: (claims: Record<string, unknown> = {}, more: object = {}) => post({ ...proof(claims), ...more }),
    /** Connects the provider to an account, by default Ada's. */
    connect: (claims: Record<string, unknown> = {}, person: object = ada) => post({ ...proof(claims), ...person }),
    keyOf: (subject: string) => identityKey(liar.provider.issuer, subject),
    /** The provider's subjects of an account. */
    subjects: async (email?: string): Promise<string[]> =>
      (await find(harness, email)).identities.map(({ subject }) => subject),
  }
}

/** The claims of the access token in an answer. */
export const claimsIn = ({ body }: Received): Claims => decodeJwt(body.access_token)

/** Verifies the owner's address. */
export async function verify(harness: Harness, email: string = ada.email): Promise<Account> {
  await harness.operator.verify(await find(harness, email), harness.deps.now())
  return find(harness, email)
}
