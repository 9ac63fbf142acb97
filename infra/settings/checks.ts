import * as v from 'valibot'
import { canonicalEmail, hostName } from '../../accounts/address/address.ts'
import { hasHidden, isBlank } from '../../shared/base/hidden-characters.ts'

/** @param must the complaint about any other value */
export const matching = (isRight: (text: string) => boolean, must?: string) =>
  v.pipe(v.string(must), v.check(isRight, must))

/** Also allows an empty text, which leaves the setting unset. */
export const optional = (isRight: (text: string) => boolean) => matching(text => text === '' || isRight(text))

/**
 * A text in canonical form, or an empty one.
 *
 * @param formOf the canonical form; null if the text is not valid
 */
export const canonical = (formOf: (text: string) => string | null) =>
  v.pipe(
    optional(text => formOf(text) !== null),
    v.transform(text => formOf(text) ?? ''),
  )

export const integer = (from: number, to: number) =>
  v.pipe(v.string(), v.regex(/^\d{1,10}$/), v.transform(Number), v.minValue(from), v.maxValue(to))

/** A whole number, or null for an empty text, which leaves the setting unset. */
export const optionalInteger = (from: number, to: number) =>
  v.union([
    v.pipe(
      v.literal(''),
      v.transform(() => null),
    ),
    integer(from, to),
  ])

/** RFC 3339 §5.6. */
const dateTime = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i

/** An RFC 3339 moment in the past or present, in UTC; null for any other text. */
export function pastMoment(text: string): string | null {
  const [, day] = dateTime.exec(text) ?? []
  // `Date` takes February 30 for March 2.
  if (day === undefined || !new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)) return null
  const moment = new Date(text.toUpperCase())
  return moment.getTime() <= Date.now() ? moment.toISOString() : null
}

export const list = (isRight: (items: string[]) => boolean) =>
  v.pipe(v.string(), v.transform(itemsOf), v.check(isRight))

export const itemsOf = (text: string): string[] => text.split(',').map(item => item.trim())

/** Tags of a list, in its spelling: case does not matter in tags (RFC 5646 §2.1.1). None for an empty text. */
export const languages = (tags: readonly string[]) =>
  v.pipe(
    optional(text => wrongLanguage(tags, text) === null),
    v.transform(text => (text === '' ? [] : itemsOf(text).flatMap(item => tags.filter(tag => isSameTag(tag, item))))),
  )

const isSameTag = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** The complaint about tags, or null. */
export function wrongLanguage(tags: readonly string[], text: string): string | null {
  const items = itemsOf(text)
  if (items.includes('')) return 'a tag is empty'
  const unknown = items.find(item => !tags.some(tag => isSameTag(tag, item)))
  if (unknown !== undefined) return `there is no ${unknown}`
  const repeated = items.find((item, i) => items.slice(0, i).some(before => isSameTag(before, item)))
  return repeated === undefined ? null : `${repeated} is repeated`
}

export const maxDomains = 50
/** All variables of a function share 4 KB (AWS Lambda, "Quotas"): the other settings take half of that. */
const maxDomainsLength = 2000

/** Domains of addresses, in canonical form. None for an empty text. */
export const domains = v.pipe(
  optional(text => wrongDomain(text) === null),
  v.transform(text => (text === '' ? [] : itemsOf(text))),
)

/** The complaint about domains, or null. */
export function wrongDomain(text: string): string | null {
  const items = itemsOf(text)
  if (items.length > maxDomains) return `there are ${items.length}`
  if (text.length > maxDomainsLength) return `they take ${text.length} characters`
  for (const [i, item] of items.entries()) {
    const canonical = canonicalEmail(`a@${item}`)?.slice(2)
    if (canonical === undefined) return `${item || 'an empty text'} is none`
    if (canonical !== item) return `write ${item} as ${canonical}`
    if (items.indexOf(item) < i) return `${item} is repeated`
  }
  return null
}

export const isOrigin = (text: string): boolean =>
  URL.canParse(text) && new URL(text).origin === text && /^https?:\/\/[^*]+$/.test(text)

