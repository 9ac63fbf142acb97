// Parts of sentences.

/** Characters of a value or a name that are shown. */
const shown = 200

/** The beginning of a long text; a character is not cut in two. */
export const cut = (text: string): string =>
  text.length > shown ? text.slice(0, shown).replace(/[\ud800-\udbff]$/, '') : text

/** A name as it stands in a sentence. */
export const short = (text: string): string => (text.length > shown ? `${cut(text)}…` : text)

export const quote = (text: string): string => `"${short(text)}"`

/** `a, b and c`. */
export const list = (items: readonly string[], word = 'and'): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`
