/**
 * Sets up a second factor, where everybody needs one: address and password, or another provider, with the link's token
 * give a token for this alone; then the secret, as a QR code and as text; then the app's first code, and the recovery
 * codes.
 *
 * Without a working link, people log in as well and are mailed one.
 */

import { type Setup, showCodes, showKey } from './factor-key.ts'
import { type Answer, find, nameEnterKeys, send, showState, submitOf, waitFor } from './form.ts'
import {
  alertOf,
  clearErrorOf,
  clearErrors,
  messageOf,
  showAbove,
  showAtFields,
  showMistakes,
  showRefusal,
} from './mistakes.ts'
import { failureOf, providerButtons, providerName } from './providers.ts'
import { hidePasswords, revealPasswords } from './reveal.ts'
import { lastingAddress } from './switch.ts'
import { arrival, type Outcome } from './trip.ts'
import { setup, tag } from './words.ts'

const address = new URL(location.href)
/** Kept for reloads, but not in the address bar, which others may see. */
const came = arrival('second-factor')
const mailToken = address.searchParams.get('token') || history.state?.token || came?.mailToken
history.replaceState(mailToken ? { token: mailToken } : {}, '', lastingAddress())

/** Set after the login. */
let setupToken = ''

revealPasswords()
showState('log-in')
onSubmit('#log-in', logIn)
onSubmit('#confirm', confirm)
const logInForm = find('#log-in', HTMLFormElement)
const others = providerButtons(() => {
  const { search, hash } = location
  return { page: 'second-factor', search, hash, mailToken }
})
const wayOut = find('[data-not-chosen]', HTMLElement)
if (others) wayOut.after(others)
if (came) goOnAfter(came)

type Typed = Record<string, unknown>

/** Runs a form's action when a person submits it, once at a time, and shows its errors. */
function onSubmit(selector: string, act: (form: HTMLFormElement, typed: Typed) => Promise<Answer | null>): void {
  const form = find(selector, HTMLFormElement)
  nameEnterKeys(form)
  form.addEventListener('input', event => clearErrorOf(event, form))
  form.addEventListener('submit', async event => {
    event.preventDefault()
    if (form.ariaBusy === 'true') return
    hidePasswords(form)
    clearErrors(form)
    if (showMistakes(form)) return
    const typed = Object.fromEntries(new FormData(form))
    const refused = await waitFor(submitOf(form), () => act(form, typed))
    if (refused && !refused.ok) showRefusal(form, refused)
  })
}

/** Continues after a trip to another provider. */
async function goOnAfter(came: Outcome): Promise<void> {
  const ask = async () =>
    'failure' in came ? failureOf(came) : begin('/auth/provider-login', { ...came.proof, language: tag() }, {})
  const refused = await waitFor(submitOf(logInForm), ask)
  if (!refused || refused.ok) return
  if (refused.email) find('#email', HTMLInputElement).value = refused.email
  const refusal = { ...refused, provider: providerName(came.provider) }
  // A page that has just opened is read from its beginning.
  if (!showAtFields(logInForm, refusal)) showAbove(find('section', HTMLElement), messageOf(refusal))
  wayOut.hidden = refused.code !== 'password-required'
}

function logIn(_: HTMLFormElement, typed: Typed): Promise<Answer | null> {
  return begin('/auth/login', typed, { password: typed.password })
}

/**
 * Logs in, and begins to set up a second factor.
 *
 * @param again the typed password, if any
 * @returns the refusal, or null when another state is shown
 */
async function begin(path: string, proof: object, again: object): Promise<Answer | null> {
  if (setupToken === '') {
    const login = await send('POST', path, { ...proof, ...(mailToken && { mail_token: mailToken }) })
    if (login.ok || login.code === 'second-factor-required') return finish('not-needed')
    if (login.code !== 'second-factor-setup') return login
    if (login.setupToken === undefined) return finish('sent')
    setupToken = login.setupToken
    // The link is used up.
    history.replaceState({}, '')
  }
  const begun = await send<Setup>('POST', setupPath, again, setupToken)
  if (!begun.ok) return begun.code === 'invalid-access-token' ? startAgain() : begun
  find('[data-key]', HTMLElement).replaceChildren(...showKey(begun.body))
  logInForm.reset()
  return finish('set-up')
}

const setupPath = '/auth/second-factor/setup'

async function confirm(_: HTMLFormElement, typed: Typed): Promise<Answer | null> {
  const confirmed = await send<{ recovery_codes: string[] }>('POST', '/auth/second-factor/confirm', typed, setupToken)
  if (confirmed.ok) {
    find('[data-codes]', HTMLElement).replaceChildren(...showCodes(confirmed.body.recovery_codes))
    return finish('done')
  }
  const isTooLate = confirmed.code === 'invalid-access-token' || confirmed.code === 'no-second-factor-setup'
  return isTooLate ? startAgain() : confirmed
}

/** The token expires after ten minutes. */
function startAgain(): null {
  setupToken = ''
  finish('log-in')
  showAbove(submitOf(logInForm), alertOf(setup.tookTooLong))
  return null
}

function finish(state: string): null {
  showState(state).focus()
  return null
}
