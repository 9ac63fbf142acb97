import { gitHubIssuer, toGitHubProvider } from '../../accounts/identity/github.ts'
import type { Provider } from '../../accounts/identity/provider.ts'
import { isHttpLoopback, type Stated } from './checks.ts'
import { readJsonList } from './json-list.ts'
import { isGitHub, providerKind } from './provider-members.ts'

/** Their buttons are stacked where people log in. */
const maxProviders = 6

/**
 * Reads the list of providers.
 *
 * @param isLocal whether providers on the loopback interface are allowed
 * @returns the complaints by provider and member, if it is not valid
 */
export function readProviders(text: string, isLocal = false): readonly Provider[] | string {
  const kind = { noun: 'provider', ...providerKind(isLocal), repeated: findRepeated, most: maxProviders }
  const read = readJsonList(text, kind)
  return typeof read === 'string' ? read : read.map(entry => ('github' in entry ? toGitHubProvider(entry) : entry))
}

/** The settings that a list of providers must agree with. */
interface Circumstances {
  API_DOMAIN: string
  MAIL_FROM: string
  SIGN_IN_PROVIDERS: readonly Provider[]
}

/**
 * A line for each conflict of a list of providers with other settings. `settings` lacks invalid ones.
 *
 * @param baseUrl this service's address, if not API_DOMAIN's
 */
export function misfitProviders(settings: Partial<Circumstances>, baseUrl?: string): string[] {
  const { API_DOMAIN = '', MAIL_FROM, SIGN_IN_PROVIDERS: providers = [] } = settings
  const own = baseUrl ?? (API_DOMAIN === '' ? null : `https://${API_DOMAIN}`)
  return [
    // People who came by a provider alone could not choose a first password.
    ...(MAIL_FROM === '' && providers.length > 0
      ? ['MAIL_FROM is not set but must be, because SIGN_IN_PROVIDERS lists providers']
      : []),
    ...(own === null ? [] : providers.flatMap(provider => placesAt(own, provider))),
  ]
}

/** The parts of a provider that are this service itself: it would confirm its own people, or confuse two providers. */
function placesAt(own: string, { id, issuer, redirects }: Provider): string[] {
  const pages = redirects.filter(address => address.startsWith(`${own}/sign-in/`))
  return [
    ...(issuer === `${own}/auth` ? [`SIGN_IN_PROVIDERS: ${id}: issuer must not be this service itself`] : []),
    ...pages.map(page => `SIGN_IN_PROVIDERS: ${id}: redirects: ${JSON.stringify(page)} is a page of this service`),
  ]
}

/** Warnings about a valid list of providers. */
export const providerWarnings = ({
  CORS_ORIGINS,
  SIGN_IN_PROVIDERS,
  STAGE,
}: Pick<Circumstances, 'SIGN_IN_PROVIDERS'> & { CORS_ORIGINS: readonly string[]; STAGE: string }): string[] =>
  SIGN_IN_PROVIDERS.flatMap(({ id, secret, redirects }) => {
    const local = STAGE === 'dev' ? [] : redirects.filter(isHttpLoopback)
    const origins = [...new Set(redirects.map(address => new URL(address).origin))]
    const blocked = CORS_ORIGINS.includes('*') ? [] : origins.filter(origin => !CORS_ORIGINS.includes(origin))
    return [
      ...(secret === null
        ? [
            `${id} has no secret, and is not offered: once its key is there, npm run providers -- secret ${id} makes one (with npm start: --local)`,
          ]
        : []),
      ...local.map(address => `${id} lists ${address}, which leads to a program on the person's own machine`),
      ...blocked.map(origin => `${id} lists pages of ${origin}, but CORS_ORIGINS lacks it: they cannot call the API`),
    ].map(warning => `SIGN_IN_PROVIDERS: ${warning}`)
  })

/** Values that must be unique but occur in an earlier entry. */
function findRepeated(entry: Stated, before: readonly Stated[]): string[] {
  const listed = (redirects: unknown): unknown[] => (Array.isArray(redirects) ? redirects : [])
  const taken = before.flatMap(({ redirects }) => listed(redirects))
  const issuerOf = (stated: Stated) => (isGitHub(stated) ? gitHubIssuer : stated.issuer)
  const isTaken = (value: unknown, of: (stated: Stated) => unknown) =>
    typeof value === 'string' && before.some(other => of(other) === value)
  return [
    ...(isTaken(entry.id, ({ id }) => id) ? ['id is that of another provider'] : []),
    ...(isTaken(issuerOf(entry), issuerOf) ? ['issuer is that of another provider'] : []),
    ...listed(entry.redirects)
      .filter(address => taken.includes(address))
      .map(address => `redirects: ${JSON.stringify(address)} is that of another provider`),
  ]
}