export const isSiteUrl = (text: string): boolean => URL.canParse(text) && /^https?:\/\/[^?#@\s"'<>\\]+$/i.test(text)

/** An address to link to, without credentials or a scheme that runs code in a browser. */
export function isWebAddress(text: string): boolean {
  if (!URL.canParse(text) || !/^https?:\/\/[^\s"'<>\\]+$/i.test(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

/** A function's environment variables share 4 KB. A small SVG or PNG fits. */
const maxImageAddress = 1500

/** Two of these must fit beside an image, and two of the others. */
export const maxLegalAddress = 250

/** An address in its URL spelling, if it is short: two of them must fit beside an image. */
export function shortAddress(text: string, max = 500): string | null {
  const { href } = new URL(text)
  return href.length <= max ? href : null
}

/**
 * The address of an image: an https URL of a plain host, which a Content-Security-Policy can name, or a data URI. Null
 * for any other text.
 */
export function imageAddress(text: string): string | null {
  if (text.length > maxImageAddress || /[^\x21-\x7e]|["'<>\\]/.test(text)) return null
  if (/^data:image\/(?:avif|gif|jpeg|png|svg\+xml|webp)[;,]/.test(text)) return text
  if (!isWebAddress(text)) return null
  const { protocol, hostname, href } = new URL(text)
  return protocol === 'https:' && isHostName(hostname) && href.length <= maxImageAddress ? href : null
}

/** A readable name: at least one visible character, and none that is hidden or missing on some systems. */
export const isName = (text: string, max: number): boolean =>
  !hasHidden(text) &&
  !isBlank(text) &&
  !/[\p{Cn}\p{Co}\p{Cs}]/u.test(text) &&
  /[\p{L}\p{N}\p{S}\p{P}]/u.test(text) &&
  [...text].length <= max

/** A host name in lower case, as in certificates and DNS. Its last label begins with a letter. */
export const isHostName = (text: string): boolean =>
  text.length <= 253 && hostName.test(text) && /\.[a-z][^.]+$/.test(text)

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** @param region the required region; any if omitted */
export const isCertificateArn = (region = '[a-z0-9-]+') => {
  const arn = new RegExp(`^arn:aws[a-z-]*:acm:${region}:\\d{12}:certificate/${uuid}$`)
  return (text: string): boolean => arn.test(text)
}

/** CloudFront takes global web ACLs, which are in us-east-1 (AWS WAF, "CreateWebACL"). */
export const isGlobalWebAclArn = (text: string): boolean =>
  new RegExp(`^arn:aws[a-z-]*:wafv2:us-east-1:\\d{12}:global/webacl/[\\w-]{1,128}/${uuid}$`).test(text)

/** An object of JSON, unchecked. */
export type Stated = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Stated =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const Flag = v.boolean('must be true or false')

/** An array of distinct items. @param must the complaint about another number of items */
export const arrayOf = <T>(
  item: v.GenericSchema<unknown, T>,
  least: number,
  most: number,
  must: string | ((issue: { input: unknown }) => string) = `must be an array of ${least} to ${most}`,
) =>
  v.pipe(
    v.array(v.unknown(), must),
    v.minLength(least, must),
    v.maxLength(most, must),
    v.array(item),
    v.check(items => new Set(items).size === items.length, 'has one twice'),
  )

/** @param wrong the complaint about a value, or null */
export const refusing = <T>(wrong: (value: T) => string | null) =>
  v.check<T, (issue: { input: T }) => string>(
    value => wrong(value) === null,
    ({ input }) => wrong(input) ?? '',
  )

/** The same, quoting the wrong text. */
export const quoting = (wrong: (text: string) => string | null) =>
  refusing<string>(text => {
    const what = wrong(text)
    return what && `${JSON.stringify(text)} ${what}`
  })

/** The host and port part (RFC 3986 §3). */
export const authorityOf = (text: string): string => /^[^:/?#]+:\/\/([^/?#]*)/.exec(text)?.[1] ?? ''

/** Whether host and port are in their URL spelling. @param port also allowed */
export function hasHost(text: string, port: string): boolean {
  if (!URL.canParse(text)) return false
  const { host, hostname } = new URL(text)
  return hostname !== '' && [host, `${hostname}${port}`].includes(authorityOf(text))
}

/** Whether an address is on the loopback interface, with or without TLS. */
export function isLoopback(text: string): boolean {
  const { protocol = '', hostname = '' } = URL.parse(text) ?? {}
  return ['http:', 'https:'].includes(protocol) && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

/** Whether an address is on the person's own machine, without TLS (RFC 8252 §7.3). */
export const isHttpLoopback = (text: string): boolean => isLoopback(text) && URL.parse(text)?.protocol === 'http:'

export const isVisible = (text: string, max: number): boolean => text.length <= max && /^[\x21-\x7e]+$/.test(text)

/**
 * An address that this service calls or redirects to. It is compared and used verbatim.
 *
 * @param isLocal whether it may be on the loopback interface
 */
export function endpoint(max: number, isLocal: boolean, refuse: typeof quoting = refusing) {
  const must = `must be an address of printable ASCII, ${max} characters at most`
  const wrongPlace = (text: string): string | null => {
    if (!isVisible(text, max) || /["<>\\]/.test(text) || !URL.canParse(text)) return must
    const { protocol, host, hostname, username, password } = new URL(text)
    if (text.includes('#')) return 'has a fragment'
    if (username !== '' || password !== '') return 'has user information'
    const isSecure = protocol === 'https:' && isHostName(hostname)
    if (!isSecure && !(isLocal && isLoopback(text)))
      return `must be https, at a host name with a dot${isLocal ? ', or on the loopback interface' : ''}`
    // Another spelling than the browser's may be parsed differently.
    return text.startsWith(protocol) && hasHost(text, '') ? null : `must begin with ${protocol}//${host}`
  }
  return v.pipe(v.string(must), refuse(wrongPlace))
}
