import * as v from 'valibot'
import { type GitHubEntry, toGitHubEntry } from '../../accounts/identity/github.ts'
import type { OpenIdProvider, Provider } from '../../accounts/identity/provider.ts'
import * as check from './checks.ts'
import { clientAddress } from './client-addresses.ts'
import { type Members, stateEntry } from './json-list.ts'

export const apple = 'https://appleid.apple.com'

/** Anybody can have an account at these, which themselves state whether an address is proven. None is an operator's directory. */
const publicIssuers: unknown[] = [
  'https://accounts.google.com',
  apple,
  // Microsoft's personal accounts.
  'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
]

/** The prefix of `email` for a directory that vouches for addresses. */
const always = 'always:'

/** More pages or required claims are a mistake. */
const maxItems = 20

/** Characters of an address, a client's id or a claim: more than any provider uses. */
const maxText = 500

/** The defaults of a provider. */
const usual = { secret: null, auth: 'post', email: 'claim', require: {}, formPost: false, redirects: [] } as const

/** An entry of the list: GitHub's has few members. */
type Entry = Omit<OpenIdProvider, 'userUrl'> | GitHubEntry

/** @param isLocal whether providers on the loopback interface are allowed */
export const providerKind = (isLocal: boolean) => ({
  isId,
  usual,
  membersOf: (stated: check.Stated): Members<Entry> => {
    if (isGitHub(stated)) {
      return {
        id: Id,
        name: ProviderName,
        github: gitHub(isLocal),
        clientId: ClientId,
        secret: Secret,
        redirects: Pages,
      }
    }
    const { issuer, form_post: formPost } = stated
    return {
      id: Id,
      name: ProviderName,
      issuer: v.pipe(check.endpoint(maxText, isLocal), v.regex(oneIssuer, notOneIssuer)),
      authorizationEndpoint: check.endpoint(maxText, isLocal),
      tokenEndpoint: check.endpoint(maxText, isLocal),
      jwksUri: check.endpoint(maxText, isLocal),
      clientId: ClientId,
      secret: Secret,
      auth: v.config(Auth, { abortEarly: true, message: notAuth }),
      email: emailOf(issuer),
      require: Claims,
      formPost: check.Flag,
      redirects: formPost === true ? check.arrayOf(Redirect, 0, 0, wrongRedirects) : Pages,
    }
  },
})

export const isGitHub = (stated: check.Stated): boolean => 'github' in stated

const isId = (value: unknown): value is string => typeof value === 'string' && /^[a-z][a-z0-9-]{0,19}$/.test(value)

const Id = check.matching(isId, 'must be 1 to 20 lower-case letters, digits and hyphens, and begin with a letter')
const ProviderName = check.matching(text => check.isName(text, 30), 'must be 1 to 30 printable characters')

const isVisible = (text: string): boolean => check.isVisible(text, maxText)
const ClientId = check.matching(isVisible, `must be 1 to ${maxText} visible ASCII characters`)

/** Not Microsoft's for all tenants, whose id tokens name the tenant instead (OpenID Connect Discovery §4.3). */
const oneIssuer = /^(?!https:\/\/login\.microsoftonline\.com\/(?:common|organizations|consumers)\b)[^{}]*$/
const notOneIssuer = "stands for many issuers: name one, such as your tenant's"

/**
 * Whether a text can be a ciphertext of KMS: base64 of 72 bytes or more, the minimum for key and context. Plain secrets
 * are shorter, in hexadecimal, or a DER key, which begins so.
 */
const isCiphertext = (text: string): boolean =>
  text.length >= 96 &&
  // AWS KMS, "Decrypt": a ciphertext has 6,144 bytes at most.
  text.length <= 8192 &&
  Buffer.from(text, 'base64').toString('base64') === text &&
  !/^MI|^[0-9a-fA-F]*$/.test(text)
const notCiphertext = 'must be what npm run providers -- secret prints: a ciphertext, never the secret itself'
// Hidden, because it may be the secret itself.
const Secret = check.matching(isCiphertext, notCiphertext)

/** A stand-in for GitHub on the loopback interface has its paths. */
const gitHub = (isLocal: boolean) => {
  const isStandIn = (value: unknown): value is string =>
    isLocal && typeof value === 'string' && check.isLoopback(value) && check.isOrigin(value)
  const must = `must be true${isLocal ? ', or the address of a stand-in such as http://127.0.0.1:4000' : ''}`
  return v.custom<GitHubEntry['github']>(value => value === true || isStandIn(value), must)
}

const AppleId = v.pipe(v.string(), v.regex(/^[A-Z0-9]{10}$/))
const Auth = v.union([v.picklist(['post', 'basic']), v.strictObject({ team: AppleId, key: AppleId })])
const notAuth = `must be "post", "basic" or Apple's {"team":"…","key":"…"} of ten capitals and digits each`

const emailOf = (issuer: unknown) =>
  v.pipe(
    v.string(notEmail),
    check.refusing(text => {
      if (text === 'claim') return null
      if (!text.startsWith(always)) return notEmail
      if (publicIssuers.includes(issuer)) return 'must be "claim": everybody can have an account there'
      const wrong = text === always ? 'there is none' : check.wrongDomain(text.slice(always.length))
      return wrong && `must name domains after ${always} ${wrong}`
    }),
    v.transform(text => (text === 'claim' ? text : { always: check.itemsOf(text.slice(always.length)) })),
  )
const notEmail = `must be "claim" or "${always}<domains>", separated by commas`

const Claim = v.union([v.boolean(), v.pipe(v.number(), v.finite()), v.pipe(v.string(), v.maxLength(maxText))])
const Claims = v.pipe(
  v.custom<Provider['require']>(check.isObject, 'must be an object of claims'),
  v.maxEntries(maxItems, `must have at most ${maxItems} claims`),
  check.refusing(claims => {
    const wrong = Object.keys(claims).find(name => !isVisible(name) || !v.is(Claim, claims[name]))
    if (wrong === undefined) return null
    return `${JSON.stringify(wrong)} must be a text of at most ${maxText} characters, a number, true or false`
  }),
)

/** A page, compared as text: unlike a client's app, it listens on a known port. */
const Redirect = v.lazy(value =>
  typeof value === 'string' && check.isHttpLoopback(value)
    ? check.endpoint(maxText, true, check.quoting)
    : clientAddress(false),
)

const wrongRedirects = ({ input }: { input: unknown }): string =>
  Array.isArray(input) && input.length <= maxItems
    ? "must be empty with form_post: this service's own page takes the form"
    : `must be an array of at most ${maxItems}`

const Pages = check.arrayOf(Redirect, 0, maxItems, wrongRedirects)

/** A provider in the setting's form. */
export function statementOf(its: Provider): check.Stated {
  if (its.userUrl !== undefined) return stateEntry(toGitHubEntry(its), usual)
  return stateEntry(
    { ...its, email: its.email === 'claim' ? 'claim' : `${always}${its.email.always.join(',')}` },
    usual,
  )
}
