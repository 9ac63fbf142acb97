// What a text is: a timestamp that MediaWiki reads, and which of the specification's subtypes a user's name has.

/** MediaWiki also reads some rarer timestamps, such as those of RFC 2822, which count as wrong here. */

const zone = String.raw`(?:Z|[+-]\d{2}(?::?\d{2})?)?`
const fraction = String.raw`(?:\.\d+)?`

const forms = [
  new RegExp(String.raw`^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}${fraction}${zone}$`),
  new RegExp(String.raw`^\d{8}T\d{6}${fraction}${zone}$`),
  // YYYYMMDDhhmmss, or seconds since 1970.
  /^(?:\d{14}|\d{1,13})$/,
  /^now$/,
]

export const isTimestamp = (text: string): boolean => forms.some(form => form.test(text))

/**
 * The timestamps that a text was likely meant for: a `+` that was read as a space, a day without its time, a day in another
 * order. Where day and month can be either, both readings.
 */
export function timestampsMeant(text: string): string[] {
  const trimmed = text.trim()
  const [, one = '', other = '', year = ''] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(trimmed) ?? []
  if (year !== '') {
    const readings = [dayOf(year, one, other), dayOf(year, other, one)].filter(day => day !== null)
    // 31.1.2026: days before months is the way wherever points stand between them.
    return [...new Set(trimmed.includes('.') ? readings.slice(-1) : readings)]
  }
  const iso = trimmed
    .replaceAll('/', '-')
    .replace(/^(\d{4})-(\d{1,2})-(\d{1,2})$/, (_, year, month, day) => dayOf(year, month, day) ?? '')
  const candidates = [
    trimmed.replace(/ (\d{2}(?::?\d{2})?)$/, '+$1'),
    trimmed.toUpperCase(),
    trimmed.toLowerCase(),
    iso,
    `${trimmed}:00Z`,
    fromWrittenMonth(trimmed) ?? '',
  ]
  const meant = candidates.find(candidate => candidate !== text && isTimestamp(candidate))
  return meant === undefined ? [] : [meant]
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** `31 January 2026` or `January 31, 2026`. */
function fromWrittenMonth(text: string): string | null {
  const [, before = '', name = '', after = '', year = ''] =
    /^(?:(\d{1,2})\.? )?([a-z]{3,9})\.?(?: (\d{1,2}),?)? (\d{4})$/i.exec(text) ?? []
  const month = months.indexOf(name.slice(0, 3).toLowerCase())
  return month < 0 ? null : dayOf(year, String(month + 1), before || after)
}

/** Midnight of a day, or null where there is no such day. */
function dayOf(year: string, month: string, day: string): string | null {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const isDay = new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date)
  return isDay ? `${date}T00:00:00Z` : null
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
