import * as v from 'valibot'
import { canonicalEmail } from '../../accounts/address/address.ts'
import type { Client } from '../../accounts/application/client.ts'
import type { Provider } from '../../accounts/identity/provider.ts'
import { type Route, routes } from '../../api/routes.ts'
import { contrast } from '../../shared/base/colour.ts'
import { blocklistRules, secondFactorRules, signUpRules } from '../../shared/base/config.ts'
import { accountsPerClient, parseRateLimits } from '../../shared/base/limits/windows.ts'
import { languages } from '../../shared/words/languages.ts'
import * as check from './checks.ts'
import { clashingIds, readClients } from './clients.ts'
import type { Place } from './files.ts'
import { fitOrigins, hasPage, originsOf, wrongOrigin, wrongRpId } from './passkeys.ts'
import { misfitProviders, readProviders } from './providers.ts'
import { senderAddress, senderField } from './sender.ts'
import { checkTable, complaint, type Reading, type Setting, SettingsError, setting, type Values } from './setting.ts'

/** The limits that RATE_LIMITS can change: those of routes, and of registrations. */
export const limited = [
  ...Object.entries<Route>(routes).flatMap(([name, { limit }]) => (limit ? [name] : [])),
  accountsPerClient.name,
]

/** A switch. @param meaning begins with the value that is not the default, and its effect */
const onOrOff = (fallback: 'on' | 'off', meaning: string) =>
  setting(fallback, meaning, 'on or off', v.picklist(['on', 'off']))

/** The setting LANGUAGES, if these tags can be offered. */
export const languagesSetting = (tags: readonly string[]) =>
  setting(
    '',
    `The languages of pages and mails, separated by commas; the first is the default. There are ${tags.map(tag => `\`${tag}\``).join(', ')}. Unset: English, and accounts have no language.`,
    `different languages, separated by commas, of ${tags.join(', ')}`,
    check.languages(tags),
    text => check.wrongLanguage(tags, text),
  )

/** The setting PASSKEY_RP_ID, if these hosts are allowed too. */
export const passkeyDomainSetting = (others: readonly string[]) =>
  setting(
    '',
    "The domain that passkeys are bound to: the API's, or better one above it, another for each stage. It can never change without losing them all. Unset: there are no passkeys. With `npm start`: `localhost`, if that is the base URL's host.",
    `${others.map(host => `${host} or `).join('')}a host name of two labels or more, such as example.com`,
    check.optional(text => others.includes(text) || wrongRpId(text) === null),
    text => (others.includes(text) ? null : wrongRpId(text)),
  )

/**
 * A list in JSON.
 *
 * @param read reads it, or returns the complaints
 */
const jsonList = <T>(meaning: string, expected: string, read: (text: string) => readonly T[] | string) => ({
  ...setting(
    '[]',
    meaning,
    expected,
    v.pipe(
      check.matching(text => typeof read(text) !== 'string'),
      v.transform(text => read(text) as readonly T[]),
    ),
    text => {
      const items = read(text)
      return typeof items === 'string' ? items : null
    },
  ),
  isHidden: true as const,
  isList: true as const,
})

/** The setting SIGN_IN_PROVIDERS. @param isLocal whether providers on the loopback interface are allowed */
export const providersSetting = (isLocal: boolean) =>
  jsonList<Provider>(
    'The providers of OpenID Connect that people log in with, and GitHub: docs/integrate.md, "Sign-in with other providers". No secret stands there in clear. Unset: none. With `npm start`: `example`, a provider on this machine; `[]`: none.',
    'a JSON array of providers',
    text => readProviders(text, isLocal),
  )

/** Ten years: no phone lasts longer. */
const maxDays = 3650

/** After a fortnight away people log in again. NIST SP 800-63B-4 §2.1.3 asks for no such limit. */
const usualIdleDays = 14

/**
 * The minimum number of accounts. It gives login 20 requests a second, as many as a new AWS account's ten concurrent
 * executions can hash (half a second each, at cost 12): a lower throttle would save no money and be used up sooner.
 */
export const leastAccounts = 260_000

/** The address of a document that pages and mails link to. */
const legalSetting = (document: string, path: string) =>
  setting(
    '',
    `The ${document}: linked at the foot of pages and mails, and below "Create account". Unset: they name none.`,
    `an https URL such as https://example.com/${path}, of at most ${check.maxLegalAddress} characters; in the stage \`dev\`, http too`,
    check.canonical(text => (check.isWebAddress(text) ? check.shortAddress(text, check.maxLegalAddress) : null)),
  )

