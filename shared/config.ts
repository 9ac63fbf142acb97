import { parseRateLimits, type RateLimits } from './limits/setting.ts'

/** A setting, as functions see it: the member of `Config` that it becomes, and how its variable's text is read. */
interface Reader<M extends string, T> {
  member: M
  read(text: string): T
}

const reader = <const M extends string, T>(member: M, read: (text: string) => T): Reader<M, T> => ({ member, read })

const text = (value: string): string => value
const optional = (value: string): string | null => value || null

/**
 * The settings that reach functions: the name of the environment variable, then what it becomes. Rows of the route
 * table name them, the stack hands them over under these names, and a function's `config` holds those of its row.
 */
const readers = {
  ACCESS_TOKEN_EXPIRE_MINUTES: reader('accessTokenMinutes', Number),
  /** Canonical, or null for none. */
  ADMIN_EMAIL: reader('adminEmail', optional),
  /** Where people use their account, or null. */
  APP_URL: reader('appUrl', optional),
  BCRYPT_COST: reader('bcryptCost', Number),
  /** The `iss` of access tokens: `{base_url}/auth`. */
  ISSUER: reader('issuer', text),
  /** Who mails come from; null: nothing is mailed. */
  MAIL_FROM: reader('mailFrom', optional),
  /** Whether common passwords are refused. */
  PASSWORD_BLOCKLIST: reader('passwordBlocklist', value => value === 'on'),
  PRODUCT_NAME: reader('productName', text),
  RATE_LIMITS: reader('rateLimits', (value): RateLimits => {
    const limits = parseRateLimits(value)
    if (typeof limits === 'string') throw new Error(`RATE_LIMITS: ${limits}`)
    return limits
  }),
  REQUIRE_EMAIL_VERIFICATION: reader('requireEmailVerification', value => value === 'true'),
  /** Without a slash at its end. */
  SITE_URL: reader('siteUrl', text),
  /** Canonical, or null for none. */
  SUPPORT_EMAIL: reader('supportEmail', optional),
  TOKEN_AUDIENCE: reader('tokenAudience', text),
}

type Readers = typeof readers

/** What each setting means stands in `infra/settings/settings.ts`. */
export type SettingName = keyof Readers

const settingNames = Object.keys(readers) as SettingName[]

/** The member of `Config` that a setting becomes. */
export type ConfigMember<S extends SettingName> = Readers[S]['member']

/** Settings, as functions see them. */
export type Config = { [S in SettingName as ConfigMember<S>]: ReturnType<Readers[S]['read']> }

/** The slice of the settings that a domain function reads. */
export interface Configured<M extends keyof Config> {
  config: Pick<Config, M>
}

/** What the stack tells functions besides settings: its stage, and the names of its resources. */
export type ResourceVariable =
  | 'STAGE'
  | 'USERS_TABLE'
  | 'RATE_LIMITS_TABLE'
  | 'MAIL_QUEUE_URL'
  /** In KMS: of the key that signs. */
  | 'SIGNING_KEY_ID'
  /** In KMS: of all published keys, separated by commas. */
  | 'SIGNING_KEY_IDS'

type Environment = Record<string, string | undefined>

/** @throws {Error} when it is missing: the stack gives a function all that its row names, so this is a bug */
export function variable(env: Environment, name: SettingName | ResourceVariable): string {
  const value = env[name]
  if (value === undefined) throw new Error(`the environment variable ${name} is missing`)
  return value
}

/** A function's settings, each read when it is first asked for: a function is given only those that its row names. */
export function readConfig(env: Environment): Config {
  const config = {}
  for (const name of settingNames) {
    const { member, read } = readers[name]
    Object.defineProperty(config, member, { enumerable: true, get: () => read(variable(env, name)) })
  }
  return config as Config
}
