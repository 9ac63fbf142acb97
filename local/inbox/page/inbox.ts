import { inWords } from '../../clock/in-words.ts'
import type { Mail } from '../inbox.ts'
import { find, line } from './elements.ts'
import { dateOf, show } from './shown-mail.ts'
import { forgetAllBut, markRead, readIds } from './unread.ts'

/** Shows the mails of `GET /store`, newest first; only those to one address if the page's address has `?to=`. */

/** Milliseconds between requests. */
const pause = 1500

const state = find('#state', HTMLElement)
const clock = find('#clock', HTMLElement)
const search = find('#search', HTMLInputElement)
const clear = find('#clear', HTMLButtonElement)
const nav = find('nav', HTMLElement)
const unmatched = find('#unmatched', HTMLElement)
const empty = find('#empty', HTMLElement)
const choose = find('#choose', HTMLElement)
const list = find('#list', HTMLOListElement)
const pane = find('#mail', HTMLElement)

const { title } = document
const recipient = new URLSearchParams(location.search).get('to')?.trim() ?? ''
/** The shown mails, also to clear them. */
const store = recipient === '' ? '/store' : `/store?to=${encodeURIComponent(recipient)}`

/** By the URL hash that opens them, oldest first. */
const rows = new Map<string, { mail: Mail; row: HTMLLIElement }>()
let openHash: string | null = null
/** Of the shown mails. */
let version = ''

find('#narrowed', HTMLElement).hidden = recipient === ''
find('#recipient', HTMLElement).textContent = recipient
if (recipient !== '') empty.textContent = 'No mail to this address yet.'
addEventListener('hashchange', open)
addEventListener('storage', mark)
search.addEventListener('input', filter)
clear.addEventListener('click', clearAll)
look()

async function look(): Promise<void> {
  await refresh()
  setTimeout(look, pause)
}

async function refresh(): Promise<void> {
  try {
    const headers = { 'if-none-match': version }
    const response = await fetch(store, { cache: 'no-store', headers, signal: AbortSignal.timeout(10_000) })
    if (response.status !== 304) {
      const { emails } = await response.json()
      update(emails)
      version = response.headers.get('etag') ?? ''
    }
    filter()
    await showClock()
  } catch {
    say('The inbox does not answer. Is it still running?')
  }
}

/** Says how far the clock is ahead, since the mails' times are by it. */
async function showClock(): Promise<void> {
  const response = await fetch('/clock', { cache: 'no-store', signal: AbortSignal.timeout(10_000) })
  const { ahead } = await response.json()
  clock.hidden = ahead === 0
  clock.textContent = ahead === 0 ? '' : `The clock is ${inWords(ahead)} ahead.`
}

/** Changes only new rows, so that nothing flickers, and focus and scroll position stay. */
function update(mails: readonly Mail[]): void {
  if (recipient === '') forgetAllBut(new Set(mails.map(({ messageId }) => messageId)))
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
  clear.disabled = mails.length === 0
  open()
}

function rowOf(mail: Mail): HTMLLIElement {
  const link = document.createElement('a')
  link.href = hashOf(mail)
  const sent = document.createElement('time')
  sent.dateTime = dateOf(mail).toISOString()
  sent.textContent = dateOf(mail).toLocaleTimeString()
  const unread = document.createElement('span')
  unread.className = 'unread'
  unread.setAttribute('role', 'img')
  unread.setAttribute('aria-label', 'Unread')
  link.append(unread, line('to', mail.destination.to.join(', ')), sent, line('subject', mail.subject))
  const row = document.createElement('li')
  row.append(link)
  return row
}

/** Opens the mail of the URL's hash, unless it is open. */
function open(): void {
  const found = rows.get(location.hash)
  pane.hidden = found === undefined
  choose.hidden = found !== undefined || rows.size === 0
  const hash = found ? location.hash : null
  if (openHash !== hash) {
    openHash = hash
    for (const [hash, { row }] of rows) markOpen(row, hash === openHash)
    if (found) show(found.mail)
    if (found) markRead(found.mail.messageId)
  }
  mark()
}

function markOpen(row: HTMLLIElement, isOpen: boolean): void {
  const link = row.querySelector('a')
  if (isOpen) link?.setAttribute('aria-current', 'true')
  else link?.removeAttribute('aria-current')
}

/** Shows the unread mails, and their number in the title. */
function mark(): void {
  const read = readIds()
  let unread = 0
  for (const { mail, row } of rows.values()) {
    const isRead = read.has(mail.messageId)
    if (!isRead) unread++
    row.querySelector('.unread')?.toggleAttribute('hidden', isRead)
  }
  document.title = unread === 0 ? title : `(${unread}) ${title}`
}

/** Hides mails that do not match the search, which ignores case. */
function filter(): void {
  const words = search.value.trim().toLowerCase()
  let found = 0
  for (const { mail, row } of rows.values()) {
    const { from, destination, subject, body } = mail
    const isFound = [from, ...destination.to, subject, body.text ?? ''].join('\n').toLowerCase().includes(words)
    row.hidden = !isFound
    if (isFound) found++
  }
  unmatched.hidden = found > 0 || rows.size === 0
  const count = `${rows.size} ${rows.size === 1 ? 'mail' : 'mails'}`
  say(words === '' ? count : `${found} of ${count}`)
}

async function clearAll(): Promise<void> {
  const which = recipient === '' ? 'of the inbox' : `to ${recipient}`
  if (!confirm(`Delete all mails ${which}?`)) return
  await fetch(store, { method: 'DELETE' }).catch(() => {})
  await refresh()
  search.focus()
}

/** Changes the text only if it is new: screen readers announce each change of a live region. */
function say(words: string): void {
  if (state.textContent !== words) state.textContent = words
}

function hashOf({ messageId }: Mail): string {
  return `#${encodeURIComponent(messageId)}`
}