export const settingsTable = {
  SITE_URL: setting(
    '',
    "Where the links in mails lead. Unset: to the API's own pages.",
    'a URL such as https://example.com, without query or fragment, of at most 500 characters',
    check.canonical(text => (check.isSiteUrl(text) ? (check.shortAddress(text)?.replace(/\/+$/, '') ?? null) : null)),
  ),
  PRODUCT_NAME: setting(
    'Gatehouse',
    "The service's name in mails and pages.",
    '1 to 60 printable characters',
    check.matching(text => check.isName(text, 60)),
  ),
  SUPPORT_EMAIL: setting(
    '',
    "The address for help in mails, in pages and in the API's description. Unset: they name none.",
    'an email address',
    check.canonical(canonicalEmail),
  ),
  APP_URL: setting(
    '',
    'The app in which people use their account: "Continue" on the pages leads there. Unset: there is no such button.',
    'an http or https URL such as https://app.example.com, of at most 500 characters',
    check.canonical(text => (check.isWebAddress(text) ? check.shortAddress(text) : null)),
  ),
  TERMS_URL: legalSetting('terms of use', 'terms'),
  PRIVACY_URL: legalSetting('privacy policy', 'privacy'),
  OIDC_CLIENTS: jsonList<Client>(
    'The applications that log people in by this service: docs/integrate.md, "Sign-in for your application". None of it is secret. Unset: none. With `npm start`: `sample`, for the application in docs/examples/sign-in; `[]`: none.',
    'a JSON array of applications',
    readClients,
  ),
  SSO: onOrOff('on', '`off`: no browser stays logged in across applications, and there is no cookie.'),
  SIGN_IN_PROVIDERS: providersSetting(false),
  LANGUAGES: languagesSetting(Object.keys(languages)),
  ACCOUNT_PAGE: onOrOff('on', '`off`: there is no page `/account`, on which people use their account.'),
  LOGO_URL: setting(
    '',
    "An image beside the product's name on the pages: an https address or, so that pages load nothing from elsewhere, a data URI. An https one also heads mails: mail programs show PNG, few SVG. Unset: the initial of PRODUCT_NAME.",
    'an https address or a data URI of an image, of at most 1500 characters',
    check.canonical(check.imageAddress),
  ),
  ACCENT_COLOR: setting(
    '',
    'The background of the main button on pages and in mails, under white words; in dark mode, a lighter shade. In a `.env` file it needs quotes. Unset: blue.',
    'a colour such as "#1f5fbf" with a contrast of at least 4.5:1 to white',
    check.canonical(text =>
      /^#[\da-f]{6}$/i.test(text) && contrast(text, '#ffffff') >= 4.5 ? text.toLowerCase() : null,
    ),
  ),
  REQUIRE_EMAIL_VERIFICATION: setting(
    'false',
    '`true` (in any case): people must verify their address before they can log in. Anything else counts as `false`, with a warning; in `stages/<name>.env` it is refused.',
    '`true` or `false`',
    v.pipe(
      v.string(),
      v.transform(text => text.toLowerCase() === 'true'),
    ),
  ),
  PASSKEY_RP_ID: passkeyDomainSetting([]),
  PASSKEY_ORIGINS: setting(
    '',
    'Further origins whose pages and apps may use the passkeys, separated by commas, beside those of the API and of SITE_URL; APP_URL needs to be listed too. Their scripts can act as the owner.',
    'different origins, at or below PASSKEY_RP_ID, such as https://app.example.com or android:apk-key-hash: with 43 characters, separated by commas',
    v.pipe(
      check.optional(text => wrongOrigin(text) === null),
      v.transform(originsOf),
    ),
    wrongOrigin,
  ),
  SIGN_UP: setting(
    'open',
    '`invited`: only operators open accounts, by `npm run users -- invite`.',
    'open or invited',
    v.picklist(signUpRules),
  ),
  SIGN_UP_DOMAINS: setting(
    '',
    'The domains of addresses at which people open accounts, and to which these move, separated by commas; a sub-domain is another. Unset: any.',
    `different domains such as example.com, at most ${check.maxDomains}, separated by commas, with REQUIRE_EMAIL_VERIFICATION=true`,
    check.domains,
    check.wrongDomain,
  ),
  SECOND_FACTOR: setting(
    'optional',
    '`off`: people cannot set up a second factor; those who have one are asked for it all the same. `required`: people without one cannot log in before they have set one up, by a link that is mailed to them.',
    'optional, off or required',
    v.picklist(secondFactorRules),
  ),
  ACCESS_TOKEN_EXPIRE_MINUTES: setting(
    '60',
    'How long an access token lives, in minutes.',
    'a whole number from 1 to 43200 (30 days)',
    check.integer(1, 43_200),
  ),
  SESSION_DAYS: setting(
    // NIST SP 800-63B-4 §2.1.3: at most 30 days.
    '30',
    'How long a session lasts at most, in days. `0`: there are no sessions, and a login that asks for one gets none.',
    `a whole number from 0 to ${maxDays}`,
    check.integer(0, maxDays),
  ),
  SESSION_IDLE_DAYS: setting(
    '',
    `A session that is not used for so many days ends. Unset: ${usualIdleDays}, or SESSION_DAYS if that is less.`,
    `a whole number from 1 to ${maxDays}, at most SESSION_DAYS`,
    check.optionalInteger(1, maxDays),
  ),
  TOKENS_NOT_BEFORE: setting(
    '',
    'Access tokens issued and sessions opened before this moment are revoked: docs/deploy.md, "Everything must end now". Unset: none is.',
    'a moment that is not in the future, such as 2026-03-01T12:00:00Z',
    check.canonical(check.pastMoment),
  ),
  ADMIN_EMAIL: setting(
    '',
    'Whoever registers this address becomes an administrator. Set REQUIRE_EMAIL_VERIFICATION too.',
    'an email address',
    check.canonical(canonicalEmail),
  ),
  MAIL_FROM: setting(
    '',
    'The sender of mails, verified in SES; without a display name it gets PRODUCT_NAME. Unset: no mails are sent. With `npm start`: `no-reply@localhost`.',
    'an address such as no-reply@example.com or Example <no-reply@example.com>',
    check.canonical(senderField),
  ),
  BCRYPT_COST: setting(
    '12',
    "What a password hash costs, as bcrypt's power of two. Hashes of another cost are replaced at the next login. With 10, a wrong password against Django's, Better Auth's or argon2's usual hashes takes 1.2 to 3.4 times as long as one of today.",
    'a whole number from 10 to 15',
    check.integer(10, 15),
  ),
  PASSWORD_BLOCKLIST: setting(
    'off',
    '`on`: people cannot choose one of the most common passwords, the product\'s name or their own address. Recommended. `online`: nor one that is known from a breach, as Have I Been Pwned says: docs/security-inventory.md, "Outbound calls".',
    'off, on or online',
    v.picklist(blocklistRules),
  ),
  RATE_LIMITS: setting(
    'on',
    `\`on\`, \`off\` (for load tests), or overrides such as \`login=10/minute,register=5/hour\`. \`register-day\` is the number of accounts that one IP address may open in a day: ${accountsPerClient.policy.limit}.`,
    'on, off, or overrides such as login=10/minute,register=5/hour',
    check.matching(text => typeof parseRateLimits(text, limited) !== 'string'),
    text => {
      const policies = parseRateLimits(text, limited)
      return typeof policies === 'string' ? policies : null
    },
  ),
  EXPECTED_ACCOUNTS: setting(
    '1000000',
    `How many accounts the throttles and the alarms for floods are made for: docs/deploy.md, "How many accounts". Fewer than ${leastAccounts} count as ${leastAccounts}.`,
    'a whole number from 1 to 1000000000 (a billion)',
    check.integer(1, 1_000_000_000),
  ),
  TOKEN_AUDIENCE: setting(
    'gatehouse',
    'The `aud` of access tokens: who they are for.',
    'up to 200 characters without spaces',
    check.matching(text => check.isVisible(text, 200)),
  ),
  SIGNING_KEYS: setting(
    'main',
    'Names of the signing keys, separated by commas. All are published, the first signs. How to change them: docs/deploy.md.',
    'up to 5 different names of lower-case letters and digits, separated by commas',
    check.list(
      names =>
        names.length <= 5 &&
        new Set(names).size === names.length &&
        names.every(name => /^[a-z][a-z0-9]{0,31}$/.test(name)),
    ),
  ),
  CORS_ORIGINS: setting(
    '*',
    'Origins whose pages may call the API, separated by commas: your apps, and the site at SITE_URL. Set it for each stage. Unset or `*`: any, and any page can use up the limits of its visitors.',
    '* or origins such as https://example.com, without a path or a slash at the end, separated by commas',
    check.list(origins => (origins.length === 1 && origins[0] === '*') || origins.every(check.isOrigin)),
  ),
  STAGE: setting(
    'dev',
    'The stage to deploy. Unset: `dev`, with settings from the environment. Any other takes them only from `stages/<name>.env`.',
    'up to 12 lower-case letters, digits and hyphens, starting with a letter',
    // CloudFormation shortens long stack names in the names of roles, which have at most 64 characters. The deploy's
    // policies match roles by `Gatehouse-<stage>-`.
    check.matching(text => /^[a-z](?:[a-z0-9-]{0,10}[a-z0-9])?$/.test(text)),
  ),
  API_DOMAIN: setting(
    '',
    "The API's own host name; it becomes the issuer of access tokens. Unset: the address that AWS gives it.",
    'a host name such as api.example.com',
    check.optional(check.isHostName),
  ),
  API_CERTIFICATE_ARN: setting(
    '',
    "The certificate for API_DOMAIN, in ACM in the stack's region.",
    'the ARN of an ACM certificate',
    check.optional(check.isCertificateArn()),
  ),
  CATALOGUE_CDN: onOrOff('on', '`off`: no CloudFront; only the API serves the catalogue.'),
  CATALOGUE_DOMAIN: setting(
    '',
    "The catalogue's own host name at CloudFront. Unset: the address that CloudFront gives it.",
    'a host name such as catalogue.example.com other than API_DOMAIN',
    check.optional(check.isHostName),
  ),
  CATALOGUE_CERTIFICATE_ARN: setting(
    '',
    'The certificate for CATALOGUE_DOMAIN, in ACM in us-east-1, as CloudFront requires.',
    'the ARN of an ACM certificate in us-east-1',
    check.optional(check.isCertificateArn('us-east-1')),
  ),
  WEB_ACL_ARN: setting(
    '',
    'A web ACL of AWS WAF for CloudFront, and so for the catalogue. HTTP APIs do not support web ACLs.',
    'the ARN of a global web ACL of WAFv2, in us-east-1',
    check.optional(check.isGlobalWebAclArn),
  ),
  SES_IDENTITY: setting(
    '',
    'The domain (or the address) of MAIL_FROM: the stack creates an SES identity for it. Unset: the identity exists already.',
    'the address of MAIL_FROM or a domain that it belongs to',
    check.canonical(text => (check.isHostName(text) ? text : canonicalEmail(text))),
  ),
} as const satisfies Record<string, Setting<unknown>>

