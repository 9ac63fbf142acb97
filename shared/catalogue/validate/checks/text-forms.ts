// Recognises the texts that MediaWiki reads as timestamps. It also accepts some rarer forms, such as those of RFC 2822.

const zone = String.raw`(?:Z|[+-]\d{2}(?::?\d{2})?)?`
const fraction = String.raw`(?:\.\d+)?`

const forms = [
  new RegExp(String.raw`^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}${fraction}${zone}$`),
  new RegExp(String.raw`^\d{8}T\d{6}${fraction}${zone}$`),
  /** YYYYMMDDhhmmss, or seconds since 1970. */
  /^(?:\d{14}|\d{1,13})$/,
  /^now$/,
]

export const isTimestamp = (text: string): boolean => forms.some(form => form.test(text))

/** The timestamp that a text was likely meant for: a `+` that was read as a space, or a day without its time. */
export function meantTimestamp(text: string): string | null {
  const trimmed = text.trim()
  const candidates = [
    trimmed.replace(/ (\d{2}(?::?\d{2})?)$/, '+$1'),
    trimmed.toUpperCase(),
    trimmed.toLowerCase(),
    trimmed.replaceAll('/', '-'),
    `${trimmed.replaceAll('/', '-')}T00:00:00Z`,
    `${trimmed}:00Z`,
  ]
  return candidates.find(candidate => candidate !== text && isTimestamp(candidate)) ?? null
}

// Which of the specification's subtypes a user's name has.

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
