import type { Provider } from '../../shared/accounts/providers/provider.ts'
import { type Entry, isId, isLoopback, membersOf, type Statement, toProvider } from './provider-members.ts'

/** Their buttons stand below each other where people log in. */
const maxProviders = 6

/**
 * Reads the list of providers.
 *
 * @param isLocal whether it may list providers on the loopback interface
 * @returns what is wrong with it, by provider and member, if it is not valid
 */
export function readProviders(text: string, isLocal = false): readonly Provider[] | string {
  const entries = jsonOf(text)
  if (!Array.isArray(entries)) return 'it is not a JSON array'
  if (entries.length > maxProviders) return `it has ${entries.length} entries, and ${maxProviders} at most`
  const members = membersOf(isLocal)
  const wrong = entries.flatMap((entry: unknown, i) => {
    const name = isEntry(entry) && isId(entry.id) ? entry.id : `provider ${i + 1}`
    if (!isEntry(entry)) return [`${name} must be an object`]
    const before = entries.slice(0, i).filter(isEntry)
    return [...wrongMembers(entry, members), ...repeated(entry, before)].map(what => `${name}: ${what}`)
  })
  return wrong.length > 0 ? wrong.join('; ') : entries.map(toProvider)
}

/** The settings that a list of providers must fit. */
interface Circumstances {
  API_DOMAIN: string
  MAIL_FROM: string
  SIGN_IN_PROVIDERS: readonly Provider[]
}

/**
 * A line for each thing in a list of providers that does not fit the other settings. `settings` lacks the invalid ones.
 *
 * @param baseUrl this service's address, where it is not API_DOMAIN's
 */
export function misfitProviders(settings: Partial<Circumstances>, baseUrl?: string): string[] {
  const { API_DOMAIN = '', MAIL_FROM, SIGN_IN_PROVIDERS: providers = [] } = settings
  const own = baseUrl ?? (API_DOMAIN === '' ? null : `https://${API_DOMAIN}`)
  return [
    // Whoever came by a provider alone could not choose a first password.
    ...(MAIL_FROM === '' && providers.length > 0
      ? ['MAIL_FROM is not set but must be, because SIGN_IN_PROVIDERS lists providers']
      : []),
    ...(own === null ? [] : providers.flatMap(provider => placesAt(own, provider))),
  ]
}

/** What of a provider is this service itself, which would prove its own people to itself, or tell two providers not apart. */
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
    const local = STAGE === 'dev' ? [] : redirects.filter(isLoopback)
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

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isEntry = (value: unknown): value is Entry => typeof value === 'object' && value !== null && !Array.isArray(value)

const wrongMembers = (entry: Entry, members: ReturnType<typeof membersOf>): string[] => [
  ...Object.keys(entry)
    .filter(name => !Object.hasOwn(members, name))
    .map(name => `there is no member ${JSON.stringify(name)}, but ${Object.keys(members).join(', ')}`),
  ...Object.entries(members).flatMap(([name, check]) => {
    const wrong = check(entry[name as keyof Statement], entry)
    return wrong === null ? [] : [`${name}: ${wrong}`]
  }),
]

/** What an entry must not share with one before it. */
function repeated(entry: Entry, before: readonly Entry[]): string[] {
  const listed = (redirects: unknown): unknown[] => (Array.isArray(redirects) ? redirects : [])
  const taken = before.flatMap(({ redirects }) => listed(redirects))
  return [
    ...(['id', 'issuer'] as const)
      .filter(name => typeof entry[name] === 'string' && before.some(other => other[name] === entry[name]))
      .map(name => `${name} is that of another provider`),
    ...listed(entry.redirects)
      .filter(address => taken.includes(address))
      .map(address => `redirects: ${JSON.stringify(address)} is that of another provider`),
  ]
}
