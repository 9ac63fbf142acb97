import type { Config } from '../../shared/base/config.ts'
import type { System } from '../../shared/base/system.ts'
import type { Account } from '../account/account.ts'
import type { Session } from '../session/session.ts'

/** The claims of an access token (RFC 7519 §4). Optional ones are in some tokens only. */
export interface Claims {
  /** The account's id. */
  sub: string
  /** Its address at issue, in canonical form. */
  email: string
  /** Whether it was verified at issue (OpenID Connect Core §5.1): verifying revokes no token. */
  email_verified: boolean
  /** The account's token version. */
  ver: number
  /** `{base_url}/auth`. */
  iss: string
  aud: string
  /** The id of its session. Absent without one. */
  sid?: string
  /** The application that it was issued to (RFC 9068 §2.2). Absent in a login's own. */
  client_id?: string
  /** The application's grant, separated by spaces (RFC 9068 §2.2.3). */
  scope?: string
  /** The owner's last authentication, here or at a provider (OpenID Connect Core §2), in seconds since 1970. */
  auth_time: number
  /** The methods of that authentication (RFC 8176 §2). */
  amr: readonly string[]
  /** The account's roles (RFC 9068 §2.2.3.1). Absent when there are none, and for any other audience. */
  roles?: string[]
  /** Seconds since 1970. */
  iat: number
  /** Seconds since 1970. */
  exp: number
}

/** The `aud` of tokens that only set up a second factor: no service takes them for a login, whatever its own audience is. */
export const setupAudience = ({ tokenAudience }: Pick<Config, 'tokenAudience'>): string =>
  `${tokenAudience}:second-factor-setup`

/** The `aud` of an application's access tokens that the operator's services do not take: for userinfo alone. */
export const userinfoAudience = ({ tokenAudience }: Pick<Config, 'tokenAudience'>): string =>
  `${tokenAudience}:userinfo`

/** The roles in tokens and answers: absent when there are none, as for a new account. */
export const rolesOf = ({ roles = [] }: Partial<Pick<Account, 'roles'>>): Pick<Claims, 'roles'> =>
  roles.length > 0 ? { roles: [...roles] } : {}

/** The login behind a token: a session's, or one that opened none and so has no id. */
export type Login = Pick<Session, 'authTime' | 'amr'> & Partial<Pick<Session, 'id'>>

/**
 * The methods of a login (RFC 8176 §2). An account with a second factor is never entered without it.
 *
 * @param first factor: the password, or a provider's word (which has no registered value)
 */
export const amrOf = ({ factor }: Pick<Account, 'factor'>, first: 'pwd' | 'fed' = 'pwd'): readonly string[] =>
  factor === null ? [first] : [first, 'otp', 'mfa']

/** The login of somebody who entered the password just now. */
export const byPassword = ({ now }: Pick<System, 'now'>, account: Pick<Account, 'factor'>): Omit<Login, 'id'> => ({
  authTime: now(),
  amr: amrOf(account),
})

/** Whether a token that sets up a second factor was issued on a provider's word, so that there is no password to ask for. */
export const isSetUpByProvider = ({ aud, amr }: Claims, config: Pick<Config, 'tokenAudience'>): boolean =>
  aud === setupAudience(config) && amr.includes('fed')

/**
 * The claims about an account.
 *
 * @param login behind the token
 * @param iat issued at @param exp expires at, both in seconds since 1970
 * @param aud another audience, which gets no roles
 */
export const claimsOf = (
  account: Account,
  login: Login,
  config: Pick<Config, 'issuer' | 'tokenAudience'>,
  iat: number,
  exp: number,
  aud: string = config.tokenAudience,
): Claims => ({
  sub: account.id,
  email: account.email,
  email_verified: account.isVerified,
  ver: account.tokenVersion,
  iss: config.issuer,
  aud,
  ...(login.id !== undefined && { sid: login.id }),
  auth_time: Math.floor(login.authTime.getTime() / 1000),
  amr: login.amr,
  ...(aud === config.tokenAudience && rolesOf(account)),
  iat,
  exp,
})

type Meaning = readonly [what: string, trust: string]

/** Claims of applications' tokens alone. */
type ApplicationClaim = 'client_id' | 'scope'

export const applicationClaims: Record<ApplicationClaim, Meaning> = {
  client_id: [
    'The application that it was issued to, in tokens of `/auth/token` alone',
    'Letting only some applications do something; or none: refuse a token that has it',
  ],
  scope: [
    'What the application was granted, separated by spaces: `openid`, `email`, `profile`, `roles`, `offline_access`',
    'Nothing beyond this API: no scope is about your service',
  ],
}

/** Every other claim in the order of the token: its meaning, and what other services may trust it for. */
export const claims: Record<Exclude<keyof Claims, ApplicationClaim>, Meaning> = {
  sub: ["The account's id", 'Everything: keep data under it. It never changes, and no later account gets it'],
  email: [
    'Its address when the token was issued',
    'Showing it, and renewing your copy. Decisions only if `email_verified` is true: anyone can register any address. Not as a key: people change their address, and someone else can register a free one',
  ],
  email_verified: [
    'Whether the address was verified then',
    'True: the owner of the mailbox opened the link. False may be out of date, because verifying revokes no token',
  ],
  ver: [
    "The account's token version",
    'Nothing by itself. It rises, and so revokes older tokens, when the password is reset or changed, the address is changed or that is undone, a second factor is set up or removed, a passkey or a provider is removed, the owner logs out everywhere, or an operator does as much (`lock`, `sign-out`, `revoke`, `move`, `admin … on`, taking a role)',
  ],
  iss: [
    "Who issued it: the API's address and `/auth`",
    'Compare it with your own setting. Never fetch keys from an address in a token',
  ],
  aud: ['Who it is for (`TOKEN_AUDIENCE`)', 'Compare it with your own setting, `gatehouse` by default'],
  sid: [
    'Its session: only tokens of a session have it',
    'Keying what you keep for one device. The end of the session revokes the token',
  ],
  auth_time: [
    'When its owner last entered the password, used a passkey or, as a provider says, logged in there',
    'Asking again before something important, as below. Refreshing keeps it',
  ],
  amr: [
    'How its owner logged in (RFC 8176): `["pwd"]`, `["pwd","otp","mfa"]` with a second factor, or `["pop","user","mfa"]` by a passkey; `["fed"]`, `["fed","otp","mfa"]` by [another provider](integrate.md#sign-in-with-other-providers)',
    'Asking for a second factor: insist on `mfa`; for one that no false page can ask for: on `pop`. Refreshing keeps it',
  ],
  roles: [
    'What operators let it do (`npm run users -- roles`), as an array of texts. Absent without roles',
    'Letting it do that: refuse who lacks the role or the claim. Taking a role raises `ver`',
  ],
  iat: ['When it was issued', 'How old its other claims are'],
  exp: ['When it expires', 'Refuse it from then on'],
}
