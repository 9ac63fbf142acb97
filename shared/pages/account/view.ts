import type { Answer, Refusal } from '../form.ts'
import { element, paragraph } from '../nodes.ts'
import type { Station } from '../trip.ts'
import type { Phrase } from '../words.ts'
import type { Sent } from './fields.ts'

/** The account, as `GET /auth/me` answers it. */
export interface Account {
  id: string
  email: string
  name: string | null
  is_verified: boolean
  /** Of its mails; absent where the service has one language. */
  language?: string | null
}

/** What the views of those share who are not logged in: on the account page, and where people log in to an application. */
export interface GuestApp {
  /** Logs in with what was typed, or by a passkey. @param stays whether the browser is to stay logged in, if it can */
  enter(sent: Sent, stays: boolean): Promise<Answer>
  /** Shows the view that the address names, or what comes after a login. */
  route(): void
  /** Shows what it shows at first. */
  restart(): void
  /** Where people come back to who log in with another provider. */
  page: Station
  /** Shows it to somebody who has just registered, with a word about what comes next. */
  welcome(notice: Node): void
  /** What the form is called in which one logs in. */
  logInTo: Phrase
  /** The box of that form; null where nothing can stay. */
  staying: { label: Phrase; hint: Phrase; isTicked: boolean } | null
  /** @returns whether it has shown what to do about a login that is refused until a mail was read */
  awaitMail?(refusal: Refusal): boolean
  /** What requests for mails say besides the address: for which application. */
  mailing: { client_id?: string }
  /** Whether accounts have a language. */
  hasLanguages: boolean
  requiresVerification: boolean
  /** Whether only operators open accounts. */
  isByInvitation: boolean
}

/** What the views of the account page share. */
export interface App extends GuestApp {
  /** Whoever is logged in. */
  account(): Account
  changeAccount(account: Account): void
  /** Reads the account anew: its address is verified in another tab, or on another device. */
  readAccount(): Promise<Answer<Account>>
  /** Takes the word of `welcome` away, because it no longer holds. */
  endWelcome(): void
  /** Shows the login form, after everything of the login has been forgotten. @param notice why */
  leave(notice: Phrase): void
  /** Whether the browser asks before it reloads or closes the page: what it shows is nowhere else. */
  askBeforeLeaving(isOn: boolean): void
  /** Whether the service keeps sessions, and this browser can. */
  keepsSessions: boolean
  /** Whether accounts without a second factor can set one up. */
  offersFactor: boolean
}

/** What a fragment of the page's address shows. */
export interface View {
  heading: Phrase
  root: HTMLElement
  /** Fetches what it shows, before it is shown. */
  load?(): Promise<Answer>
  /** Fetches what of it changes once the address is verified. */
  refresh?(): Promise<Answer>
}

/** Focuses a view when it is shown. @param onField the first field to fill in, not the heading */
export function focusOn({ root }: View, onField: boolean): void {
  const inputs = [...root.querySelectorAll<HTMLInputElement>('.field input')]
  const first = onField ? (inputs.find(({ value }) => value === '') ?? inputs[0]) : undefined
  ;(first ?? root.querySelector<HTMLElement>('h1'))?.focus()
}

export function makeView(heading: Phrase, ...children: (Node | null)[]): View {
  return { heading, root: element('div', {}, element('h1', { tabindex: '-1' }, heading), ...children) }
}

/** Rows below one another. */
export const rows = (...all: HTMLElement[]): HTMLElement => element('section', { class: 'card' }, ...all)

/** A state in a word. */
export const badge = (words: Phrase, kind = ''): HTMLElement => element('span', { class: `badge ${kind}` }, words)

/** What somebody should know before anything else. */
export function noticeOf(words: Phrase | Node): HTMLElement {
  const made = paragraph(words, 'notice')
  made.role = 'status'
  return made
}
