import type { Mail } from '../inbox.ts'
import { find, line } from './elements.ts'

const pane = find('#mail', HTMLElement)
const frame = find('#html', HTMLIFrameElement)
const text = find('#text', HTMLPreElement)
const source = find('#source', HTMLPreElement)
const links = find('#links', HTMLElement)

let shown: Mail | null = null

find('fieldset', HTMLFieldSetElement).addEventListener('change', chooseForm)
chooseForm()

/**
 * Shows a mail. Mails are untrusted: they appear as text nodes, or in a sandboxed frame that runs no scripts and opens
 * links only in a new tab.
 */
export function show(mail: Mail): void {
  shown = mail
  fill('#subject', mail.subject)
  fill('#from', decodeWords(mail.from))
  fill('#sent', dateOf(mail).toLocaleString())
  find('#to', HTMLElement).replaceChildren(...separate(mail.destination.to.map(narrowTo)))
  text.textContent = mail.body.text ?? ''
  source.textContent = ''
  frame.srcdoc = withLinksInNewTabs(mail.body.html ?? '')
  links.replaceChildren(...linksIn(mail).map(linkRow))
  chooseForm()
  pane.focus()
}

export const dateOf = ({ at }: Mail): Date => new Date(at * 1000)

/** A link to the mails of one address. */
function narrowTo(address: string): HTMLElement {
  const link = document.createElement('a')
  link.href = `/?to=${encodeURIComponent(address)}`
  link.title = 'Only mails to this address'
  link.append(line('address', address))
  return link
}

const separate = (elements: readonly HTMLElement[]): (HTMLElement | string)[] =>
  elements.flatMap((element, i) => (i === 0 ? [element] : [', ', element]))

/** The addresses of pages in the text of a mail, each once. */
const linksIn = ({ body }: Mail): string[] => [...new Set(body.text?.match(/https?:\/\/[^\s<>"]*[^\s<>".,;:!?)]/g))]

function linkRow(url: string): HTMLElement {
  const link = document.createElement('a')
  link.href = url
  link.target = '_blank'
  link.rel = 'noreferrer'
  link.textContent = url
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy link'
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(url)
      button.textContent = 'Copied'
    } catch {
      // Browsers allow this to pages from https and localhost alone, and people can forbid it.
      getSelection()?.selectAllChildren(link)
      button.textContent = 'Selected'
    }
  })
  const row = document.createElement('p')
  row.append(link, button)
  return row
}

/** Decodes encoded words (RFC 2047 §2) in UTF-8 and base64, as the sender's name is encoded. */
function decodeWords(text: string): string {
  return text
    .replace(/(\?=)\s+(?==\?)/g, '$1')
    .replace(/=\?UTF-8\?B\?((?:[a-z\d+/]{4})*(?:[a-z\d+/]{2}==|[a-z\d+/]{3}=)?)\?=/gi, (_, base64: string) => {
      const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0))
      return new TextDecoder().decode(bytes)
    })
}

function chooseForm(): void {
  const form = find('[name="form"]:checked', HTMLInputElement).value
  frame.hidden = form !== 'html'
  text.hidden = form !== 'text'
  source.hidden = form !== 'source'
  if (form === 'source' && shown !== null && source.textContent === '') loadSource(shown)
}

async function loadSource(mail: Mail): Promise<void> {
  const answer = await fetch(`/store/${encodeURIComponent(mail.messageId)}`).catch(() => null)
  const lost = answer ? 'The inbox does not have this mail any more.' : 'The inbox does not answer.'
  const words = answer?.ok ? await answer.text() : lost
  if (shown === mail) source.textContent = words
}

/** The frame's sandbox lets links open in new tabs only. */
function withLinksInNewTabs(html: string): string {
  const mail = new DOMParser().parseFromString(html, 'text/html')
  const base = mail.createElement('base')
  base.target = '_blank'
  mail.head.prepend(base)
  return `<!doctype html>${mail.documentElement.outerHTML}`
}

function fill(selector: string, content: string): void {
  find(selector, HTMLElement).textContent = content
}
