import type { SettingName } from '../shared/base/config.ts'
import type { ErrorCode } from '../shared/base/errors.ts'
import type { Grants } from '../shared/base/row.ts'
import { isUnsafe, type UnsafeKey } from './route-keys.ts'
import type { Route, SharedRow } from './routes.ts'

/** What says whether sessions are in force. */
const sessionSettings = ['SECOND_FACTOR', 'SESSION_DAYS', 'SESSION_IDLE_DAYS', 'TOKENS_NOT_BEFORE'] as const

/** What says whose access tokens are, and whether they and their sessions are in force. */
const tokenSettings = ['ISSUER', ...sessionSettings, 'TOKEN_AUDIENCE'] as const

/** What a member of a row implies, so that no row repeats it: what its step may do, reads, and refuses. */
const implied = {
  /** It takes unsafe methods: the origin of the page that sends one is checked. */
  unsafe: { may: {}, settings: ['CORS_ORIGINS'], refuses: ['origin-not-allowed'] },
  /**
   * Only pages of this service may send it, whatever that setting says. Whether the session of the browser's cookie is in
   * force is asked, and the id token is verified by which an application says whom it means.
   */
  ownPages: {
    may: { SigningKeys: ['GetPublicKey'] },
    settings: ['ISSUER', 'OIDC_CLIENTS', 'SSO', ...sessionSettings],
    refuses: ['origin-not-allowed'],
  },
  /** Requests are counted. */
  limit: {
    may: { Requests: ['UpdateItem'] },
    settings: ['RATE_LIMITS'],
    refuses: ['too-many-requests'],
  },
  /** The access token is verified, and its account read. */
  bearer: {
    may: { Users: ['GetItem'], SigningKeys: ['GetPublicKey'] },
    settings: tokenSettings,
    refuses: ['not-authenticated', 'invalid-access-token', 'insufficient-scope'],
  },
  /** A body is read and parsed. */
  body: {
    may: {},
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
   * The current password of an account is checked, and its second factor, if it has one. Its owner is told of a recovery
   * code that is used, and of somebody who knows the password.
   */
  checksPassword: {
    may: {
      Guesses: ['UpdateItem', 'GetItem'],
      Codes: ['UpdateItem', 'GetItem'],
      Users: ['GetItem', 'UpdateItem'],
      FactorKey: ['Decrypt'],
      MailQueue: ['SendMessage'],
    },
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
  /** A passkey does as well as password and code: what it signs is a challenge that was drawn for this alone. */
  takesPasskey: {
    may: { Challenges: ['GetItem', 'UpdateItem'], Users: ['GetItem', 'UpdateItem'] },
    settings: ['PASSKEY_ORIGINS', 'PASSKEY_RP_ID', 'SECOND_FACTOR'],
    refuses: ['passkeys-off', 'invalid-passkey-challenge', 'wrong-passkey'],
  },
  /**
   * A provider's code is exchanged, and what it confirms may open an account or be connected to one. A token of ours stands for it
   * after a refusal.
   */
  takesProvider: {
    may: {
      Users: ['GetItem', 'PutItem', 'UpdateItem'],
      Identities: ['GetItem', 'PutItem'],
      ProviderTokens: ['GetItem', 'UpdateItem'],
      ProviderKey: ['Decrypt'],
      SigningKey: ['Sign'],
      SigningKeys: ['GetPublicKey'],
      Requests: ['UpdateItem'],
      UndoLinks: ['UpdateItem'],
      MailQueue: ['SendMessage'],
    },
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
  /** A password is chosen. */
  choosesPassword: {
    may: {},
    settings: ['BCRYPT_COST', 'PASSWORD_BLOCKLIST', 'PRODUCT_NAME'],
    refuses: ['password-too-short', 'password-too-common'],
  },
  /** An access token is made and signed, and a session's refresh token beside it. */
  issuesToken: {
    may: { SigningKey: ['Sign'] },
    settings: ['ACCESS_TOKEN_EXPIRE_MINUTES', ...tokenSettings],
    refuses: [],
  },
  /** A bearer gets another token: what a login asks for since the bearer's own was issued is asked for here too. */
  renewsToken: { may: {}, settings: ['REQUIRE_EMAIL_VERIFICATION'], refuses: ['email-not-verified'] },
} as const satisfies Record<string, { may: Grants; settings: readonly SettingName[]; refuses: readonly ErrorCode[] }>

type Implied = typeof implied

/** The refusals of the fields of a body. */
export const bodyRefusals: readonly ErrorCode[] = implied.body.refuses

/** What a function is made of: its own row of the route table, or its row of the shared functions. */
export type Row = SharedRow & Partial<Omit<Route, keyof SharedRow>>

/** Whether who comes with an access token leaves with another. */
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

/** What the members of a row imply. */
export type ImpliedFor<R> = Implied[TraitOf<R>]
