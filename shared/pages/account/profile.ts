import { type Answer, find } from '../form.ts'
import { controls, headings, texts } from '../messages.ts'
import { mailAgain, makeForm } from './form.ts'
import { element, paragraph } from './nodes.ts'
import { call } from './service.ts'
import { type Account, type App, card, makeView, type View } from './view.ts'

/** Name and address. */
export function profileView(app: App): View {
  const name = makeForm<Account>({
    name: 'name',
    fields: [{ name: 'name', label: controls.name, autocomplete: 'name', hint: texts.hintName, isOptional: true }],
    submit: controls.saveName,
    send: typed => call('PUT', '/auth/me', typed),
    done: account => {
      app.changeAccount(account)
      return texts.nameSaved
    },
  })
  find('[name="name"]', HTMLInputElement, name).value = app.account().name ?? ''
  const username = () => app.account().email
  const verification = mailAgain('verify', '/auth/resend-verification', username, texts.newsSent)
  const address = makeForm({
    name: 'address',
    fields: [{ name: 'new_email', label: controls.newEmail, type: 'email', autocomplete: 'email' }],
    submit: controls.changeAddress,
    kind: 'plain',
    send: typed => call('POST', '/auth/change-email', typed),
    done: (_, form) => {
      form.reset()
      return texts.addressAsked
    },
  })
  const state = element('div')
  const show = ({ email, is_verified: isVerified }: Account) =>
    state.replaceChildren(
      element('p', { class: 'fact' }, element('bdi', {}, email), badgeOf(isVerified)),
      ...(isVerified ? [] : [paragraph(texts.verify), verification]),
    )
  show(app.account())
  // Whoever verifies the address does so in another tab.
  let isFresh = true
  return {
    ...makeView(
      headings.profile,
      card(texts.yourName, name),
      card(controls.email, state, element('hr'), paragraph(texts.changeAddress), address),
    ),
    load: async () => {
      const answer: Answer<Account> = isFresh ? { ok: true, body: app.account() } : await call('GET', '/auth/me')
      isFresh = false
      if (answer.ok) {
        app.changeAccount(answer.body)
        show(answer.body)
      }
      return answer
    },
  }
}

const badgeOf = (isVerified: boolean): HTMLElement =>
  element('span', { class: isVerified ? 'badge good' : 'badge' }, isVerified ? texts.verified : texts.notVerified)