export type Settings = Values<typeof settingsTable>

/**
 * Reads settings from an environment. Names may be in any case.
 *
 * @param complaints of earlier checks, to report with the rest
 * @param place where the paths lead from
 * @throws {SettingsError} with a line for each invalid value
 */
export const readSettings = (
  env: Record<string, string | undefined>,
  complaints: readonly string[] = [],
  place?: Place,
): Settings => requireFit(checkTable(settingsTable, env, {}, place), complaints)

/**
 * The settings, if each is valid and they fit each other.
 *
 * @param baseUrl the API's address, if not API_DOMAIN's
 * @throws {SettingsError}
 */
export function requireFit<T extends typeof settingsTable>(
  reading: Reading<T>,
  others: readonly string[] = [],
  baseUrl?: string,
): Values<T> {
  const { values, complaints, files } = reading
  const inFile = (line: string) =>
    line.replace(/^(\w+): /, (start, name) => (name in files ? `${start}${files[name]}: ` : start))
  const all = [...others, ...complaints, ...misfits(values, baseUrl).map(inFile)]
  if (all.length > 0) throw new SettingsError(all)
  const { SESSION_DAYS, SESSION_IDLE_DAYS } = values as Settings
  return { ...(values as Values<T>), SESSION_IDLE_DAYS: SESSION_IDLE_DAYS ?? Math.min(usualIdleDays, SESSION_DAYS) }
}

