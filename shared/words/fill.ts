/** A piece of a text: words, a gap `{name}`, or a link `[words]`, whose words may have gaps. */
export type Part = string | { gap: string } | { link: readonly Part[] }

/** The pieces of a text of `shared/words/`, in order. Values are inserted later, and never searched for gaps or links. */
export const partsOf = (text: string): readonly Part[] =>
  text
    .split(/(\{\w+\}|\[[^[\]]*\])/)
    .filter(piece => piece !== '')
    .map(piece => {
      const inner = piece.slice(1, -1)
      if (/^\{\w+\}$/.test(piece)) return { gap: inner }
      return /^\[[^[\]]*\]$/.test(piece) ? { link: partsOf(inner) } : piece
    })

/** A text with its values, as plain text: a link becomes its words. A gap without a value stays. */
export const fillText = (text: string, values: Readonly<Record<string, string>>): string =>
  partsOf(text)
    .map(part => fillPart(part, values))
    .join('')

function fillPart(part: Part, values: Readonly<Record<string, string>>): string {
  if (typeof part === 'string') return part
  if ('link' in part) return part.link.map(inner => fillPart(inner, values)).join('')
  return values[part.gap] ?? `{${part.gap}}`
}

/** A text without soft hyphens (U+00AD): for titles, attributes and names, where some programs show them. */
export const withoutBreaks = (text: string): string => text.replaceAll('\u00ad', '')
