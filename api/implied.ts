import type { ErrorCode } from '../shared/base/errors.ts'
import type { Needing } from '../shared/base/row.ts'
import { isUnsafe, type UnsafeKey } from './route-keys.ts'
import type { Route, SharedRow } from './routes.ts'

/** Decide whether sessions are active. */
const sessionSettings = ['SECOND_FACTOR', 'SESSION_DAYS', 'SESSION_IDLE_DAYS', 'TOKENS_NOT_BEFORE'] as const

/** Decide whose access tokens are, and whether they and their sessions are active. */
const tokenSettings = ['ISSUER', ...sessionSettings, 'TOKEN_AUDIENCE'] as const

/** What a member of a row implies, so that no row repeats it: its step's grants, settings and refusals. */
const implied = {
  /** Takes unsafe methods: the origin of a page that sends one is checked. */
  unsafe: { may: {}, writes: [], settings: ['CORS_ORIGINS'], refuses: ['origin-not-allowed'] },
  /** Only this service's own pages may send it, whatever that setting says. Checks the cookie's session and verifies `id_token_hint`. */
  ownPages: {
    may: { SigningKeys: ['GetPublicKey'] },
    writes: [],
    settings: ['ISSUER', 'OIDC_CLIENTS', 'SSO', ...sessionSettings],
    refuses: ['origin-not-allowed'],
  },
  /** Counts requests. */
  limit: {
    may: { Requests: ['UpdateItem'] },
    writes: [],
    settings: ['RATE_LIMITS'],
    refuses: ['too-many-requests'],
  },
  /** Verifies the access token, and reads its account. */
  bearer: {
    may: { Accounts: ['GetItem'], SigningKeys: ['GetPublicKey'] },
    writes: [],
    settings: tokenSettings,
    refuses: ['not-authenticated', 'invalid-access-token', 'insufficient-scope'],
  },
  /** Reads and parses a body. */
  body: {
    may: {},
    writes: [],
    settings: [],
    refuses: [
      'body-too-large',
      'missing-body',
      'unsupported-media-type',
      'unsupported-content-encoding',
      'malformed-json',
      'invalid-body',
    ],
  },
  /**
   * Checks an account's password, and its second factor if it has one. The owner is told of a used recovery code, and
   * when somebody knows the password alone.
   */
  checksPassword: {
    may: {
      Guesses: ['UpdateItem', 'GetItem'],
      Codes: ['UpdateItem', 'GetItem'],
      Accounts: ['GetItem', 'UpdateItem'],
      FactorKey: ['Decrypt'],
      MailQueue: ['SendMessage'],
    },
    writes: ['codes'],
    settings: ['BCRYPT_COST', 'MAIL_FROM', 'PASSKEY_RP_ID', 'RATE_LIMITS', 'SECOND_FACTOR'],
    refuses: [
      'too-many-requests',
      'second-factor-required',
      'wrong-code',
      'used-code',
      'codes-disabled',
      'passkey-required',
    ],
  },
  /** Accepts a passkey in place of password and code: an assertion of a challenge drawn for this purpose alone. */
  takesPasskey: {
    may: { Challenges: ['GetItem', 'UpdateItem'], Accounts: ['GetItem', 'UpdateItem'] },
    // A passkey's use is noted in it.
    writes: ['ways in'],
    settings: ['PASSKEY_ORIGINS', 'PASSKEY_RP_ID', 'SECOND_FACTOR'],
    refuses: ['passkeys-off', 'invalid-passkey-challenge', 'wrong-passkey'],
  },
  /**
   * Exchanges a provider's code. The confirmation may open an account or be connected to one; a token of ours carries
   * it past a refusal.
   */
  takesProvider: {
    may: {
      Accounts: ['GetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
      Addresses: ['GetItem', 'PutItem'],
      Identities: ['GetItem', 'PutItem'],
      ProviderTokens: ['GetItem', 'UpdateItem'],
      ProviderKey: ['Decrypt'],
      SigningKey: ['Sign'],
      SigningKeys: ['GetPublicKey'],
      Requests: ['UpdateItem'],
      MailQueue: ['SendMessage'],
    },
    writes: ['ways in', 'links', 'changes'],
    settings: [
      'BROWSER_URL',
      'ISSUER',
      'LANGUAGES',
      'MAIL_FROM',
      'RATE_LIMITS',
      'SECOND_FACTOR',
      'SIGN_IN_PROVIDERS',
      'SIGN_UP',
      'SIGN_UP_DOMAINS',
      'TOKEN_AUDIENCE',
    ],
    refuses: [
      'provider-not-found',
      'provider-unavailable',
      'provider-refused',
      'invalid-provider-token',
      'provider-not-allowed',
      'provider-email-unverified',
      'password-required',
      'sign-up-closed',
      'email-domain-not-allowed',
      'provider-taken',
      'provider-limit',
    ],
  },
  /** A new password is chosen. */
  choosesPassword: {
    may: {},
    writes: [],
    settings: ['BCRYPT_COST', 'BLOCKLIST_URL', 'PASSWORD_BLOCKLIST', 'PRODUCT_NAME'],
    refuses: ['password-too-short', 'password-too-common'],
  },
  /** Issues and signs an access token, with a session's refresh token. */
  issuesToken: {
    may: { SigningKey: ['Sign'] },
    writes: [],
    settings: ['ACCESS_TOKEN_EXPIRE_MINUTES', ...tokenSettings],
    refuses: [],
  },
  /** Renewal re-checks login requirements added since the token was issued. */
  renewsToken: { may: {}, writes: [], settings: ['REQUIRE_EMAIL_VERIFICATION'], refuses: ['email-not-verified'] },
} as const satisfies Record<
  string,
  Required<Pick<Needing, 'may' | 'writes' | 'settings'>> & { refuses: readonly ErrorCode[] }
>

type Implied = typeof implied

/** The refusals of the fields of a body. */
export const bodyRefusals: readonly ErrorCode[] = implied.body.refuses

/** The row of a function: its own in the route table, or that of the shared functions. */
export type Row = SharedRow & Partial<Omit<Route, keyof SharedRow>>

/** Whether the caller exchanges an access token for another. */
export const renewsToken = (row: Pick<Row, 'access' | 'issuesToken'>): boolean =>
  row.access === 'bearer' && row.issuesToken === true

/** What the members of a row imply. */
export const impliedBy = (row: Row): Implied[keyof Implied][] => [
  ...(row.ownPages ? [implied.ownPages] : isUnsafe(row) ? [implied.unsafe] : []),
  ...(row.limit ? [implied.limit] : []),
  ...(row.access === 'bearer' ? [implied.bearer] : []),
  ...(row.body ? [implied.body] : []),
  ...(row.checksPassword ? [implied.checksPassword] : []),
  ...(row.takesPasskey ? [implied.takesPasskey] : []),
  ...(row.takesProvider ? [implied.takesProvider] : []),
  ...(row.choosesPassword ? [implied.choosesPassword] : []),
  ...(row.issuesToken ? [implied.issuesToken] : []),
  ...(renewsToken(row) ? [implied.renewsToken] : []),
]

/** The same as types. */
interface Traits {
  unsafe: { on: UnsafeKey; ownPages?: undefined }
  ownPages: { ownPages: true }
  limit: { limit: number }
  bearer: { access: 'bearer' }
  body: { body: string }
  checksPassword: { checksPassword: true }
  takesPasskey: { takesPasskey: true }
  takesProvider: { takesProvider: true }
  choosesPassword: { choosesPassword: true }
  issuesToken: { issuesToken: true }
  renewsToken: { access: 'bearer'; issuesToken: true }
}
type TraitOf<R> = { [T in keyof Traits]: R extends Traits[T] ? T : never }[keyof Traits]

export type ImpliedFor<R> = Implied[TraitOf<R>]