interface Rule {
  name: keyof Settings
  /** The setting that requires it, if set. */
  cause: keyof Settings
  /** Completes "<name> must be …" in place of its row's words. */
  expected?: string
  fits(settings: Settings): boolean
}

const isSet = (name: keyof Settings) => (settings: Settings) => settings[name] !== ''
const hasCdn = ({ CATALOGUE_CDN }: Settings): boolean => CATALOGUE_CDN === 'on'

/** In a named stage: pages that people trust link to nothing that others can change on its way. */
const isSafe = (name: 'TERMS_URL' | 'PRIVACY_URL') => (settings: Settings) =>
  settings.STAGE === 'dev' || !settings[name].startsWith('http:')

const rules: readonly Rule[] = [
  { name: 'TERMS_URL', cause: 'STAGE', fits: isSafe('TERMS_URL') },
  { name: 'PRIVACY_URL', cause: 'STAGE', fits: isSafe('PRIVACY_URL') },
  { name: 'API_DOMAIN', cause: 'API_CERTIFICATE_ARN', fits: isSet('API_DOMAIN') },
  { name: 'API_CERTIFICATE_ARN', cause: 'API_DOMAIN', fits: isSet('API_CERTIFICATE_ARN') },
  { name: 'CATALOGUE_DOMAIN', cause: 'CATALOGUE_CERTIFICATE_ARN', fits: isSet('CATALOGUE_DOMAIN') },
  { name: 'CATALOGUE_DOMAIN', cause: 'API_DOMAIN', fits: s => s.CATALOGUE_DOMAIN !== s.API_DOMAIN },
  { name: 'CATALOGUE_CERTIFICATE_ARN', cause: 'CATALOGUE_DOMAIN', fits: isSet('CATALOGUE_CERTIFICATE_ARN') },
  { name: 'CATALOGUE_CDN', cause: 'CATALOGUE_DOMAIN', expected: 'on', fits: hasCdn },
  { name: 'CATALOGUE_CDN', cause: 'WEB_ACL_ARN', expected: 'on', fits: hasCdn },
  {
    name: 'SESSION_IDLE_DAYS',
    cause: 'SESSION_DAYS',
    fits: s => (s.SESSION_IDLE_DAYS ?? 0) <= s.SESSION_DAYS,
  },
  { name: 'MAIL_FROM', cause: 'SES_IDENTITY', fits: isSet('MAIL_FROM') },
  // Addresses are typed by anybody.
  {
    name: 'SIGN_UP_DOMAINS',
    cause: 'REQUIRE_EMAIL_VERIFICATION',
    fits: s => s.SIGN_UP_DOMAINS.length === 0 || s.REQUIRE_EMAIL_VERIFICATION,
  },
  // Without mails, people without a second factor could not set one up.
  { name: 'MAIL_FROM', cause: 'SECOND_FACTOR', fits: s => s.SECOND_FACTOR !== 'required' || s.MAIL_FROM !== '' },
  // Without mails, nobody would notice a thief's passkey.
  { name: 'MAIL_FROM', cause: 'PASSKEY_RP_ID', fits: isSet('MAIL_FROM') },
  {
    name: 'PASSKEY_RP_ID',
    cause: 'PASSKEY_ORIGINS',
    fits: s => s.PASSKEY_ORIGINS.length === 0 || s.PASSKEY_RP_ID !== '',
  },
  { name: 'PASSKEY_ORIGINS', cause: 'PASSKEY_RP_ID', fits: fitOrigins },
  {
    name: 'SES_IDENTITY',
    cause: 'MAIL_FROM',
    fits: s => s.SES_IDENTITY === '' || isIdentityOf(s.SES_IDENTITY, s.MAIL_FROM),
  },
]

