import type { Provider } from '../../accounts/identity/provider.ts'
import { isHostName, isName, wrongDomain } from './checks.ts'
import { wrongAddress } from './client-addresses.ts'
import type { Members, Unchecked } from './json-list.ts'

/** A provider as SIGN_IN_PROVIDERS states it. */
export interface Statement {
  id: string
  name: string
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  jwks_uri: string
  client_id: string
  secret?: string
  auth?: 'post' | 'basic' | { team: string; key: string }
  email?: string
  require?: Record<string, string | number | boolean>
  form_post?: boolean
  redirects?: string[]
}

export type Entry = Unchecked<Statement>

export const apple = 'https://appleid.apple.com'

/** Everybody can have an account at these, which say themselves whether an address is proven: none is an operator's directory. */
const publicIssuers = [
  'https://accounts.google.com',
  apple,
  // Microsoft's personal accounts.
  'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
]

/** What `email` begins with where a directory vouches for addresses. */
const always = 'always:'

/** More pages, or claims that are required, are a mistake. */
const maxItems = 20

/** Characters of an address, of a client's id and of a claim: no provider's are as long. */
const maxText = 500

/** @param isLocal whether a provider may listen on the loopback interface */
export const membersOf = (isLocal: boolean): Members<Statement> => ({
  id: value => (isId(value) ? null : 'must be 1 to 20 lower-case letters, digits and hyphens, and begin with a letter'),
  name: value => (typeof value === 'string' && isName(value, 30) ? null : 'must be 1 to 30 printable characters'),
  issuer: value => wrongEndpoint(value, isLocal) ?? wrongIssuer(String(value)),
  authorization_endpoint: value => wrongEndpoint(value, isLocal),
  token_endpoint: value => wrongEndpoint(value, isLocal),
  jwks_uri: value => wrongEndpoint(value, isLocal),
  client_id: value => (isVisible(value) ? null : `must be 1 to ${maxText} visible ASCII characters`),
  secret: value => (value === undefined || isCiphertext(value) ? null : notCiphertext),
  auth: value =>
    value === undefined || isAuth(value)
      ? null
      : `must be "post", "basic" or Apple's {"team":"…","key":"…"} of ten capitals and digits each`,
  email: (value = 'claim', { issuer }) => wrongEmail(value, issuer),
  require: (value = {}) => wrongClaims(value),
  form_post: value => (value === undefined || typeof value === 'boolean' ? null : 'must be true or false'),
  redirects: (value = [], { form_post: formPost }) => wrongRedirects(value, formPost),
})

export const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z][a-z0-9-]{0,19}$/.test(value)

const isVisible = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= maxText && /^[\x21-\x7e]+$/.test(value)

