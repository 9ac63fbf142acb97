// Parts of sentences.

/** Characters of a value or a name that are shown. */
const shown = 200

/** The beginning of a long text; a character is not cut in two. */
export function cut(text: string): string {
  return text.length > shown ? text.slice(0, shown).replace(/[\ud800-\udbff]$/, '') : text
}

/** A name as it stands in a sentence. */
export function short(text: string): string {
  return text.length > shown ? `${cut(text)}…` : text
}

export function quote(text: string): string {
  return `"${short(text)}"`
}

/** `a, b and c`. */
export function list(items: readonly string[], word = 'and'): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`
}
