import type { Answer, Refusal } from '../form.ts'
import { element, paragraph } from '../nodes.ts'
import type { Station } from '../trip.ts'
import type { Phrase } from '../words.ts'
import type { Sent, Typed } from './fields.ts'

/** The account of `GET /auth/me`. */
export interface Account {
  id: string
  email: string
  name: string | null
  is_verified: boolean
  created_at?: string
  /** Of its mails; absent where the service has one language. */
  language?: string | null | undefined
}

/** Shared by guests' views, on the account page and on that of applications. */
export interface GuestApp {
  /** Logs in with typed values or a passkey. @param stays whether the browser stays logged in, if it can */
  enter(sent: Sent, stays: boolean): Promise<Answer>
  /** Shows the address's view, or what follows a login. */
  route(): void
  /** Shows the first view. */
  restart(): void
  /** The page to return to after a login with another provider. */
  page: Station
  /** Greets somebody who has just registered, with a notice. */
  welcome(notice: Node): void
  /** The heading of the login form. */
  logInTo: Phrase
  /** That form's box; null where staying logged in is not possible. */
  staying: { label: Phrase; hint: Phrase; isTicked: boolean } | null
  /** @returns whether it has shown what to do about a login that needs a mail first */
  awaitMail(refusal: Refusal, typed: Typed, stays: boolean): boolean
  /** Further members of requests for mails: the application. */
  mailing: { client_id?: string }
  /** Whether accounts have a language. */
  hasLanguages: boolean
  requiresVerification: boolean
  /** Whether only operators open accounts. */
  isByInvitation: boolean
}

/** Shared by the views of the account page. */
export interface App extends GuestApp {
  /** The logged-in account. */
  account(): Account
  changeAccount(account: Account): void
  /** Reads the account again: its address is verified in another tab, or on another device. */
  readAccount(): Promise<Answer<Account>>
  /** Removes the message of `welcome`, which no longer holds. */
  endWelcome(): void
  /** Forgets the login and shows the login form. @param notice why */
  leave(notice: Phrase): void
  /** Whether the browser asks before leaving the page, which shows something for the only time. */
  askBeforeLeaving(isOn: boolean): void
  /** Whether service and browser support sessions. */
  keepsSessions: boolean
  /** Whether accounts without a second factor can set one up. */
  offersFactor: boolean
  /** Whether everybody has a second factor. */
  requiresFactor: boolean
}

/** The view of a fragment. */
export interface View {
  heading: Phrase
  root: HTMLElement
  /** Fetches its data before it is shown. */
  load?(): Promise<Answer>
  /** Opens the form of an address's fragment. */
  open?(fragment: string): void
  /** Fetches what changes once the address is verified. */
  refresh?(): Promise<Answer>
}

/** Focuses a shown view. @param onField its first empty field instead of the heading */
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

/** A message above everything else. */
export function noticeOf(words: Phrase | Node): HTMLElement {
  const made = paragraph(words, 'notice')
  made.role = 'status'
  return made
}