/** What is wrong with an address that this service calls, or sends people to. It is compared, or used, as it is written. */
function wrongEndpoint(value: unknown, isLocal: boolean): string | null {
  if (!isVisible(value) || /["<>\\]/.test(value) || !URL.canParse(value))
    return `must be an address of printable ASCII, ${maxText} characters at most`
  const { protocol, host, hostname, username, password } = new URL(value)
  if (value.includes('#')) return 'has a fragment'
  if (username !== '' || password !== '') return 'has user information'
  const isSecure = protocol === 'https:' && isHostName(hostname)
  if (!isSecure && !(isLocal && isLoopback(value)))
    return `must be https, at a host name with a dot${isLocal ? ', or http on the loopback interface' : ''}`
  // Text that a browser spells otherwise may be read otherwise.
  const rest = value.slice(`${protocol}//${host}`.length)
  return value.startsWith(`${protocol}//${host}`) && /^(?:[/?]|$)/.test(rest)
    ? null
    : `must begin with ${protocol}//${host}`
}

/** Microsoft's addresses for all tenants: each of its id tokens names the tenant instead (OpenID Connect Discovery §4.3). */
const wrongIssuer = (issuer: string): string | null =>
  /[{}]/.test(issuer) || /^https:\/\/login\.microsoftonline\.com\/(?:common|organizations|consumers)\b/.test(issuer)
    ? "stands for many issuers: name one, such as your tenant's"
    : null

/** Whether an address leads to whatever listens on the person's own machine (RFC 8252 §7.3). */
export function isLoopback(text: string): boolean {
  const { protocol, hostname } = URL.parse(text) ?? {}
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname ?? '')
}

/** Not shown: it may be the secret itself. */
const notCiphertext = 'must be what npm run providers -- secret prints: a ciphertext, never the secret itself'

/**
 * Whether a text can be a ciphertext of KMS: base64 of 72 bytes or more, which key and context alone take. Secrets in clear are
 * shorter, in hexadecimal, or a key in DER, which begins so.
 */
const isCiphertext = (value: unknown): boolean =>
  typeof value === 'string' &&
  value.length >= 96 &&
  // AWS KMS, "Decrypt": a ciphertext has 6,144 bytes at most.
  value.length <= 8192 &&
  Buffer.from(value, 'base64').toString('base64') === value &&
  !value.startsWith('MI') &&
  !/^[0-9a-f]*$/i.test(value)

function isAuth(value: unknown): boolean {
  if (value === 'post' || value === 'basic') return true
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { team, key, ...others } = value as Record<string, unknown>
  return (
    [team, key].every(id => typeof id === 'string' && /^[A-Z0-9]{10}$/.test(id)) && Object.keys(others).length === 0
  )
}

function wrongEmail(value: unknown, issuer: unknown): string | null {
  if (value === 'claim') return null
  if (typeof value !== 'string' || !value.startsWith(always))
    return `must be "claim" or "${always}<domains>", separated by commas`
  if (publicIssuers.includes(String(issuer))) return 'must be "claim": everybody can have an account there'
  const list = value.slice(always.length)
  const wrong = list === '' ? 'there is none' : wrongDomain(list)
  return wrong && `must name domains after ${always} ${wrong}`
}

function wrongClaims(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object of claims'
  const claims = Object.entries(value)
  if (claims.length > maxItems) return `must have at most ${maxItems} claims`
  const wrong = claims.find(([name, required]) => !isVisible(name) || !isPlain(required))
  return wrong
    ? `${JSON.stringify(wrong[0])} must be a text of at most ${maxText} characters, a number, true or false`
    : null
}

const isPlain = (value: unknown): boolean =>
  typeof value === 'boolean' || Number.isFinite(value) || (typeof value === 'string' && value.length <= maxText)

function wrongRedirects(value: unknown, formPost: unknown): string | null {
  if (!Array.isArray(value) || value.length > maxItems) return `must be an array of at most ${maxItems}`
  if (formPost === true && value.length > 0)
    return "must be empty with form_post: this service's own page takes the form"
  const wrong = value.flatMap(item => wrongRedirect(item) ?? [])
  if (wrong.length > 0) return wrong.join(', ')
  return new Set(value).size < value.length ? 'has one twice' : null
}

/** A page, which is compared as text: unlike an app of a client, it listens on a port that is known. */
function wrongRedirect(value: unknown): string | null {
  if (typeof value !== 'string' || !isLoopback(value)) return wrongAddress(value, false)
  const wrong = wrongEndpoint(value, true)
  return wrong && `${JSON.stringify(value)} ${wrong}`
}

/** A valid entry with all its members. */
export const toProvider = (entry: Statement): Provider => ({
  id: entry.id,
  name: entry.name,
  issuer: entry.issuer,
  authorizationEndpoint: entry.authorization_endpoint,
  tokenEndpoint: entry.token_endpoint,
  jwksUri: entry.jwks_uri,
  clientId: entry.client_id,
  secret: entry.secret ?? null,
  auth: entry.auth ?? 'post',
  email: entry.email?.startsWith(always)
    ? {
        always: entry.email
          .slice(always.length)
          .split(',')
          .map(domain => domain.trim()),
      }
    : 'claim',
  require: entry.require ?? {},
  formPost: entry.form_post ?? false,
  redirects: entry.redirects ?? [],
})

/** A provider as the setting states it: without what it has anyway. */
export const statementOf = ({ email, require, redirects, ...provider }: Provider): Statement => ({
  id: provider.id,
  name: provider.name,
  issuer: provider.issuer,
  authorization_endpoint: provider.authorizationEndpoint,
  token_endpoint: provider.tokenEndpoint,
  jwks_uri: provider.jwksUri,
  client_id: provider.clientId,
  ...(provider.secret !== null && { secret: provider.secret }),
  ...(provider.auth !== 'post' && { auth: provider.auth }),
  ...(email !== 'claim' && { email: `${always}${email.always.join(',')}` }),
  ...(Object.keys(require).length > 0 && { require }),
  ...(provider.formPost && { form_post: true }),
  ...(redirects.length > 0 && { redirects: [...redirects] }),
})
