/** Nodes of the page: Trusted Types allow no markup from text. */

type Child = Node | string | null

/** An element with attributes; `true` is an attribute without a value. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string | true> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value === true ? '' : value)
  made.append(...children.filter(child => child !== null))
  return made
}

/** A text in which each `{name}` is a value of its own direction, such as an address within a right-to-left text. */
export function filled(text: string, values: Record<string, string>): DocumentFragment {
  const made = document.createDocumentFragment()
  for (const [i, part] of text.split(/\{(\w+)\}/).entries()) {
    made.append(i % 2 ? element('bdi', {}, values[part] ?? '') : part)
  }
  return made
}

export const paragraph = (text: string | Node, kind?: string): HTMLParagraphElement =>
  element('p', kind === undefined ? {} : { class: kind }, text)

/** A button that sends no form. */
export function button(words: string, act: () => void, kind = 'plain'): HTMLButtonElement {
  const made = element('button', { type: 'button', class: kind }, words)
  made.addEventListener('click', act)
  return made
}

const time = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** @param moment RFC 3339 */
export const momentOf = (moment: string): string => time.format(new Date(moment))
