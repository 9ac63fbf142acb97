import type { SettingName } from '../base/config.ts'
import type { ErrorCode } from '../base/errors.ts'
import { functionNames, isUnsafe, type UnsafeKey } from './route-keys.ts'
import { type FunctionName, functions, type Grants, type Route, routes, type SharedRow } from './routes.ts'

/** Everything that a function needs to do its work. */
export interface Needs {
  may: Grants
  settings: readonly SettingName[]
  /** Seconds. */
  timeout: number
  /** Megabytes. */
  memory: number
}

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
} as const satisfies Record<string, { may: Grants; settings: readonly SettingName[]; refuses: readonly ErrorCode[] }>

type Implied = typeof implied

/** In seconds. A failing part of AWS takes 3 of them, and a hash at the highest cost 4 more. */
const requestTimeout = 10

/**
 * Megabytes. 1,769 MB buy one full vCPU (AWS Lambda, "Configure Lambda function memory"), which bcrypt uses completely.
 * For the others, 512 MB halve the cold start of the SDK against 256 MB.
 */
export const memory = { fullCpu: 1769, usual: 512 }

/** What a function is made of: its own row of the route table, or its row of the shared functions. */
export type Row = SharedRow & Partial<Omit<Route, keyof SharedRow>>

/** The row of each function. */
export const rows = Object.fromEntries(
  functionNames.map((name): [FunctionName, Row] => [name, { ...routes, ...functions }[name]]),
) as Record<FunctionName, Row>

/** The paths of rows that are there only where a setting lists something. */
const pathsWith = (member: 'withClients' | 'withProviders'): ReadonlySet<string> =>
  new Set(Object.values<Route>(routes).flatMap(row => (row[member] ? [row.on.slice(row.on.indexOf('/'))] : [])))

/** Whether a function is there only where OIDC_CLIENTS lists applications. */
export const needsClients = (name: FunctionName): boolean => Boolean(rows[name].withClients)

/** The paths that are there only where OIDC_CLIENTS lists applications. */
export const clientPaths = pathsWith('withClients')

/** Whether a function is there only where SIGN_IN_PROVIDERS lists providers. */
export const needsProviders = (name: FunctionName): boolean => Boolean(rows[name].withProviders)

/** The paths that are there only where SIGN_IN_PROVIDERS lists providers. */
export const providerPaths = pathsWith('withProviders')

/** Whether the function hashes a password, and so needs a full vCPU. */
export const isHashing = ({ checksPassword, choosesPassword }: Row): boolean =>
  Boolean(checksPassword ?? choosesPassword)

/** What the members of a row imply. */
const impliedBy = (row: Row, hasProviders: boolean): (typeof implied)[keyof Implied][] => [
  ...(row.ownPages ? [implied.ownPages] : isUnsafe(row) ? [implied.unsafe] : []),
  ...(row.limit ? [implied.limit] : []),
  ...(row.access === 'bearer' ? [implied.bearer] : []),
  ...(row.body ? [implied.body] : []),
  ...(row.checksPassword ? [implied.checksPassword] : []),
  ...(row.takesPasskey ? [implied.takesPasskey] : []),
  ...(row.takesProvider && hasProviders ? [implied.takesProvider] : []),
  ...(row.choosesPassword ? [implied.choosesPassword] : []),
  ...(row.issuesToken ? [implied.issuesToken] : []),
]

/**
 * What a function needs: what the members of its row imply, then what the row states itself.
 *
 * @param hasProviders whether SIGN_IN_PROVIDERS lists some: without them nobody is granted what they take
 */
export function needsOf(row: Row, hasProviders = true): Needs {
  const all = [...impliedBy(row, hasProviders), { may: row.may ?? {}, settings: row.settings ?? [] }]
  return {
    may: all.map(({ may }): Grants => may).reduce(join),
    // Sorted, so that the template does not change when a setting becomes implied.
    settings: [...new Set(all.flatMap(({ settings }): readonly SettingName[] => settings))].sort(),
    timeout: row.timeout ?? requestTimeout,
    memory: isHashing(row) ? memory.fullCpu : memory.usual,
  }
}

/** Every code that a path may answer with, but for those of the fields that it is asked with. */
export function refusalsOf(route: Route): ErrorCode[] {
  const shared: SharedRow | undefined = route.function && functions[route.function]
  // A function that touches nothing outside itself answers without the code that renders bugs.
  const touches = Object.keys(needsOf(shared ?? route).may).length > 0
  const implied = impliedBy(route, true).flatMap(({ refuses }): readonly ErrorCode[] => refuses)
  return [
    // Whoever must have a second factor needs no passkey.
    ...implied.filter(code => code !== 'passkey-required' || !route.refuses?.includes('no-second-factor')),
    ...(shared?.refusesQuery && !route.fields ? (['query-parameter-unknown'] as const) : []),
    // People who log in by a provider alone have none.
    ...(route.refuses?.includes('wrong-password') ? (['no-password'] as const) : []),
    // `not-found` answers there.
    ...(route.withClients || route.withProviders ? (['not-found'] as const) : []),
    ...(route.query ? (['query-parameter-repeated', 'query-parameter-invalid'] as const) : []),
    ...(touches && !route.function ? (['unavailable'] as const) : []),
    ...(touches ? (['internal'] as const) : []),
    ...(route.refuses ?? []),
  ]
}

/** The refusals of the fields of a body. */
export const bodyRefusals: readonly ErrorCode[] = implied.body.refuses

/** The functions that sign tokens. The keys' policies allow nobody else to sign. */
export const signersIn = (hasProviders: boolean): FunctionName[] =>
  functionNames.filter(name => needsOf(rows[name], hasProviders).may.SigningKey?.includes('Sign'))
export const signers = signersIn(true)

/** The functions that check or set a second factor. The policy of the factors' key allows it to nobody else. */
export const factorUsers = functionNames.filter(name => needsOf(rows[name]).may.FactorKey)

/** Those that set one: they alone may encrypt. */
export const factorSetters = functionNames.filter(name => needsOf(rows[name]).may.FactorKey?.includes('Encrypt'))

/** The functions that exchange codes of providers. The policy of the key of the secrets there lets nobody else read them. */
export const exchangers = functionNames.filter(name => needsOf(rows[name]).may.ProviderKey)

function join(some: Grants, more: Grants): Grants {
  const joined: Record<string, readonly string[]> = { ...some }
  for (const [resource, actions] of Object.entries(more)) {
    joined[resource] = [...new Set([...(joined[resource] ?? []), ...actions])]
  }
  return joined as Grants
}

/** The same as types, so that a function gets what its row needs and nothing else. */
type RowOf<N extends FunctionName> = (typeof routes & typeof functions)[N]
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
}
type TraitOf<R> = { [T in keyof Traits]: R extends Traits[T] ? T : never }[keyof Traits]
type OwnGrant<R> = R extends { may: infer M }
  ? { [K in keyof M & string]: M[K] extends readonly (infer A extends string)[] ? `${K}:${A}` : never }[keyof M &
      string]
  : never
type OwnSetting<R> = R extends { settings: readonly (infer S extends SettingName)[] } ? S : never

/** What a function may do: `Users:GetItem`. */
export type GrantOf<N extends FunctionName> = OwnGrant<RowOf<N> | Implied[TraitOf<RowOf<N>>]>

/** The settings that a function reads. */
export type SettingOf<N extends FunctionName> = OwnSetting<RowOf<N> | Implied[TraitOf<RowOf<N>>]>
