// Classifies texts: MediaWiki's timestamps, and the specification's subtypes of user names.

/** MediaWiki also reads some rarer timestamps, such as RFC 2822's, which count as wrong here. */

const zone = String.raw`(?:Z|[+-]\d{2}(?::?\d{2})?)?`
const fraction = String.raw`(?:\.\d+)?`
/** A day past the end of a shorter month is one of the next. */
const [month, day] = ['(?:0[1-9]|1[0-2])', String.raw`(?:0[1-9]|[12]\d|3[01])`]
/** 24:00:00 is the next day's beginning, and 60 a leap second. */
const [hour, minute, second] = [String.raw`(?:[01]\d|2[0-4])`, String.raw`[0-5]\d`, String.raw`(?:[0-5]\d|60)`]

const forms = [
  new RegExp(String.raw`^\d{4}-${month}-${day}[T ]${hour}:${minute}:${second}${fraction}${zone}$`),
  new RegExp(String.raw`^\d{4}${month}${day}T${hour}${minute}${second}${fraction}${zone}$`),
  // YYYYMMDDhhmmss.
  new RegExp(String.raw`^\d{4}${month}${day}${hour}${minute}${second}$`),
  /^now$/,
]

/** Seconds from 1970 to the end of the year 9999, MediaWiki's last. */
const lastSecond = 253_402_300_799

const isSeconds = (text: string): boolean => /^\d{1,13}$/.test(text) && Number(text) <= lastSecond

export const isTimestamp = (text: string): boolean => isSeconds(text) || forms.some(form => form.test(text))

/** Seconds since 1970 before wikis existed, or after 2286: most likely a day, a year or milliseconds. */
export const isUnlikely = (text: string): boolean => isSeconds(text) && (text.length < 9 || text.length > 10)

/** A timestamp in milliseconds since 1970. The present is later than every other time. */
export function timeOf(text: string): number {
  if (text === 'now') return Number.POSITIVE_INFINITY
  if (isSeconds(text)) return Number(text) * 1000
  const digits = /^(\d{4})-?(\d\d)-?(\d\d)[T ]?(\d\d):?(\d\d):?(\d\d)(.*)$/.exec(text)
  const [, year, month, day, hour, minute, second, rest = ''] = digits ?? []
  const offset = rest.replace(/^(.*[+-]\d\d)(\d\d)?$/, (_, hours, minutes = '00') => `${hours}:${minutes}`)
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${/[Z:]/.test(offset) ? offset : `${offset}Z`}`)
}

/** `#123` is an id, `x>y` a user of another wiki, an address an IP, an address with a length a range, the rest a name. */
export function subtypeOf(text: string): string {
  if (/^#\d+$/.test(text)) return 'id'
  if (/^[^>]+>./s.test(text)) return 'interwiki'
  if (isAddress(text)) return 'ip'
  const [, address = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? []
  return isAddress(address) && Number(length) <= (address.includes(':') ? 128 : 32) ? 'cidr' : 'name'
}

const isAddress = (text: string): boolean => isIpv4(text) || isIpv6(text)

const isIpv4 = (text: string): boolean => /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/.test(text)

/** Eight groups, or fewer and one `::` (RFC 4291 §2.2); an IPv4 address counts as the last two. */
function isIpv6(text: string): boolean {
  // The longest is 45 characters long: ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255.
  if (text.length > 45 || !text.includes(':')) return false
  const [head = '', tail, ...more] = text.split('::')
  if (more.length > 0) return false
  const groups = [head, tail ?? ''].flatMap(half => (half === '' ? [] : half.split(':')))
  const last = groups.at(-1) ?? ''
  const isMixed = isIpv4(last)
  const count = groups.length + (isMixed ? 1 : 0)
  const plain = isMixed ? groups.slice(0, -1) : groups
  return plain.every(group => /^[\da-f]{1,4}$/i.test(group)) && (tail === undefined ? count === 8 : count < 8)
}
