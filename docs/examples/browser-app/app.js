const api = 'http://localhost:3000'

let token = '' // In memory alone: it goes with the page.

/** Sends a request. @throws the API's problem document, with `status` 0 if no answer came and `wait` in seconds after 429 and 503 */
async function call(method, path, body) {
  const headers = {
    ...(body && { 'content-type': 'application/json' }),
    ...(token && { authorization: `Bearer ${token}` }),
  }
  const response = await fetch(api + path, { method, headers, body: body && JSON.stringify(body) }).catch(() => null)
  const answer = await response?.json().catch(() => null)
  if (response?.ok && answer) return answer
  throw { ...answer, status: response?.status ?? 0, wait: Number(response?.headers.get('retry-after') ?? 0) }
}

const chosen = ['password', 'new_password']
/** The fields that an error may be about, and what to say there. The API's other fields are in `errors`. */
const atField = {
  'email-taken': [['email'], 'This address has an account. Log in, or reset the password.'],
  'password-too-short': [chosen, 'Take at least 8 characters.'],
  'password-too-common': [chosen, 'Many people use this password. Take another one.'],
  'former-password': [chosen, 'Take another password than the one before.'],
  'wrong-password': [['current_password', 'password'], 'This is not your password.'],
  'second-factor-required': [['code'], 'Type the code that your app shows, or a recovery code.'],
  'wrong-code': [['code'], 'This code is wrong.'],
  'used-code': [['code'], 'This code was used. Wait for the next one.'],
}
/** What to say of the other errors. An unknown code has the API's own words. */
const inWords = {
  'bad-credentials': 'The address or the password is wrong.',
  'account-locked': 'This account is locked. Write to help@example.com.',
  'email-not-verified': 'First verify your address: open the link in our mail.',
}

function spanOf(seconds) {
  if (seconds === 1) return '1 second'
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}

/** Shows an error at its field, or above the button. */
function showError(form, { status, code, detail, errors = [], wait }) {
  if (code === 'second-factor-required') askForCode(form)
  const [names = [], text] = atField[code] ?? []
  const isAtField = names.some(name => sayAt(form, name, text))
  const atFields = errors.filter(({ pointer, detail }) => sayAt(form, pointer.slice(1), detail))
  if (isAtField || atFields.length > 0) return form.querySelector('[aria-invalid]').focus()
  const later = wait ? ` Try again in ${spanOf(wait)}.` : ''
  const words =
    status === 0 ? 'No answer came. Are you online?' : (inWords[code] ?? detail ?? `Something went wrong (${status}).`)
  form.querySelector('[role="alert"]').textContent = `${words}${later}`
}

/** Adds the field for a second factor, once the API asks for one: the same goes again, with it. */
function askForCode(form) {
  if (form.querySelector('input[name="code"]')) return
  const label = Object.assign(document.createElement('label'), { textContent: 'Code ' })
  label.append(Object.assign(document.createElement('input'), { name: 'code', autocomplete: 'one-time-code' }))
  form.querySelector('[role="alert"]').before(label)
}

/** @returns whether the form has the field */
function sayAt(form, name, text) {
  const field = form.querySelector(`input[name="${name}"]`)
  if (!field) return false
  const error = Object.assign(document.createElement('p'), { className: 'error', textContent: text })
  error.id = `${form.parentElement.id}-${name}-error`
  field.setAttribute('aria-invalid', 'true')
  field.setAttribute('aria-describedby', error.id)
  field.parentElement.after(error)
  return true
}

function clearErrors(form) {
  for (const error of form.querySelectorAll('.error')) error.remove()
  for (const field of form.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid')
  form.querySelector('[role="alert"]').textContent = ''
}

/** Has a form send what was typed, and shows what the API refuses. */
function onSubmit(selector, send) {
  const form = document.querySelector(selector)
  const button = form.querySelector('button')
  form.addEventListener('submit', async event => {
    event.preventDefault()
    clearErrors(form)
    button.disabled = true
    try {
      await send(Object.fromEntries(new FormData(form)))
      form.reset()
    } catch (error) {
      if (error.code === 'invalid-access-token') logOut('You were logged out. Log in again.')
      else showError(form, error)
    } finally {
      button.disabled = false
    }
  })
}

/** The pages that links in mails open, and what they show without a token. */
const mailPages = {
  'verify-email': 'resend',
  'reset-password': 'forgot',
  invitation: 'forgot',
  'change-email': 'login',
  undo: 'forgot',
}

function show(id, news = '') {
  // A mailed token leaves the address bar.
  history.replaceState(null, '', id in mailPages ? `/${id}` : id === 'account' ? '/' : `/#${id}`)
  for (const section of document.querySelectorAll('section')) section.hidden = section.id !== id
  document.querySelector('#news').textContent = news
  document.querySelector(`#${id} :is(input, button)`).focus()
}

async function showAccount(news) {
  const account = await call('GET', '/auth/me')
  for (const place of document.querySelectorAll('[data-member]')) {
    const value = account[place.dataset.member]
    place.textContent = value === true ? 'yes' : value === false ? 'not yet: open the link in our mail' : value
  }
  show('account', news)
}

function logOut(news) {
  token = ''
  show('login', news)
}

onSubmit('#register form', async ({ name, ...rest }) => {
  const account = await call('POST', '/auth/register', { ...rest, name: name || null })
  show('login', `A mail with a link is on its way to ${account.email}.`)
})
onSubmit('#login form', async typed => {
  token = (await call('POST', '/auth/login', typed)).access_token
  await showAccount()
})
onSubmit('#password', async typed => {
  // The old token is void.
  token = (await call('POST', '/auth/change-password', typed)).access_token
  await showAccount('Your password was changed.')
})
onSubmit('#email', async typed => {
  // The same answer, whether or not the address can be used.
  await showAccount((await call('POST', '/auth/change-email', typed)).message)
})
onSubmit('#forgot form', async typed => show('login', (await call('POST', '/auth/forgot-password', typed)).message))
onSubmit('#resend form', async typed => show('login', (await call('POST', '/auth/resend-verification', typed)).message))
document.querySelector('#logout').addEventListener('click', () => logOut('You are logged out.'))

// The links in mails lead to /verify-email?token=…, /reset-password?token=… and so on.
const mailed = new URLSearchParams(location.search).get('token')
const page = location.pathname.slice(1)

/** Posts the token when a button is pressed, never by itself: mail scanners open links. A dead link leads to what helps. */
function onLink(page, deadCode, help, endpoint = page) {
  onSubmit(`#${page} form`, async typed => {
    try {
      show('login', (await call('POST', `/auth/${endpoint}`, { ...typed, token: mailed })).message)
    } catch (error) {
      if (error.code !== deadCode) throw error
      show(mailPages[page], `This link was used, or is too old, or there is a newer one. ${help}`)
    }
  })
}
onLink('verify-email', 'invalid-verification-token', 'Get a new one here.')
onLink('reset-password', 'invalid-reset-token', 'Get a new one here.')
onLink('invitation', 'invalid-invitation', 'Log in, or get a new one here.', 'accept-invitation')
onLink(
  'change-email',
  'invalid-email-change-token',
  'Log in: the address can be changed again.',
  'confirm-email-change',
)
onLink('undo', 'invalid-undo-token', 'Have a link mailed to choose a new password.')

const open = () => {
  if (token === '') show(['register', 'forgot', 'resend'].find(id => location.hash === `#${id}`) ?? 'login')
}
addEventListener('hashchange', open)
if (page in mailPages) show(mailed ? page : mailPages[page])
else open()
