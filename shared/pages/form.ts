/** What every form of the pages does: send what was typed, wait, and say what is wrong where it is wrong. */

import type { ErrorCode } from '../base/errors.ts'
import { fieldWords, moment, refusalWords, unexpected, unreachable } from './messages.ts'

/** What the API refuses, or that it did not answer (status 0). */
export interface Refusal {
  ok: false
  status: number
  /** A gateway's own answers have none. */
  code?: string | undefined
  /** The members of the body that it is about, as JSON pointers. */
  errors?: readonly { pointer: string }[] | undefined
  /** A token that sets up a second factor. */
  setupToken?: string | undefined
  /** Seconds until it makes sense to try again; NaN: unknown. */
  wait: number
  /** The page has no login any more, and asks for one. */
  isEnded?: true
}

export type Answer<T = unknown> = { ok: true; body: T } | Refusal

/** Milliseconds; API Gateway itself gives up after 30 s. */
const timeout = 35_000

/** Milliseconds. Faster than this, an answer seems to come at once, and words that flash up disturb. */
const unnoticed = 300

/** Sends a request to the page's own origin. */
export async function send<T>(method: string, path: string, body?: object, token = ''): Promise<Answer<T>> {
  const response = await fetch(path, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeout),
  }).catch(() => null)
  const read = await response?.json().catch(() => null)
  if (response?.ok) return { ok: true, body: read }
  const { code, errors, setup_token: setupToken } = read ?? {}
  return {
    ok: false,
    status: response?.status ?? 0,
    code,
    errors,
    setupToken,
    wait: Number(response?.headers.get('retry-after') || Number.NaN),
  }
}

export function find<E extends Element>(selector: string, kind: new () => E, within: ParentNode = document): E {
  const element = within.querySelector(selector)
  if (!(element instanceof kind)) throw new Error(`the page has no ${selector}`)
  return element
}

export const inputsOf = (form: HTMLFormElement): HTMLInputElement[] =>
  [...form.elements].filter(element => element instanceof HTMLInputElement)

/** Shows the parts of a page that belong to a state (`data-state`), and makes its heading the title. @returns the heading */
export function showState(state: string): HTMLElement {
  for (const part of document.querySelectorAll<HTMLElement>('[data-state]')) {
    part.hidden = !part.dataset.state?.split(' ').includes(state)
  }
  const heading = find(`[data-state~="${state}"] h1`, HTMLElement)
  document.title = `${heading.textContent} · ${product}`
  scrollTo(0, 0)
  return heading
}

/** Tells screen readers something. */
export function announce(words: string): void {
  find('.unseen[role="status"]', HTMLElement).textContent = words
}

/** Says at the first required field that is empty what to do. @returns whether there is one */
export function showEmpty(form: HTMLFormElement): boolean {
  const empty = inputsOf(form).find(({ required, disabled, value }) => required && !disabled && value === '')
  if (empty) showError(empty, fieldWords[empty.name]?.empty)
  return empty !== undefined
}

/** Says at its field what is wrong, or below the form. */
export function showRefusal(form: HTMLFormElement, refusal: Refusal): void {
  const words = describe(refusal)
  const input = inputAtFault(form, refusal)
  if (input) showError(input, (refusal.code === 'invalid-body' && fieldWords[input.name]?.invalid) || words)
  // Screen readers read an alert when its text changes.
  else find('.error[role="alert"]', HTMLElement, form).textContent = words
}

/** The fields that a refusal may be about, where its body does not say it. */
const fieldsOf: Partial<Record<string, readonly string[]>> = {
  'email-taken': ['email'],
  'password-too-short': ['new_password', 'password'],
  'password-too-common': ['new_password', 'password'],
  'wrong-password': ['current_password', 'password'],
  'wrong-code': ['code'],
  'used-code': ['code'],
  'codes-disabled': ['code'],
} satisfies Partial<Record<ErrorCode, readonly string[]>>

/** The field that a refusal is about, if a person can change it. */
function inputAtFault(form: HTMLFormElement, { code = '', errors = [] }: Refusal): HTMLInputElement | undefined {
  const names = [...(fieldsOf[code] ?? []), ...errors.map(({ pointer }) => pointer.slice(1))]
  return inputsOf(form).find(({ type, name }) => type !== 'hidden' && names.includes(name))
}

export function showError(input: HTMLInputElement, words = ''): void {
  find(`#${input.id}-error`, HTMLElement).textContent = words
  input.ariaInvalid = 'true'
  input.focus()
}

export function clearErrors(form: HTMLFormElement): void {
  for (const error of form.querySelectorAll('.error')) error.textContent = ''
  for (const input of form.querySelectorAll('[aria-invalid]')) input.removeAttribute('aria-invalid')
}

/** Marks a form as busy. Nothing in it is `disabled`, because that would move the focus. @returns ends it */
export function wait(form: HTMLFormElement): () => void {
  const button = find('button', HTMLButtonElement, form)
  const words = button.textContent
  const set = (isBusy: boolean): void => {
    form.ariaBusy = String(isBusy)
    button.ariaDisabled = String(isBusy)
    for (const input of inputsOf(form)) input.readOnly = isBusy
  }
  const say = (label: string, news: string): void => {
    button.textContent = label
    announce(news)
  }
  set(true)
  const timer = setTimeout(() => {
    // It keeps its width, so that nothing beside it moves.
    button.style.minWidth = `${button.offsetWidth}px`
    say(moment, moment)
  }, unnoticed)
  return () => {
    clearTimeout(timer)
    set(false)
    say(words, '')
    button.style.minWidth = ''
  }
}

/** What went wrong, in words for people. A gateway's own answers have no code. */
export function describe({ status, code, wait }: Refusal): string {
  if (status === 0) return unreachable
  const known = code ?? (status === 429 ? 'too-many-requests' : 'internal')
  return (refusalWords[known as ErrorCode] ?? unexpected)
    .replace('{status}', String(status))
    .replace('{wait}', whenToRetry(wait))
    .replace('{product}', () => product)
}

export const product = find('.brand', HTMLElement).textContent

const relative = new Intl.RelativeTimeFormat('en')

/** @param seconds 0 or NaN: unknown */
function whenToRetry(seconds: number): string {
  if (!(seconds > 0)) return 'in a moment'
  if (seconds <= 90) return relative.format(seconds, 'second')
  const minutes = Math.ceil(seconds / 60)
  return minutes <= 90 ? relative.format(minutes, 'minute') : relative.format(Math.ceil(minutes / 60), 'hour')
}
