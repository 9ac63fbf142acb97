import { parseRateLimits, type RateLimits } from './limits/windows.ts'

/** How functions read a setting: its member of `Config`, and the parser of its text. */
interface Reader<M extends string, T> {
  member: M
  read(text: string): T
}

const reader = <const M extends string, T>(member: M, read: (text: string) => T): Reader<M, T> => ({ member, read })

const text = (value: string): string => value
const optional = (value: string): string | null => value || null

/** Who has a second factor: no new accounts, anybody who wants one, everybody. */
export const secondFactorRules = ['off', 'optional', 'required'] as const
type SecondFactorRule = (typeof secondFactorRules)[number]

/** Who opens accounts: anyone, or only operators. */
export const signUpRules = ['open', 'invited'] as const
type SignUpRule = (typeof signUpRules)[number]

/** Which passwords nobody can choose: none, common ones, or also those known from breaches. */
export const blocklistRules = ['off', 'on', 'online'] as const
type BlocklistRule = (typeof blocklistRules)[number]

/**
 * The settings of functions, by environment variable. A row of the route table names its settings, the stack sets these
 * variables, and the function's `config` has their values.
 */
const readers = {
  /** The background of primary buttons as `#rrggbb`, or null for the usual one. */
  ACCENT_COLOR: reader('accentColor', optional),
  ACCESS_TOKEN_EXPIRE_MINUTES: reader('accessTokenMinutes', Number),
  /** Whether there is an account page. */
  ACCOUNT_PAGE: reader('accountPage', value => value === 'on'),
  /** Canonical, or null for none. */
  ADMIN_EMAIL: reader('adminEmail', optional),
  /** The app in which people use their account, or null. */
  APP_URL: reader('appUrl', optional),
  /** The address of the pages without a trailing slash, if not the issuer's origin; or null. */
  BROWSER_URL: reader('browserUrl', optional),
  BCRYPT_COST: reader('bcryptCost', Number),
  /** Origins of pages that may change something; null for all. */
  CORS_ORIGINS: reader('corsOrigins', (value): readonly string[] | null => (value === '*' ? null : value.split(','))),
  /** The `iss` of access tokens: `{base_url}/auth`. */
  ISSUER: reader('issuer', text),
  /** Whether the service logs people in to applications. Their list is beside the bundle. */
  OIDC_CLIENTS: reader('hasClients', value => value === 'on'),
  /** Whether people log in with providers. Their list is beside the bundle. */
  SIGN_IN_PROVIDERS: reader('hasProviders', value => value === 'on'),
  /** The tags of the languages of pages and mails, the default first; empty while unset. */
  LANGUAGES: reader('languages', (value): readonly string[] => (value ? value.split(',') : [])),
  /** The image beside the product's name on pages, or null for its initial. */
  LOGO_URL: reader('logoUrl', optional),
  /** The address of the privacy policy, or null. */
  PRIVACY_URL: reader('privacyUrl', optional),
  /** The sender of all mails; null for no mail. */
  MAIL_FROM: reader('mailFrom', optional),
  /** The address of a stand-in for the list of breached passwords, without a trailing slash, or null. */
  BLOCKLIST_URL: reader('blocklistUrl', optional),
  PASSWORD_BLOCKLIST: reader('passwordBlocklist', value => value as BlocklistRule),
  /** The domain of passkeys; null for no passkeys. */
  PASSKEY_RP_ID: reader('passkeyRpId', optional),
  /** The origins whose pages and apps may use passkeys, as exact texts. */
  PASSKEY_ORIGINS: reader('passkeyOrigins', (value): readonly string[] => (value ? value.split(',') : [])),
  PRODUCT_NAME: reader('productName', text),
  RATE_LIMITS: reader('rateLimits', (value): RateLimits => {
    const limits = parseRateLimits(value)
    if (typeof limits === 'string') throw new Error(`RATE_LIMITS: ${limits}`)
    return limits
  }),
  REQUIRE_EMAIL_VERIFICATION: reader('requireEmailVerification', value => value === 'true'),
  SECOND_FACTOR: reader('secondFactor', value => value as SecondFactorRule),
  /** Maximum days of a session; 0 for no sessions. */
  SESSION_DAYS: reader('sessionDays', Number),
  /** Days until an unused session ends. */
  SESSION_IDLE_DAYS: reader('sessionIdleDays', Number),
  SIGN_UP: reader('signUp', (value): SignUpRule => (value === 'invited' ? 'invited' : 'open')),
  /** Domains of addresses for new accounts and moves; null for all. */
  SIGN_UP_DOMAINS: reader('signUpDomains', (value): readonly string[] | null => (value ? value.split(',') : null)),
  /** Whether browsers can stay logged in across applications. */
  SSO: reader('sso', value => value !== 'off'),
  /** Without a trailing slash. */
  SITE_URL: reader('siteUrl', text),
  /** Canonical, or null for none. */
  SUPPORT_EMAIL: reader('supportEmail', optional),
  /** The address of the terms of use, or null. */
  TERMS_URL: reader('termsUrl', optional),
  TOKEN_AUDIENCE: reader('tokenAudience', text),
  /** Access tokens and sessions from before are revoked; null for none. */
  TOKENS_NOT_BEFORE: reader('tokensNotBefore', (value): Date | null => (value ? new Date(value) : null)),
}

