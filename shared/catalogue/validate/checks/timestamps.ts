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

export function isTimestamp(text: string): boolean {
  return forms.some(form => form.test(text))
}

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
