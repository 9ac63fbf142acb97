/**
 * Shows the mails of `GET /store`, newest first. Mails are untrusted: they are shown as text nodes, or in a sandboxed frame
 * that runs no scripts and opens links only in a new tab.
 */
interface Mail {
  messageId: string
  from: string
  destination: { to: readonly string[] }
  subject: string
  body: { text?: string; html?: string }
  /** Seconds since the epoch. */
  at: number
}

/** Milliseconds between requests. */
const pause = 1500

const state = find('#state', HTMLElement)
const nav = find('nav', HTMLElement)
const empty = find('#empty', HTMLElement)
const choose = find('#choose', HTMLElement)
const list = find('#list', HTMLOListElement)
const pane = find('#mail', HTMLElement)
const frame = find('#html', HTMLIFrameElement)
const text = find('#text', HTMLPreElement)

/** By the URL's hash that opens them, oldest first. */
const rows = new Map<string, { mail: Mail; row: HTMLLIElement }>()
let openHash: string | null = null

addEventListener('hashchange', open)
find('fieldset', HTMLFieldSetElement).addEventListener('change', chooseForm)
chooseForm()
look()

async function look(): Promise<void> {
  try {
    if (!document.hidden || rows.size === 0) update(await fetchMails())
  } catch {
    say('The inbox does not answer. Is it still running?')
  }
  setTimeout(look, pause)
}

async function fetchMails(): Promise<Mail[]> {
  const response = await fetch('/store', { cache: 'no-store', signal: AbortSignal.timeout(10_000) })
  const { emails } = await response.json()
  return emails
}

/** Changes only what is new, so that nothing flickers and focus and scroll position stay. */
function update(mails: Mail[]): void {
  const hashes = new Set(mails.map(hashOf))
  for (const [hash, { row }] of rows) {
    if (hashes.has(hash)) continue
    row.remove()
    rows.delete(hash)
  }
  for (const mail of mails) {
    if (rows.has(hashOf(mail))) continue
    const row = rowOf(mail)
    rows.set(hashOf(mail), { mail, row })
    list.prepend(row)
  }
  empty.hidden = mails.length > 0
  nav.hidden = mails.length === 0
  say(`${mails.length} ${mails.length === 1 ? 'mail' : 'mails'}`)
  open()
}

function rowOf(mail: Mail): HTMLLIElement {
  const link = document.createElement('a')
  link.href = hashOf(mail)
  const sent = document.createElement('time')
  sent.dateTime = dateOf(mail).toISOString()
  sent.textContent = dateOf(mail).toLocaleTimeString()
  link.append(line('to', mail.destination.to.join(', ')), sent, line('subject', mail.subject))
  const row = document.createElement('li')
  row.append(link)
  return row
}

function line(name: string, content: string): HTMLElement {
  const element = document.createElement('bdi')
  element.className = name
  element.textContent = content
  return element
}

/** Opens the mail of the URL's hash, unless it is open. */
function open(): void {
  const found = rows.get(location.hash)
  pane.hidden = found === undefined
  choose.hidden = found !== undefined || rows.size === 0
  if (openHash === (found ? location.hash : null)) return
  openHash = found ? location.hash : null
  for (const [hash, { row }] of rows) mark(row, hash === openHash)
  if (found) show(found.mail)
}

function mark(row: HTMLLIElement, isOpen: boolean): void {
  const link = row.querySelector('a')
  if (isOpen) link?.setAttribute('aria-current', 'true')
  else link?.removeAttribute('aria-current')
}

function show(mail: Mail): void {
  fill('#subject', mail.subject)
  fill('#from', decodeWords(mail.from))
  fill('#to', mail.destination.to.join(', '))
  fill('#sent', dateOf(mail).toLocaleString())
  text.textContent = mail.body.text ?? ''
  frame.srcdoc = withLinksInNewTabs(mail.body.html ?? '')
  pane.focus()
}

/** Decodes encoded words (RFC 2047 §2) in UTF-8 and base64, as the sender's name is encoded. */
const decodeWords = (text: string): string =>
  text
    .replace(/(\?=)\s+(?==\?)/g, '$1')
    .replace(/=\?UTF-8\?B\?((?:[a-z\d+/]{4})*(?:[a-z\d+/]{2}==|[a-z\d+/]{3}=)?)\?=/gi, (_, base64: string) => {
      const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0))
      return new TextDecoder().decode(bytes)
    })

function chooseForm(): void {
  const isText = find('#as-text', HTMLInputElement).checked
  frame.hidden = isText
  text.hidden = !isText
}

/** The frame's sandbox only lets links open in a new tab. */
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

/** Changes the text only if it is new: screen readers announce each change of a live region. */
function say(words: string): void {
  if (state.textContent !== words) state.textContent = words
}

const hashOf = ({ messageId }: Mail): string => `#${encodeURIComponent(messageId)}`

const dateOf = ({ at }: Mail): Date => new Date(at * 1000)

function find<E extends Element>(selector: string, kind: new () => E): E {
  const element = document.querySelector(selector)
  if (!(element instanceof kind)) throw new Error(`the page has no ${selector}`)
  return element
}
