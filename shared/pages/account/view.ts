import type { Answer } from '../form.ts'
import { element } from './nodes.ts'

/** The account, as `GET /auth/me` answers it. */
export interface Account {
  id: string
  email: string
  name: string | null
  is_verified: boolean
}

/** What the views of the page share. */
export interface App {
  /** Whoever is logged in. */
  account(): Account
  changeAccount(account: Account): void
  /** Reads the account of the person who has just logged in. */
  enter(): Promise<Answer>
  /** Shows the view that the address names. */
  route(): void
  /** Shows the login form, after everything of the login has been forgotten. @param notice why */
  leave(notice: string): void
  /** Whether the browser asks before it reloads or closes the page: what it shows is nowhere else. */
  askBeforeLeaving(isOn: boolean): void
  /** Whether the service keeps sessions, and this browser can. */
  keepsSessions: boolean
  requiresVerification: boolean
  /** Whether accounts without a second factor can set one up. */
  offersFactor: boolean
}

/** What a fragment of the page's address shows. */
export interface View {
  heading: string
  root: HTMLElement
  /** Fetches what it shows, before it is shown. */
  load?(): Promise<Answer>
}

/** Focuses a view when it is shown. @param onField the first field to fill in, not the heading */
export function focusOn({ root }: View, onField: boolean): void {
  const inputs = [...root.querySelectorAll<HTMLInputElement>('.field input')]
  const first = onField ? (inputs.find(({ value }) => value === '') ?? inputs[0]) : undefined
  ;(first ?? root.querySelector<HTMLElement>('h1'))?.focus()
}

export function makeView(heading: string, ...children: (Node | null)[]): View {
  return { heading, root: element('div', {}, element('h1', { tabindex: '-1' }, heading), ...children) }
}

/** A part of a view. */
export const card = (heading: string, ...children: (Node | null)[]): HTMLElement =>
  element('section', { class: 'card' }, element('h2', {}, heading), ...children)
