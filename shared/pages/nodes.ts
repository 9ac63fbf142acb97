import { sayDevice } from '../words/device.ts'
import { type Part, partsOf, withoutBreaks } from '../words/fill.ts'
import { promptly, within } from './within.ts'
import { follow, forms, locale, type Phrase, type Saying, say, setup, textOf, texts } from './words.ts'

/** Nodes of the pages: Trusted Types allow no markup from text. */

type Child = Node | Saying | null

/** A phrase as a node. */
export function spoken(words: Phrase): Text {
  const made = document.createTextNode('')
  say(made, words)
  return made
}

/** Sets an attribute to words. It is not laid out, so its words need no soft hyphens. */
export function sayIn(element: Element, attribute: string, words: Saying): void {
  const made = document.createAttribute(attribute)
  say(made, () => withoutBreaks(textOf(words)))
  element.setAttributeNode(made)
}

/** An element with attributes; `true` is an attribute without a value. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, Saying | true> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) {
    if (typeof value === 'function') sayIn(made, attribute, value)
    else made.setAttribute(attribute, value === true ? '' : value)
  }
  const [words] = children
  // On the element itself, so that its text can be replaced for a while.
  if (typeof words === 'function' && children.length === 1) say(made, words)
  else made.append(...children.flatMap(child => (typeof child === 'function' ? spoken(child) : (child ?? []))))
  return made
}

/**
 * A text in which each gap isolates the direction of its value, such as an address in a right-to-left text.
 *
 * @param href the address of its link
 */
export function filled(text: Phrase, values: Record<string, string | Node>, href = ''): DocumentFragment {
  const made = document.createDocumentFragment()
  const nodeOf = (part: Part): ChildNode => {
    if (typeof part === 'string') return document.createTextNode(part)
    return 'gap' in part ? element('bdi', {}, values[part.gap] ?? '') : element('a', { href }, ...part.link.map(nodeOf))
  }
  // Its parts are replaced with the language, in another order.
  const start = document.createTextNode('')
  let parts: ChildNode[] = []
  made.append(start)
  follow(start, () => {
    for (const part of parts) part.remove()
    parts = partsOf(text()).map(nodeOf)
    start.after(...parts)
  })
  return made
}

export const paragraph = (text: Saying | Node, kind?: string): HTMLParagraphElement =>
  element('p', kind === undefined ? {} : { class: kind }, text)

/** A name of a session or passkey, in the page's language where it is a device's. */
export const nameOf =
  (label: string): Phrase =>
  () =>
    withoutBreaks(sayDevice(label, forms.browserOn()))

/** A button that submits no form. */
export function button(words: Saying, act: (pressed: HTMLButtonElement) => void, kind = 'plain'): HTMLButtonElement {
  const made = element('button', { type: 'button', class: kind }, words)
  made.addEventListener('click', () => act(made))
  return made
}

/** A button that copies a text, and its message. If the browser refuses, the shown text is selected. */
export function copyButton(words: Saying, text: string, shown: Node): [button: Node, told: Node] {
  const told = element('output', { class: 'good' })
  const copy = async () => {
    say(told, '')
    try {
      await within(promptly, () => navigator.clipboard.writeText(text))
      say(told, setup.copied)
    } catch {
      getSelection()?.selectAllChildren(shown)
    }
  }
  return [button(words, copy), told]
}

/** A button that saves a text as a file. */
export const saveButton = (words: Saying, file: string, text: string): HTMLElement =>
  button(words, () => {
    // Lives as long as the page, so that it can be saved again.
    const href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
    element('a', { href, download: file }).click()
  })

/** In seconds, the longest first; less than a minute ago is just now. */
const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** The time since a moment, which is in its title. @param moment RFC 3339 */
export function timeAgo(moment: string): HTMLTimeElement {
  const at = new Date(moment)
  const seconds = (Date.now() - at.getTime()) / 1000
  const [unit, length] = units.find(([, length]) => seconds >= length) ?? []
  const exactly = () => new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(at)
  const roughly = () =>
    unit === undefined
      ? textOf(texts.justNow)
      : new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(-Math.floor(seconds / length), unit)
  return element('time', { datetime: moment, title: exactly }, roughly)
}

/** A day. @param moment its midnight in UTC (RFC 3339) */
export function dayOf(moment: string): HTMLTimeElement {
  const format = () => new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeZone: 'UTC' })
  return element('time', { datetime: moment.slice(0, 10) }, () => format().format(new Date(moment)))
}
