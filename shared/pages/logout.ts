/** Logs out a browser with a session. Asks first, unless the application proves who is logged in. */

import { find, send, showState, submitOf, waitFor } from './form.ts'
import { clearErrors, showRefusal } from './mistakes.ts'
import { settle } from './settle.ts'
import './switch.ts'

/** The application's request. */
const request = location.search.slice(1)
const asksToGoOn = new URLSearchParams(request).getAll('post_logout_redirect_uri').some(Boolean)

const form = find('form', HTMLFormElement)
form.addEventListener('submit', async event => {
  event.preventDefault()
  if (form.ariaBusy === 'true') return
  clearErrors(form)
  const answer = await waitFor(submitOf(form), () => logOut(true))
  if (!answer.ok) showRefusal(form, answer)
})
logOut(false).then(answer => {
  if (answer.ok) return
  showState('ask').focus()
  settle(form.querySelectorAll('button'))
  if (answer.code !== 'confirmation-required') showRefusal(form, answer)
})

async function logOut(confirmed: boolean) {
  const answer = await send<{ location: string | null }>('POST', '/auth/logout-browser', { request, confirmed })
  if (!answer.ok) return answer
  if (answer.body.location === null) {
    find('[data-unlisted]', HTMLElement).hidden = !asksToGoOn
    showState('done').focus()
  } else location.replace(answer.body.location)
  return answer
}
