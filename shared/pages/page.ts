/**
 * What the pages of links do: remove the token from the address bar, wait for a person, post the form, and show the
 * result. When a link no longer works, a page that can request a new one shows a form for that.
 *
 * Nothing is posted before a person acts: mail scanners open links and run scripts.
 */

import { describe, fieldWords } from './messages.ts'

/** What a page shows, by `data-state`. `request`: there is no token. `other`: a link for another address. */
type State = 'ask' | 'done' | 'expired' | 'request' | 'sent' | 'other'

/**
 * What the history entry keeps for a reload and for Back: the token until it is used, because a phone may drop the page
 * while its owner is in the password manager; then what the page showed last, and where a link was sent.
 */
interface Kept {
  token?: string
  shown?: State
  email?: string | undefined
}

/** A problem document of the API. */
interface Problem {
  code?: string
  errors?: readonly { pointer: string }[]
}

/** Milliseconds; API Gateway itself gives up after 30 s. */
const timeout = 35_000

const product = find('.brand', HTMLElement).textContent
const status = find('[role="status"]', HTMLElement)
/** Sends a link again; absent where nobody can ask for one here. */
const again = document.querySelector<HTMLFormElement>('[data-again]')
const password = document.querySelector<HTMLInputElement>('[type="password"]')
const show = document.querySelector<HTMLInputElement>('#show')

const address = new URL(location.href)
const before: Kept = history.state ?? {}
const token = address.searchParams.get('token') || before.token
const kept: Kept = token ? { token } : before
history.replaceState(kept, '', address.pathname)

if (kept.email) nameRecipient(kept.email)
showState(token ? 'ask' : (kept.shown ?? 'request'))

for (const form of document.forms) {
  form.addEventListener('submit', event => {
    event.preventDefault()
    submit(form)
  })
  form.addEventListener('input', () => clearErrors(form))
}
show?.addEventListener('change', () => reveal(show.checked))
document.querySelector('[data-other]')?.addEventListener('click', () => {
  finish('other')
  find('#email', HTMLInputElement).select()
})

async function submit(form: HTMLFormElement): Promise<void> {
  if (form.ariaBusy === 'true') return
  // Browsers remember what was in a text field, and a shown password is in one.
  reveal(false)
  clearErrors(form)
  const empty = inputsOf(form).find(input => input.required && !input.disabled && input.value === '')
  if (empty) return showError(empty, fieldWords[empty.name]?.empty)

  const ready = wait(form)
  const data = Object.fromEntries(new FormData(form))
  const response = await post(form, data)
  const problem: Problem = (response?.ok ? null : await response?.json().catch(() => null)) ?? {}
  ready()
  if (response?.ok) return succeed(form, String(data.email))
  if (/^invalid-(verification|reset|email-change|undo)-token$/.test(problem.code ?? '')) return finish('expired')
  if (problem.code === 'second-factor-required') return askForCode()
  const words = describe(response, problem.code, product)
  const input = inputAtFault(form, problem)
  if (input) return showError(input, (problem.code === 'invalid-body' && fieldWords[input.name]?.invalid) || words)
  // Screen readers read an alert when its text changes.
  find('.error[role="alert"]', HTMLElement, form).textContent = words
}

const post = (form: HTMLFormElement, data: object): Promise<Response | null> =>
  fetch(form.action, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...(form.dataset.then === 'done' && { token }), ...data }),
    signal: AbortSignal.timeout(timeout),
  }).catch(() => null)

function succeed(form: HTMLFormElement, email: string): void {
  if (form.dataset.then === 'done') {
    form.reset()
    finish('done')
    return
  }
  nameRecipient(email)
  find('[data-resent]', HTMLElement).hidden = form !== again
  finish('sent', email)
  if (form === again) status.textContent = 'Sent again.'
}

/** Shows the result, and keeps it in place of the token. */
function finish(shown: State, email?: string): void {
  history.replaceState({ shown, email } satisfies Kept, '')
  showState(shown).focus()
}

/** Shows the parts of a state, and makes its heading the title. @returns the heading */
function showState(state: State): HTMLElement {
  for (const part of document.querySelectorAll<HTMLElement>('[data-state]')) {
    part.hidden = !part.dataset.state?.split(' ').includes(state)
  }
  const heading = find(`[data-state~="${state}"] h1`, HTMLElement)
  document.title = `${heading.textContent} · ${product}`
  scrollTo(0, 0)
  return heading
}

/** Says to whom a link was sent, and makes "Send it again" send another one there. */
function nameRecipient(email: string): void {
  find('[data-email]', HTMLElement).textContent = email
  if (again) find('[name="email"]', HTMLInputElement, again).value = email
}

/** Shows the field for a second factor, which a form posts from then on. */
function askForCode(): void {
  const code = find('#code', HTMLInputElement)
  find('[data-code]', HTMLElement).hidden = false
  code.disabled = false
  code.focus()
  status.textContent = 'Enter a code as well.'
}

const inputsOf = (form: HTMLFormElement): HTMLInputElement[] =>
  [...form.elements].filter(element => element instanceof HTMLInputElement)

/** The field that a refusal is about, if a person can change it. */
function inputAtFault(form: HTMLFormElement, { code = '', errors = [] }: Problem): HTMLInputElement | null {
  if (password && /^(password-too-|wrong-password)/.test(code)) return password
  const names = errors.map(({ pointer }) => pointer.slice(1))
  return inputsOf(form).find(input => input.type !== 'hidden' && names.includes(input.name)) ?? null
}

function showError(input: HTMLInputElement, words = ''): void {
  find(`#${input.id}-error`, HTMLElement).textContent = words
  input.ariaInvalid = 'true'
  input.focus()
}

function clearErrors(form: HTMLFormElement): void {
  for (const error of form.querySelectorAll('.error')) error.textContent = ''
  for (const input of form.querySelectorAll('[aria-invalid]')) input.removeAttribute('aria-invalid')
}

/** Marks a form as busy. Nothing in it is `disabled`, because that would move the focus. @returns ends it */
function wait(form: HTMLFormElement): () => void {
  const button = find('button', HTMLButtonElement, form)
  const words = button.textContent
  const set = (isBusy: boolean): void => {
    form.ariaBusy = String(isBusy)
    button.ariaDisabled = String(isBusy)
    button.textContent = isBusy ? 'One moment…' : words
    status.textContent = isBusy ? 'One moment…' : ''
    for (const input of inputsOf(form)) input.readOnly = isBusy
  }
  set(true)
  return () => set(false)
}

function reveal(isShown: boolean): void {
  if (show) show.checked = isShown
  if (password) password.type = isShown ? 'text' : 'password'
}

function find<E extends Element>(selector: string, kind: new () => E, within: ParentNode = document): E {
  const element = within.querySelector(selector)
  if (!(element instanceof kind)) throw new Error(`the page has no ${selector}`)
  return element
}
