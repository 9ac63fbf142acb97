/**
 * What both pages do: take the token out of the address bar, wait for a person, post the form, and say what came of it.
 *
 * Nothing is posted before somebody acts: mail scanners open links and run scripts.
 */

/** Milliseconds; API Gateway itself gives up after 30 s. */
const patience = 35_000

const form = find('form', HTMLFormElement)
const button = find('button', HTMLButtonElement)
const outcome = find('#outcome', HTMLElement)
const password = document.querySelector<HTMLInputElement>('#new-password')
const show = document.querySelector<HTMLInputElement>('#show')

// Kept in the history entry, for a phone that drops the page while its owner is in the password manager.
const address = new URL(location.href)
const token: unknown = address.searchParams.get('token') || history.state?.token
history.replaceState({ token }, '', address.pathname)

if (token) form.hidden = false
else say('failed', 'This page needs the whole link from your mail. Please open it there again.')

show?.addEventListener('change', () => reveal(show.checked))

form.addEventListener('submit', async event => {
  event.preventDefault()
  if (form.ariaBusy === 'true') return
  // Browsers remember what a text field held.
  reveal(false)
  setBusy(true)
  say('busy', 'One moment…')
  await post()
  setBusy(false)
})

async function post(): Promise<void> {
  const response = await fetch(form.action, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, ...Object.fromEntries(new FormData(form)) }),
    signal: AbortSignal.timeout(patience),
  }).catch(() => null)
  if (response === null) return say('failed', 'The service cannot be reached. Check your connection and try again.')

  const answer = await response.json().catch(() => null)
  if (response.ok) return finish(answer?.message ?? 'Done.')

  say('failed', answer?.detail ?? describe(response))
  if (/^password-too-/.test(answer?.code) || response.status === 422) blamePassword()
}

function finish(message: string): void {
  history.replaceState(null, '')
  form.reset()
  form.hidden = true
  say('done', message)
  outcome.focus()
}

/** For answers that are not the API's own, such as those of a gateway in front of it. */
function describe({ status, headers }: Response): string {
  const seconds = headers.get('retry-after')
  const wait = seconds ? `in ${seconds} seconds` : 'in a moment'
  return status === 429
    ? `Too many requests. Try again ${wait}.`
    : `Something went wrong (${status}). Try again ${wait}.`
}

function blamePassword(): void {
  password?.setAttribute('aria-invalid', 'true')
  password?.setAttribute('aria-describedby', 'outcome hint')
  password?.focus()
}

function say(kind: 'busy' | 'done' | 'failed', text: string): void {
  outcome.className = kind
  outcome.textContent = text
  outcome.scrollIntoView({ block: 'nearest' })
}

/** Not `disabled`, which would take the focus away. */
function setBusy(isBusy: boolean): void {
  form.ariaBusy = String(isBusy)
  button.ariaDisabled = String(isBusy)
  if (isBusy) password?.removeAttribute('aria-invalid')
}

function reveal(isShown: boolean): void {
  if (show) show.checked = isShown
  if (password) password.type = isShown ? 'text' : 'password'
}

function find<E extends Element>(selector: string, kind: new () => E): E {
  const element = document.querySelector(selector)
  if (!(element instanceof kind)) throw new Error(`the page has no ${selector}`)
  return element
}