type Readers = typeof readers

/** `infra/settings/settings.ts` documents each setting. */
export type SettingName = keyof Readers

export const settingNames = Object.keys(readers) as SettingName[]

/** A setting's member of `Config`. */
export type ConfigMember<S extends SettingName> = Readers[S]['member']

export const memberOf = <S extends SettingName>(setting: S): ConfigMember<S> => readers[setting].member

/** Settings for functions. */
export type Config = { [S in SettingName as ConfigMember<S>]: ReturnType<Readers[S]['read']> }

/** The slice of the settings that a domain function reads. */
export interface Configured<M extends keyof Config> {
  config: Pick<Config, M>
}

/** Variables of the stack that are not settings: its stage, and names of resources. */
export type ResourceVariable =
  | 'STAGE'
  | 'ACCOUNTS_TABLE'
  | 'RATE_LIMITS_TABLE'
  | 'MAIL_QUEUE_URL'
  /** The KMS id of the key that signs. */
  | 'SIGNING_KEY_ID'
  /** The KMS ids of all published keys, separated by commas. */
  | 'SIGNING_KEY_IDS'
  /** The KMS id of the key that encrypts the secrets of second factors. */
  | 'FACTOR_KEY_ID'
  /** The KMS id of the key that encrypts the secrets at providers. Only where SIGN_IN_PROVIDERS lists some. */
  | 'PROVIDER_KEY_ID'

/** Added after the first release: left out of the environment while unset, so templates don't change. */
export const leftOutWhileUnset: ReadonlySet<string> = new Set<SettingName>([
  'BLOCKLIST_URL',
  'BROWSER_URL',
  'LANGUAGES',
  'OIDC_CLIENTS',
  'SIGN_IN_PROVIDERS',
  'SIGN_UP',
  'SIGN_UP_DOMAINS',
  'PASSKEY_ORIGINS',
  'PASSKEY_RP_ID',
  'PRIVACY_URL',
  'SSO',
  'TERMS_URL',
])

type Environment = Record<string, string | undefined>

/** @throws {Error} when missing: a bug, because the stack sets every variable that a function's row needs */
export function variable(env: Environment, name: SettingName | ResourceVariable): string {
  const value = env[name] ?? (leftOutWhileUnset.has(name) ? '' : undefined)
  if (value === undefined) throw new Error(`the environment variable ${name} is missing`)
  return value
}

/** A function's settings. Each is read on first use, because a function has only its row's variables, and then kept. */
export function readConfig(env: Environment): Config {
  const config = {}
  for (const name of settingNames) {
    const { member, read } = readers[name]
    const get = () => {
      const value = read(variable(env, name))
      Object.defineProperty(config, member, { enumerable: true, value })
      return value
    }
    Object.defineProperty(config, member, { enumerable: true, configurable: true, get })
  }
  return config as Config
}
