import leven from 'leven'
import { mayOpen } from '../../accounts/address/gate.ts'
import { type Client, isPublic } from '../../accounts/application/client.ts'
import { languages } from '../../shared/words/languages.ts'
import type { Words } from '../../shared/words/words.ts'
import { fitsApi } from './passkeys.ts'
import { providerWarnings } from './providers.ts'
import { inCapitals } from './setting.ts'
import type { Settings } from './settings.ts'

/** Warnings for deployed stages alone: on one machine no foreign page matters, and no mail leaves. */
export function deployWarnings({ CORS_ORIGINS, MAIL_FROM, SES_IDENTITY }: Settings): string[] {
  const warnings: string[] = []
  if (CORS_ORIGINS.includes('*')) {
    warnings.push(
      'CORS_ORIGINS names no origins: a page of any origin can use up the limits of its visitors, who then cannot log in',
    )
  }
  if (MAIL_FROM !== '' && SES_IDENTITY === '') {
    warnings.push(
      'MAIL_FROM is set without SES_IDENTITY: the stack neither requires TLS for mails nor spares addresses that bounced or complained; docs/deploy.md, "An identity that exists", has the two commands',
    )
  }
  return warnings
}

/** Whether a text is `true` or `false`, in any case, or leaves the setting at its default. */
export const isFlag = (text: string): boolean => /^(true|false|)$/i.test(text.trim())

/** @param baseUrl the API's address, if not API_DOMAIN's */
export function settingsWarnings(settings: Settings, env: Record<string, string | undefined>, baseUrl = ''): string[] {
  const required = inCapitals(env).get('REQUIRE_EMAIL_VERIFICATION')
  const warnings: string[] = []
  if (required !== undefined && !isFlag(required)) {
    warnings.push(`REQUIRE_EMAIL_VERIFICATION is '${required}', neither true nor false: it counts as false`)
  }
  if (settings.REQUIRE_EMAIL_VERIFICATION && settings.MAIL_FROM === '') {
    warnings.push(
      'REQUIRE_EMAIL_VERIFICATION is on but MAIL_FROM is not set: nobody can verify their address and log in',
    )
  }
  if (settings.SIGN_UP === 'invited' && settings.MAIL_FROM === '') {
    warnings.push(
      'SIGN_UP is invited but MAIL_FROM is not set: nobody can be invited, and so nobody can open an account',
    )
  }
  if (settings.ADMIN_EMAIL !== '' && !canRegister(settings.ADMIN_EMAIL, settings)) {
    warnings.push(
      'ADMIN_EMAIL cannot register (SIGN_UP, SIGN_UP_DOMAINS): no invitation makes an administrator. Invite it, then run npm run users -- admin',
    )
  } else if (settings.ADMIN_EMAIL !== '' && !settings.REQUIRE_EMAIL_VERIFICATION) {
    warnings.push(
      'ADMIN_EMAIL is set without REQUIRE_EMAIL_VERIFICATION: anyone who registers that address first becomes an administrator',
    )
  }
  if (settings.PASSKEY_RP_ID !== '' && !fitsApi(settings) && !settings.PASSKEY_ORIGINS.includes(baseUrl)) {
    warnings.push(
      `PASSKEY_RP_ID is '${settings.PASSKEY_RP_ID}', and the API's host is neither that nor below it: its own pages, the account page among them, have no passkeys`,
    )
  }
  const known: Record<string, Words> = languages
  const drafts = settings.LANGUAGES.filter(tag => known[tag]?.read === null)
  if (drafts.length > 0) {
    warnings.push(
      `LANGUAGES offers ${drafts.join(', ')}, which no native reader has read: a warning to an owner may be wrong`,
    )
  }
  for (const client of settings.OIDC_CLIENTS) warnings.push(...clientWarnings(client, settings))
  return [...warnings, ...providerWarnings(settings)]
}

function canRegister(email: string, { SIGN_UP: signUp, SIGN_UP_DOMAINS: domains }: Settings): boolean {
  try {
    return mayOpen({ config: { signUp, signUpDomains: domains.length > 0 ? domains : null } }, email) === email
  } catch {
    return false
  }
}

function clientWarnings(client: Client, { CORS_ORIGINS, STAGE }: Settings): string[] {
  const { id, redirects, logouts, home } = client
  const local = STAGE === 'dev' ? [] : [...redirects, ...logouts, home ?? ''].filter(isOnLocalhost)
  const blocked = CORS_ORIGINS.includes('*') ? [] : pageOrigins(client).filter(origin => !CORS_ORIGINS.includes(origin))
  return [
    ...(client.pkce === 'optional' ? [`OIDC_CLIENTS: ${id} may leave PKCE out (ASVS 10.4.6)`] : []),
    ...local.map(
      address => `OIDC_CLIENTS: ${id} lists ${address}, which leads to a program on the person's own machine`,
    ),
    ...blocked.map(
      origin =>
        `OIDC_CLIENTS: ${id} is public, but CORS_ORIGINS lacks ${origin}: scripts of its pages cannot call the API`,
    ),
  ]
}

/** The origins of a public client's pages, whose scripts call the API. Apps on the loopback interface have none. */
const pageOrigins = (client: Client): string[] =>
  isPublic(client) ? [...new Set(client.redirects.filter(isOnPage).map(text => new URL(text).origin))] : []

const isOnPage = (text: string): boolean => text.startsWith('https:') || isOnLocalhost(text)

/** Whether an address is on localhost, of any port. */
const isOnLocalhost = (text: string): boolean => text.startsWith('http://localhost:')

/** Maximum edits between a mistyped and a known name: two, for swapped letters; one for short names. */
const maxEdits = (name: string): number => (name.length < 9 ? 1 : 2)

/** The known name closest to a mistyped one, if close enough. */
export const closestTo = (name: string, known: readonly string[]): string | undefined =>
  known
    .map(candidate => ({ candidate, edits: leven(name, candidate) }))
    .filter(({ candidate, edits }) => edits <= maxEdits(candidate))
    .sort((a, b) => a.edits - b.edits)[0]?.candidate

/** A warning for each environment variable with a name close to a known one. */
export const nearNames = (env: Record<string, string | undefined>, known: readonly string[]): string[] =>
  [...inCapitals(env).keys()]
    .filter(name => !known.includes(name))
    .flatMap(name => {
      const meant = closestTo(name, known)
      return meant ? [`${name} is not a setting. Did you mean ${meant}?`] : []
    })
