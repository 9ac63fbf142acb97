/**
 * Behind links in mails: removes the token from the address bar, waits for a person, posts the form, and shows the
 * result. When a link no longer works, a page that can request a new one shows a form for that.
 *
 * Nothing is changed before a person acts: mail scanners open links and run scripts.
 */

import { type CodeStep, makeCodeStep } from './code-step.ts'
import { announce, find, nameEnterKeys, send, showState, submitOf, waitFor } from './form.ts'
import { clearErrorOf, clearErrors, showMistakes, showRefusal } from './mistakes.ts'
import { hidePasswords, revealPasswords } from './reveal.ts'
import { lastingAddress } from './switch.ts'
import { tellVerified } from './verified.ts'
import { forms } from './words.ts'

/** A page's state, by `data-state`. `request`: without a token. `other`: a link for another address. */
type State = 'ask' | 'done' | 'expired' | 'request' | 'sent' | 'other'

/**
 * The state of a history entry, for reloads and Back: the token until it is used, because a phone may drop the page
 * while its owner is in the password manager; then the last state, and the recipient of a link.
 */
interface Kept {
  token?: string
  /** Whether the account has logins beside the password. */
  logins?: true
  /** Whether the account never had a password. */
  first?: true
  /** Whether its mail lists an authenticator app. */
  app?: true
  shown?: State
  email?: string | undefined
}

/** Requests a link again; absent where nobody can request one here. */
const again = document.querySelector<HTMLFormElement>('[data-again]')

/** The recipient of the last link. */
let recipient = ''

const address = new URL(location.href)
const before: Kept = history.state ?? {}
const token = address.searchParams.get('token') || before.token
const marks = ['logins', 'first', 'app'] as const
const marked = marks.filter(name => address.searchParams.get(name) === '1' || before[name])
export const kept: Kept = token ? { token, ...Object.fromEntries(marked.map(name => [name, true])) } : before
history.replaceState(kept, '', lastingAddress())

const first = document.querySelector<HTMLElement>('[data-first]')
if (first && kept.first) {
  first.hidden = false
  first.previousElementSibling?.remove()
}

if (kept.email) nameRecipient(kept.email)
showState(token ? 'ask' : (kept.shown ?? 'request'))

for (const form of document.forms) {
  nameEnterKeys(form)
  const step = makeCodeStep(form, { name: 'proof', heading: 'h1' })
  form.addEventListener('submit', event => {
    event.preventDefault()
    submit(form, step)
  })
  form.addEventListener('input', event => clearErrorOf(event, form))
}
revealPasswords()
document.querySelector('[data-other]')?.addEventListener('click', () => {
  finish('other')
  const email = find('#email', HTMLInputElement)
  // After a reload the form is empty.
  email.value ||= recipient
  email.select()
})

/** What forms wait for before they are checked: a question that is still loading. */
let held: Promise<void> | undefined
export function holdForms(loading: Promise<void>): void {
  held = loading
}

async function submit(form: HTMLFormElement, step: CodeStep): Promise<void> {
  if (form.ariaBusy === 'true') return
  hidePasswords(form)
  clearErrors(form)
  const loading = held
  if (loading) {
    await waitFor(submitOf(form), () => loading)
    // The link may have turned out dead.
    if (form.closest('[hidden]')) return
  }
  if (showMistakes(form)) return

  const { keep_other_logins: isKept, ...data } = Object.fromEntries(new FormData(form))
  const { pathname } = new URL(form.action)
  const body = {
    ...(form.dataset.then === 'done' && { token }),
    ...data,
    ...(isKept !== undefined && { keep_other_logins: isKept === 'true' }),
  }
  const answer = await waitFor(submitOf(form), () => send('POST', pathname, body))
  if (answer.ok && pathname === '/auth/verify-email') tellVerified()
  if (answer.ok) return succeed(form, String(data.email))
  // The codes of a dead link.
  if (/^invalid-(?:.+-token|invitation)$/.test(answer.code ?? '')) return finish('expired')
  if (answer.code === 'second-factor-required') return step.open()
  showRefusal(form, step.refuse(answer))
}

function succeed(form: HTMLFormElement, email: string): void {
  if (form.dataset.then === 'done') {
    form.reset()
    finish('done')
    return
  }
  nameRecipient(email)
  find('[data-resent]', HTMLElement).hidden = form !== again
  finish('sent', email)
  if (form === again) announce(forms.resent)
}

/** Shows the result, and stores it in place of the token. */
export function finish(shown: State, email?: string): void {
  history.replaceState({ shown, email } satisfies Kept, '')
  showState(shown).focus()
}

/** Shows the recipient of a link, and makes "Send it again" send another one there. */
function nameRecipient(email: string): void {
  recipient = email
  find('[data-email]', HTMLElement).textContent = email
  if (again) find('[name="email"]', HTMLInputElement, again).value = email
}
