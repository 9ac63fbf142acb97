// Chooses among the offered languages. `offered` are the tags of LANGUAGES, the default first; empty while unset.

/** Limits on a parsed list of languages. */
const most = { members: 20, characters: 1000 }

/** RFC 4647 §2.1: a basic language range. The special range `*` says nothing. */
const basicRange = /^[a-z]{1,8}(?:-[a-z\d]{1,8})*$/i

/** RFC 9110 §12.5.4: a member of `Accept-Language`, and its weight (§12.4.2). */
const weighted = /^[ \t]*([a-z\d-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?[ \t]*$/i

/**
 * The offered tag for a language range (RFC 4647 §3.4), or null. Shortening the range step by step finds the longest
 * tag that it begins with, because no tag ends with a subtag of one character.
 */
export function lookUp(offered: readonly string[], range: string): string | null {
  if (!basicRange.test(range)) return null
  const subtags = withHyphen(range)
  const begins = offered.filter(tag => subtags.startsWith(withHyphen(tag)))
  return begins.reduce<string | null>((longest, tag) => (tag.length > (longest?.length ?? 0) ? tag : longest), null)
}

/** With a final hyphen: `de` begins `de-AT`, not `den`. */
const withHyphen = (tag: string): string => `${tag.toLowerCase()}-`

/** A request's statements about languages. */
interface Said {
  /** The query's `lang`; undefined unless given exactly once. */
  lang?: string | undefined
  /** The parameter `ui_locales` (OpenID Connect Core §3.1.2.1). */
  uiLocales?: string | undefined
  /** The field `Accept-Language`. */
  accept?: string | undefined
}

/** The offered tag for a request, or null. */
export const saidLanguage = (
  offered: readonly string[],
  { lang = '', uiLocales = '', accept = '' }: Said,
): string | null =>
  lookUp(offered, lang) ??
  readList(uiLocales, ' ').reduce<string | null>((found, range) => found ?? lookUp(offered, range), null) ??
  acceptedLanguage(offered, accept)

/** The offered tag for a request, or the default. */
export const chooseLanguage = (offered: readonly string[], said: Said): string =>
  saidLanguage(offered, said) ?? defaultLanguage(offered)

/** The language of readers without a known one. */
export const defaultLanguage = (offered: readonly string[]): string => offered[0] ?? 'en'

/** By weight, then by order. A weight of 0 removes the offered tag that equals its range. */
function acceptedLanguage(offered: readonly string[], accept: string): string | null {
  const members = readList(accept, ',').flatMap(member => {
    const [, range, weight = '1'] = weighted.exec(member) ?? []
    return range === undefined ? [] : [{ range, weight: Number(weight) }]
  })
  const refused = members.filter(({ weight }) => weight === 0)
  const left = offered.filter(tag => !refused.some(({ range }) => withHyphen(range) === withHyphen(tag)))
  const wanted = members.filter(({ weight }) => weight > 0).sort((one, other) => other.weight - one.weight)
  for (const { range } of wanted) {
    const found = lookUp(left, range)
    if (found !== null) return found
  }
  return null
}

/** The first members of a list, without one that the limit of characters cuts. */
function readList(text: string, separator: string): string[] {
  const end = text.length > most.characters ? Math.max(text.lastIndexOf(separator, most.characters), 0) : text.length
  return text.slice(0, end).split(separator, most.members)
}
