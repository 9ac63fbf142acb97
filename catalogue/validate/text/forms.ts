// Classifies texts: MediaWiki's timestamps, and the specification's subtypes of user names.

/**
 * MediaWiki also reads some rarer timestamps, such as RFC 2822's, which count as wrong here. A day past the end of a shorter month is
 * one of the next, 24:00:00 is the next day's beginning, and 60 a leap second.
 */
const form =
  /^(?=\d{4}-..-..[T ]..:..:|\d{8}T\d{6}|\d{14}$)(\d{4})-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])[T ]?([01]\d|2[0-4]):?([0-5]\d):?([0-5]\d|60)(\.\d+)?(?:Z|([+-]\d\d)(?::?(\d\d))?)?$/

/** Seconds from 1970 to the end of the year 9999, MediaWiki's last. */
const lastSecond = 253_402_300_799

const isSeconds = (text: string): boolean => /^\d{1,13}$/.test(text) && Number(text) <= lastSecond

export const isTimestamp = (text: string): boolean => text === 'now' || isSeconds(text) || form.test(text)

/** Seconds since 1970 before wikis existed, or after 2286: most likely a day, a year or milliseconds. */
export const isUnlikely = (text: string): boolean => isSeconds(text) && (text.length < 9 || text.length > 10)

/** A timestamp in milliseconds since 1970. The present is later than every other time. */
export function timeOf(text: string): number {
  if (text === 'now') return Number.POSITIVE_INFINITY
  if (isSeconds(text)) return Number(text) * 1000
  const [, year, month, day, hour, minute, second, fraction = '', zone = '+00', more = '00'] = form.exec(text) ?? []
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}${zone}:${more}`)
}

/** `#123` is an id, `x>y` a user of another wiki, an address an IP, an address with a length a range, the rest a name. */
export function subtypeOf(text: string): string {
  if (/^#\d+$/.test(text)) return 'id'
  if (/^[^>]+>./s.test(text)) return 'interwiki'
  if (isAddress(text)) return 'ip'
  const [, address = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? []
  return isAddress(address) && Number(length) <= (address.includes(':') ? 128 : 32) ? 'cidr' : 'name'
}

function isAddress(text: string): boolean {
  if (/^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/.test(text)) return true
  // The longest of version 6 is 45 characters long: ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255.
  if (!/^[\da-f:.]{2,45}$/i.test(text)) return false
  try {
    return new URL(`http://[${text}]`).hostname !== ''
  } catch {
    return false
  }
}
