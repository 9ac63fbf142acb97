// Parts of sentences.

/** Shown characters of a value or a name. */
const shown = 200

/** The beginning of a long text, in whole characters. */
export const cut = (text: string): string =>
  text.length > shown ? text.slice(0, shown).replace(/[\ud800-\udbff]$/, '') : text

/** A name in a sentence. */
export const short = (text: string): string => (text.length > shown ? `${cut(text)}…` : text)

export const quote = (text: string): string => `"${short(text)}"`

/** `a, b and c`. */
export const list = (items: readonly string[], word = 'and'): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`
