/**
 * What both pages do: remove the token from the address bar, wait for a person, post the form, and show the result.
 * When a link no longer works, the page shows a form that requests a new one.
 *
 * Nothing is posted before a person acts: mail scanners open links and run scripts.
 */

/** What a page shows, by `data-state`. `request`: there is no token. */
type State = 'ask' | 'done' | 'expired' | 'request' | 'sent'

/** An answer of the API: a message, or a problem document. */
interface Answer {
  message?: string
  detail?: string
  code?: string
  errors?: readonly { pointer: string; detail: string }[]
}

/** Milliseconds; API Gateway itself gives up after 30 s. */
const timeout = 35_000

const product = find('.brand', HTMLElement).textContent
const status = find('[role="status"]', HTMLElement)
const password = document.querySelector<HTMLInputElement>('#new-password')
const show = document.querySelector<HTMLInputElement>('#show')

// The token is kept in the history entry: a phone may drop the page while its owner is in the password manager.
const address = new URL(location.href)
const token: unknown = address.searchParams.get('token') || history.state?.token
history.replaceState({ token }, '', address.pathname)

showState(token ? 'ask' : 'request')

for (const form of document.forms) {
  form.addEventListener('submit', event => {
    event.preventDefault()
    submit(form)
  })
  form.addEventListener('input', () => clearErrors(form))
}
show?.addEventListener('change', () => reveal(show.checked))
find('[data-again]', HTMLButtonElement).addEventListener('click', () => {
  showState('request')
  find('#email', HTMLInputElement).select()
})

async function submit(form: HTMLFormElement): Promise<void> {
  if (form.ariaBusy === 'true') return
  // Browsers remember what was in a text field, and a shown password is in one.
  reveal(false)
  clearErrors(form)
  const ready = wait(form)
  const response = await post(form)
  const answer: Answer = (await response?.json().catch(() => null)) ?? {}
  ready()
  if (response?.ok) return succeed(form, answer)
  if (answer.code === 'invalid-verification-token' || answer.code === 'invalid-reset-token') return finish('expired')
  const field = fieldAtFault(form, answer)
  if (field) return showError(field.input, field.words)
  // Screen readers read an alert when its text changes.
  find('.error[role="alert"]', HTMLElement, form).textContent = answer.detail ?? describe(response)
}

const post = (form: HTMLFormElement): Promise<Response | null> =>
  fetch(form.action, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...(form.dataset.then === 'done' && { token }), ...Object.fromEntries(new FormData(form)) }),
    signal: AbortSignal.timeout(timeout),
  }).catch(() => null)

function succeed(form: HTMLFormElement, { message = '' }: Answer): void {
  if (form.dataset.then === 'done') form.reset()
  find('[data-message]', HTMLElement).textContent = message
  finish(form.dataset.then as State)
}

/** Shows the result, and forgets the token. */
function finish(state: State): void {
  history.replaceState(null, '')
  showState(state).focus()
}

/** Shows the parts of a state, and makes its heading the title. @returns the heading */
function showState(state: State): HTMLElement {
  for (const part of document.querySelectorAll<HTMLElement>('[data-state]')) {
    part.hidden = !part.dataset.state?.split(' ').includes(state)
  }
  const heading = find(`[data-state="${state}"] h1`, HTMLElement)
  document.title = `${heading.textContent} · ${product}`
  scrollTo(0, 0)
  return heading
}

/** The field that an answer is about, and what is wrong with it. */
function fieldAtFault(form: HTMLFormElement, { code = '', detail = '', errors = [] }: Answer) {
  if (password && /^password-too-/.test(code)) return { input: password, words: detail }
  for (const { pointer, detail } of errors) {
    const input = form.elements.namedItem(pointer.slice(1))
    if (input instanceof HTMLInputElement)
      return { input, words: `${detail.charAt(0).toUpperCase()}${detail.slice(1)}` }
  }
  return null
}

function showError(input: HTMLInputElement, words: string): void {
  find(`#${input.id}-error`, HTMLElement).textContent = words
  input.ariaInvalid = 'true'
  input.focus()
}

function clearErrors(form: HTMLFormElement): void {
  for (const error of form.querySelectorAll('.error')) error.textContent = ''
  for (const input of form.querySelectorAll('[aria-invalid]')) input.removeAttribute('aria-invalid')
}

/** Marks a form as busy. Its button is not `disabled`, because that would move the focus. @returns ends it */
function wait(form: HTMLFormElement): () => void {
  const button = find('button', HTMLButtonElement, form)
  const words = button.textContent
  const set = (isBusy: boolean): void => {
    form.ariaBusy = String(isBusy)
    button.ariaDisabled = String(isBusy)
    button.textContent = isBusy ? 'One moment…' : words
    status.textContent = isBusy ? 'One moment…' : ''
  }
  set(true)
  return () => set(false)
}

/** For answers that are not the API's own, such as a gateway's, and for a missing answer. */
function describe(response: Response | null): string {
  if (response === null) return 'The service cannot be reached. Check your connection and try again.'
  const seconds = response.headers.get('retry-after')
  const wait = seconds ? `in ${seconds} seconds` : 'in a moment'
  return response.status === 429
    ? `Too many requests. Try again ${wait}.`
    : `Something went wrong (${response.status}). Try again ${wait}.`
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
