import * as v from 'valibot'
import type { Provider } from '../../accounts/identity/provider.ts'
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

/** @param isLocal whether providers on the loopback interface are allowed */
export const providerKind = (isLocal: boolean) => ({
  isId,
  usual,
  membersOf: ({ issuer, form_post: formPost }: check.Stated): Members<Provider> => ({
    id: check.matching(isId, 'must be 1 to 20 lower-case letters, digits and hyphens, and begin with a letter'),
    name: check.matching(text => check.isName(text, 30), 'must be 1 to 30 printable characters'),
    issuer: v.pipe(check.endpoint(maxText, isLocal), v.regex(oneIssuer, notOneIssuer)),
    authorizationEndpoint: check.endpoint(maxText, isLocal),
    tokenEndpoint: check.endpoint(maxText, isLocal),
    jwksUri: check.endpoint(maxText, isLocal),
    clientId: check.matching(isVisible, `must be 1 to ${maxText} visible ASCII characters`),
    // Hidden, because it may be the secret itself.
    secret: check.matching(isCiphertext, notCiphertext),
    auth: v.config(Auth, { abortEarly: true, message: notAuth }),
    email: emailOf(issuer),
    require: Claims,
    formPost: check.Flag,
    redirects: check.arrayOf(Redirect, 0, formPost === true ? 0 : maxItems, wrongRedirects),
  }),
})

const isId = (value: unknown): value is string => typeof value === 'string' && /^[a-z][a-z0-9-]{0,19}$/.test(value)

const isVisible = (text: string): boolean => check.isVisible(text, maxText)

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
  typeof value === 'string' && check.isLoopback(value)
    ? check.endpoint(maxText, true, check.quoting)
    : clientAddress(false),
)

const wrongRedirects = ({ input }: { input: unknown }): string =>
  Array.isArray(input) && input.length <= maxItems
    ? "must be empty with form_post: this service's own page takes the form"
    : `must be an array of at most ${maxItems}`

/** A provider in the setting's form. */
export const statementOf = (its: Provider): check.Stated =>
  stateEntry({ ...its, email: its.email === 'claim' ? 'claim' : `${always}${its.email.always.join(',')}` }, usual)
