import type { Config } from '../../base/config.ts'
import type { Account } from '../account.ts'

/** What an access token says (RFC 7519 §4). Members that may be absent are carried by some tokens only. */
export interface Claims {
  /** The account's id. */
  sub: string
  /** Its address when the token was issued, in canonical form. */
  email: string
  /** Whether it was verified then (OpenID Connect Core §5.1): verifying voids no token. */
  email_verified: boolean
  /** The account's token version. */
  ver: number
  /** `{base_url}/auth`. */
  iss: string
  aud: string
  /** Seconds since 1970. */
  iat: number
  /** Seconds since 1970. */
  exp: number
}

/** What a token says of an account. @param iat when it is issued @param exp when it expires, both in seconds since 1970 */
export const claimsOf = (
  account: Account,
  config: Pick<Config, 'issuer' | 'tokenAudience'>,
  iat: number,
  exp: number,
): Claims => ({
  sub: account.id,
  email: account.email,
  // As of now (OpenID Connect Core §5.1): the token stays valid when the address is verified later.
  email_verified: account.isVerified,
  ver: account.tokenVersion,
  iss: config.issuer,
  aud: config.tokenAudience,
  iat,
  exp,
})

/** Every claim in the order of the token: what it is, and what other services may trust it for. */
export const claims: Record<keyof Claims, readonly [what: string, trust: string]> = {
  sub: [
    "The account's id",
    "Everything: keep data under it. It stays the same for the account's life, and no later account gets it",
  ],
  email: [
    'Its address when the token was issued',
    "Showing it. Decisions only if `email_verified` is true: anyone can register any address. Not as a key: someone else can register a deleted account's address",
  ],
  email_verified: [
    'Whether the address was verified then',
    'True: the owner of the mailbox opened the link. False may be out of date, because verifying voids no token',
  ],
  ver: [
    "The account's token version",
    "Nothing by itself. Resetting or changing the password, logging out everywhere, and an operator's `lock`, `sign-out` and `revoke` raise it, which voids older tokens: at the API at once, but a service that verifies by the keys alone accepts them until their `exp`",
  ],
  iss: [
    "Who issued it: the API's address and `/auth`",
    'Compare it with the issuer that you configured. Never fetch keys from an address in a token',
  ],
  aud: ['Who it is for (`TOKEN_AUDIENCE`)', 'Compare it with your own setting, `gatehouse` by default'],
  iat: ['When it was issued, in seconds since 1970', 'How long ago someone entered a password'],
  exp: ['When it expires, in seconds since 1970', 'Refuse it from then on'],
}
