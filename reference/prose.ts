import { html, type Markup } from '../shared/prebuilt/markup.ts'
import type { Source } from './source.ts'

/** Code, strong words, and names in the form of settings. */
const marked = /(\*\*[^*]+\*\*|`[^`]+`|\b[A-Z]+_[A-Z_]+\b)/

/**
 * A text of the document or of the code. Marked code becomes code, and a link if the page has a place of that name
 * (`PASSWORD_BLOCKLIST=on` names a setting).
 */
export function prose(text: string, { anchors }: Pick<Source, 'anchors'>): Markup {
  return html`${text.split(marked).map((part, index) => {
    if (index % 2 === 0) return html`${part}`
    return part.startsWith('**')
      ? html`<strong>${part.slice(2, -2)}</strong>`
      : named(part.replaceAll('`', ''), { anchors })
  })}`
}

/** A name that may break between its words: `PASSWORD_`, `User`, `members/`. */
export const breakable = (name: string): Markup => {
  const [first = '', ...words] = name.split(/(?<=[_/.])|(?<=[a-z\d])(?=[A-Z])/)
  return html`${first}${words.map(word => html`<wbr>${word}`)}`
}

/** A name as code, and as a link to its place. */
export function named(name: string, { anchors }: Pick<Source, 'anchors'>): Markup {
  const id = anchors.get(name.replace(/=.*/, ''))
  return id === undefined
    ? html`<code>${breakable(name)}</code>`
    : html`<a href="#${id}"><code>${breakable(name)}</code></a>`
}

/** A text with a closing mark. */
export const sentence = (text: string): string => (/[.!?:]$/.test(text) ? text : `${text}.`)
