/**
 * The page of a reset link: lists what else logs in to the account, and asks whether all of it is the owner's. The list
 * is loaded before a person acts, because that spends nothing; where it cannot be, the mail has it.
 */

import { find, send } from './form.ts'
import { dayOf, element, filled, nameOf, spoken } from './nodes.ts'
import { finish, holdForms, kept } from './page.ts'
import { resetLogins, say } from './words.ts'

/** A way to log in, as the API lists it. */
interface Login {
  kind: 'passkey' | 'provider' | 'app'
  label: string
  /** `YYYY-MM-DD`. */
  day: string
}

const question = find('[data-logins]', HTMLFieldSetElement)
const removes = find('[value="false"]', HTMLInputElement, question)
let hasApp = kept.app

if (kept.token) holdForms(ask(kept.token))

// After the page's own listener: the answer is as it is sent.
question.form?.addEventListener('submit', () => {
  find('[data-app]', HTMLElement).hidden = !(hasApp && removes.checked)
})

async function ask(token: string): Promise<void> {
  const answer = await send<{ logins: Login[] }>('POST', '/auth/reset-password/logins', { token })
  if (answer.ok) list(answer.body.logins)
  else if (answer.code === 'invalid-reset-token') return finish('expired')
  question.hidden = question.disabled = answer.ok ? answer.body.logins.length === 0 : !kept.logins
}

function list(logins: readonly Login[]): void {
  hasApp = logins.some(({ kind }) => kind === 'app') || undefined
  say(find('legend', HTMLLegendElement, question), resetLogins.ask)
  const items = logins.map(({ kind, label, day }) =>
    element('li', {}, filled(resetLogins[kind], { label: spoken(nameOf(label)), day: dayOf(day) })),
  )
  find('#listed ul', HTMLUListElement).append(...items)
  find('#listed', HTMLElement).hidden = logins.length === 0
}