/** A line for each setting that does not fit another. `values` lacks the invalid ones. */
const misfits = (values: Partial<Settings>, baseUrl?: string): string[] => [
  ...rules
    .filter(({ name, cause }) => values[name] !== undefined && values[cause] !== undefined && values[cause] !== '')
    .filter(({ fits }) => !fits(values as Settings))
    .map(({ name, cause, expected }) =>
      complaint(settingsTable, name, values[name], [cause, values[cause]], undefined, expected),
    ),
  ...strandedPasskeys(values),
  ...clashingIds(values.OIDC_CLIENTS ?? [], values.TOKEN_AUDIENCE ?? ''),
  ...misfitProviders(values, baseUrl),
]

/** A complaint if no page could use the passkeys. */
function strandedPasskeys({ PASSKEY_RP_ID, PASSKEY_ORIGINS, API_DOMAIN, SITE_URL }: Partial<Settings>): string[] {
  const isKnown = PASSKEY_ORIGINS !== undefined && API_DOMAIN !== undefined && SITE_URL !== undefined
  if (!PASSKEY_RP_ID || !isKnown || hasPage({ PASSKEY_RP_ID, PASSKEY_ORIGINS, API_DOMAIN, SITE_URL })) return []
  const hosts = 'API_DOMAIN, SITE_URL or an https origin of PASSKEY_ORIGINS'
  return [`PASSKEY_RP_ID must be the host of ${hosts}, or above it, not '${PASSKEY_RP_ID}'`]
}

/** SES accepts a sender whose address, domain or parent domain is verified (Amazon SES, "Verified identities"). */
function isIdentityOf(identity: string, mailFrom: string): boolean {
  const sender = senderAddress(mailFrom) ?? ''
  const [, domain = ''] = sender.split('@')
  return sender === identity || domain === identity || domain.endsWith(`.${identity}`)
}
