/**
 * The links to the page in other languages: it takes their words in place. A navigation would end a login, and lose
 * typed values and the history's state.
 */

import { announce, describe, submitOf, timeout } from './form.ts'
import { element, sayIn } from './nodes.ts'
import { follow, say, speakAs } from './words.ts'

const nav = document.querySelector('.languages')

/** In the languages' own names; empty with one language. */
export const languageLinks = [...(nav?.querySelectorAll('a') ?? [])]

/** The texts of a page's HTML, in order. Without scripts, `noscript` has elements. */
const textsIn = (page: Document): Element[] =>
  [...page.querySelectorAll('h1, p, legend, label, button, .button, footer')].filter(it => !it.closest('noscript'))

const own = textsIn(document)
/** The same in the present language. */
let present = own.map(it => it.cloneNode(true) as Element)
for (const [index, text] of own.entries()) follow(text, () => take(text, present[index] ?? text))
// Forms are named by what they do.
for (const form of document.forms) sayIn(form, 'aria-label', () => submitOf(form).textContent)

/** Gives an element the words of another one. Links and values in them stay: only the page knows some of them. */
function take(mine: Element, theirs: Element): void {
  const href = theirs.getAttribute('href')
  if (href !== null) mine.setAttribute('href', href)
  if (!theirs.hasChildNodes()) return
  const inner = [...mine.children]
  const nodeOf = (node: Node): Node | string => {
    if (!(node instanceof Element)) return node.textContent ?? ''
    const kept = inner.find(
      ({ localName, attributes }) => localName === node.localName && attributes.length === node.attributes.length,
    )
    if (!kept) return node.textContent
    inner.splice(inner.indexOf(kept), 1)
    take(kept, node)
    return kept
  }
  mine.replaceChildren(...[...theirs.childNodes].map(nodeOf))
}

/** The structure that a page has in every language. Another version of its script may know other words. */
const shapeOf = (page: Document): string =>
  [
    page.querySelector('script[type="module"]')?.textContent,
    ...textsIn(page).map(({ localName, childElementCount }) => localName + childElementCount),
  ].join()
const shape = shapeOf(document)

let latest: XMLHttpRequest | null = null
/** The address's query since the choice. */
let chosen = ''

const failure = element('p', { class: 'error', role: 'alert' })
nav?.append(failure)

for (const link of languageLinks) {
  link.addEventListener('click', event => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    // Not all browsers do so.
    link.focus()
    say(failure, '')
    change(link)
  })
}

function change(link: HTMLAnchorElement): void {
  const request = new XMLHttpRequest()
  latest = request
  request.open('GET', link.href)
  // Trusted Types do not let text become a document. In this one, nothing runs.
  request.responseType = 'document'
  request.timeout = timeout
  request.addEventListener('loadend', () => {
    if (request !== latest) return
    if (isThisPage(request.responseXML, link.hreflang)) speak(request.responseXML, link)
    else {
      say(failure, describe({ ok: false, status: request.status, wait: Number.NaN }))
      failure.scrollIntoView({ block: 'nearest' })
    }
  })
  request.send()
}

/** Whether a document is this page in a language. */
const isThisPage = (page: Document | null, language: string): page is Document =>
  page?.documentElement.lang === language && shapeOf(page) === shape

function speak(page: Document, link: HTMLAnchorElement): void {
  const { lang, dir } = page.documentElement
  Object.assign(document.documentElement, { lang, dir })
  present = textsIn(page)
  speakAs(page)
  nav?.setAttribute('aria-label', page.querySelector('.languages')?.getAttribute('aria-label') ?? '')
  for (const other of languageLinks) other.toggleAttribute('aria-current', false)
  link.setAttribute('aria-current', 'true')
  chosen = link.search
  keepChosen()
  announce(link.textContent)
}

/** History entries from before the choice have another language in their address, or none. */
function keepChosen(): void {
  if (chosen && location.search !== chosen) history.replaceState(history.state, '', chosen + location.hash)
}
addEventListener('popstate', keepChosen)

/** The page's address without the parts of this visit, such as a token. */
export function lastingAddress(): string {
  const kept = [...new URLSearchParams(location.search)].filter(([name]) => name === 'lang' || name === 'client')
  return kept.length > 0 ? `${location.pathname}?${new URLSearchParams(kept)}` : location.pathname
}
