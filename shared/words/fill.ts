/** A piece of a text: words, a gap `{name}`, or a link `[words]`, whose words may have gaps. */
export type Part = string | { gap: string } | { link: readonly Part[] }

/** The pieces of a text of `shared/words/`, in its order. Its values come later, and are never read for gaps or links. */
export const partsOf = (text: string): readonly Part[] =>
  text
    .split(/(\{\w+\}|\[[^[\]]*\])/)
    .filter(piece => piece !== '')
    .map(piece => {
      const inner = piece.slice(1, -1)
      if (/^\{\w+\}$/.test(piece)) return { gap: inner }
      return /^\[[^[\]]*\]$/.test(piece) ? { link: partsOf(inner) } : piece
    })

/** A text with its values, as plain text: of a link its words. A gap without a value stays as it is. */
export const fillText = (text: string, values: Readonly<Record<string, string>>): string =>
  partsOf(text)
    .map(part => filled(part, values))
    .join('')

function filled(part: Part, values: Readonly<Record<string, string>>): string {
  if (typeof part === 'string') return part
  if ('link' in part) return part.link.map(inner => filled(inner, values)).join('')
  return values[part.gap] ?? `{${part.gap}}`
}

/**
 * A text without the places at which its long words break (U+00AD): for titles, attributes and names, which some programs
 * show with hyphens.
 */
export const withoutBreaks = (text: string): string => text.replaceAll('\u00ad', '')
