import * as v from 'valibot'
import { canonicalEmail } from '../shared/email.ts'
import { parseRateLimits } from '../shared/rate-limit.ts'
import { senderField } from './sender.ts'

/** A setting: what it is when unset, what it means, and how its text is checked and read. */
interface Setting<T> {
  fallback: string
  meaning: string
  /** What is expected, as it completes "<name> must be …". */
  expected: string
  schema: v.GenericSchema<string, T>
}

const setting = <T>(
  fallback: string,
  meaning: string,
  expected: string,
  schema: v.GenericSchema<string, T>,
): Setting<T> => ({
  fallback,
  meaning,
  expected,
  schema,
})

const whole = (from: number, to: number) =>
  v.pipe(v.string(), v.regex(/^\d{1,6}$/), v.transform(Number), v.minValue(from), v.maxValue(to))

const matching = (isRight: (text: string) => boolean) => v.pipe(v.string(), v.check(isRight))

const isOrigin = (text: string): boolean =>
  URL.canParse(text) && new URL(text).origin === text && /^https?:\/\/[^*]+$/.test(text)

const isSiteUrl = (text: string): boolean =>
  URL.canParse(text) &&
  /^https?:\/\/[^?#@\s"'<>]+$/.test(text) &&
  new URL(text).href.replace(/\/$/, '') === text.replace(/\/$/, '')

/** Every setting from outside, its default and its check. */
export const settingsTable = {
  SITE_URL: setting(
    '',
    'Where the links in mails lead. Unset: to the two pages that the API itself serves.',
    'a URL such as https://example.com, without query or fragment',
    v.pipe(
      matching(text => text === '' || isSiteUrl(text)),
      v.transform(text => text.replace(/\/$/, '')),
    ),
  ),
  REQUIRE_EMAIL_VERIFICATION: setting(
    'false',
    '`true` (in any case): who has not verified their address cannot log in.',
    '`true` or `false`',
    v.pipe(
      v.string(),
      v.transform(text => text.toLowerCase() === 'true'),
    ),
  ),
  ACCESS_TOKEN_EXPIRE_MINUTES: setting(
    '60',
    'How long an access token lives, in minutes.',
    'a whole number from 1 to 43200 (30 days)',
    whole(1, 43_200),
  ),
  ADMIN_EMAIL: setting(
    '',
    'Whoever registers this address is an administrator at once. Set REQUIRE_EMAIL_VERIFICATION with it.',
    'an e-mail address',
    v.pipe(
      matching(text => text === '' || canonicalEmail(text) !== null),
      v.transform(text => canonicalEmail(text) ?? ''),
    ),
  ),
  MAIL_FROM: setting(
    '',
    'The sender of mails, verified in SES. Empty: nothing is mailed. On one machine: `Gatehouse <no-reply@localhost>`.',
    'an address such as no-reply@example.com or Example <no-reply@example.com>',
    v.pipe(
      matching(text => text === '' || senderField(text) !== null),
      v.transform(text => senderField(text) ?? ''),
    ),
  ),
  BCRYPT_COST: setting(
    '12',
    "What a password hash costs, as bcrypt's power of two. Hashes of another cost are replaced at the next login.",
    'a whole number from 10 to 15',
    whole(10, 15),
  ),
  RATE_LIMITS: setting(
    'on',
    '`on`, `off` (for load tests), or overrides such as `login=10/minute,register=5/hour`.',
    'on, off, or overrides such as login=10/minute,register=5/hour',
    matching(text => typeof parseRateLimits(text) !== 'string'),
  ),
  TOKEN_AUDIENCE: setting(
    'gatehouse',
    'The `aud` of access tokens: who they are for.',
    'up to 200 characters without spaces',
    matching(text => /^[\x21-\x7e]{1,200}$/.test(text)),
  ),
  SIGNING_KEYS: setting(
    'main',
    'Names of the signing keys, separated by commas. All are published, the first signs.',
    'up to 5 different names of lower-case letters and digits, separated by commas',
    v.pipe(
      v.string(),
      v.transform(text => text.split(',').map(name => name.trim())),
      v.check(names => names.length <= 5 && new Set(names).size === names.length),
      v.check(names => names.every(name => /^[a-z][a-z0-9]{0,31}$/.test(name))),
    ),
  ),
  CORS_ORIGINS: setting(
    '*',
    'Origins whose pages may call the API, separated by commas. `*` is safe: tokens never travel in cookies.',
    '* or origins such as https://example.com, separated by commas',
    v.pipe(
      v.string(),
      v.transform(text => text.split(',').map(origin => origin.trim())),
      v.check(origins => (origins.length === 1 && origins[0] === '*') || origins.every(isOrigin)),
    ),
  ),
} as const satisfies Record<string, Setting<unknown>>

export type Settings = {
  [N in keyof typeof settingsTable]: (typeof settingsTable)[N] extends Setting<infer T> ? T : never
}

/** One or more settings that are not what they must be: a line for each. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

/**
 * Reads settings from an environment, their names in any case.
 *
 * @param fallbacks in place of the table's own
 * @throws {SettingsError} that names every bad value and what is expected
 */
export function readSettings(
  env: Record<string, string | undefined>,
  fallbacks: Partial<Record<keyof Settings, string>> = {},
): Settings {
  return readTable(settingsTable, env, fallbacks) as Settings
}

/** Reads the settings of any such table. @throws {SettingsError} */
export function readTable<N extends string>(
  table: Record<N, Setting<unknown>>,
  env: Record<string, string | undefined>,
  fallbacks: Partial<Record<N, string>> = {},
): Record<N, unknown> {
  const given = new Map<string, string>()
  for (const [name, value] of Object.entries(env)) {
    // A name in capitals is the setting's own, and wins over other spellings.
    if (value !== undefined && (name === name.toUpperCase() || !given.has(name.toUpperCase()))) {
      given.set(name.toUpperCase(), value)
    }
  }
  const complaints: string[] = []
  const values = Object.entries<Setting<unknown>>(table).map(([name, { fallback, expected, schema }]) => {
    const text = given.get(name)?.trim()
    // Set but empty, as templates of environments like to leave them, is unset where it is no value of its own.
    const isUnset = text === undefined || (text === '' && !v.is(schema, ''))
    const result = v.safeParse(schema, isUnset ? (fallbacks[name as N] ?? fallback) : text, { abortEarly: true })
    if (!result.success) complaints.push(`${name} must be ${expected}, not '${text}'`)
    return [name, result.output]
  })
  if (complaints.length > 0) throw new SettingsError(complaints.join('; '))
  return Object.fromEntries(values)
}

/** What is allowed but probably not meant. */
export function settingsWarnings(settings: Settings, env: Record<string, string | undefined>): string[] {
  const required = Object.entries(env).find(([name]) => name.toUpperCase() === 'REQUIRE_EMAIL_VERIFICATION')?.[1]
  const warnings: string[] = []
  if (required !== undefined && !/^(true|false|)$/i.test(required.trim())) {
    warnings.push(`REQUIRE_EMAIL_VERIFICATION is neither true nor false but '${required}', and is taken as false`)
  }
  if (settings.REQUIRE_EMAIL_VERIFICATION && settings.MAIL_FROM === '') {
    warnings.push('REQUIRE_EMAIL_VERIFICATION is on but MAIL_FROM is not set: nobody will be able to verify and log in')
  }
  if (settings.ADMIN_EMAIL !== '' && !settings.REQUIRE_EMAIL_VERIFICATION) {
    warnings.push(
      'ADMIN_EMAIL is set without REQUIRE_EMAIL_VERIFICATION: whoever registers that address first is an administrator',
    )
  }
  return warnings
}
