import { decodeJwt } from 'jose'
import { afterEach, beforeEach } from 'vitest'
import type { Account } from '../../../accounts/account/account.ts'
import { identityKey } from '../../../accounts/identity/identity.ts'
import type { OfferedProvider } from '../../../accounts/identity/provider.ts'
import type { Claims } from '../../../accounts/token/claims.ts'
import { send } from './endpoints.ts'
import type { Harness } from './harness.ts'
import type { Received } from './http.ts'
import { type LyingProvider, startLyingProvider } from './lying-provider.ts'
import { ada, find } from './people.ts'

/** What a browser keeps for the way back. */
export const verifier = 'v'.repeat(43)

/** What the provider says of Ada, unless a test says something else. */
const adasClaims = { sub: 'ada', email: ada.email, email_verified: true, name: 'Ada Lovelace' }

/** A provider for each test of a file, which the service lists alone. @param entry what its entry has besides */
export function withProvider(harness: Harness, entry: Partial<OfferedProvider> = {}) {
  let liar: LyingProvider
  beforeEach(async () => {
    liar = await startLyingProvider(harness.deps.now, entry)
    harness.providers = [liar.provider]
  })
  afterEach(() => liar[Symbol.asyncDispose]())

  /** What comes back of a trip to the provider. @param claims what its id token says */
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
    /** Connects the provider to an account, Ada's unless another is named. */
    connect: (claims: Record<string, unknown> = {}, person: object = ada) => post({ ...proof(claims), ...person }),
    keyOf: (subject: string) => identityKey(liar.provider.issuer, subject),
    /** The provider's subjects of an account. */
    subjects: async (email?: string): Promise<string[]> =>
      (await find(harness, email)).identities.map(({ subject }) => subject),
  }
}

/** What the access token of an answer says. */
export const claimsIn = ({ body }: Received): Claims => decodeJwt(body.access_token)

/** The owner of an address has verified it. */
export async function verify(harness: Harness, email: string = ada.email): Promise<Account> {
  await harness.operator.verify(await find(harness, email), harness.deps.now())
  return find(harness, email)
}
