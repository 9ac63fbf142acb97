import { find } from '../form.ts'
import { controls, headings, texts } from '../messages.ts'
import { mailAgain, makeForm } from './form.ts'
import { element, paragraph } from './nodes.ts'
import { call } from './service.ts'
import { type Account, type App, card, makeView, type View } from './view.ts'

/** Name and address. */
export function profileView(app: App): View {
  const { email, is_verified: isVerified } = app.account()
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
  const state = element(
    'span',
    { class: isVerified ? 'badge good' : 'badge' },
    isVerified ? texts.verified : texts.notVerified,
  )
  return makeView(
    headings.profile,
    card(texts.yourName, name),
    card(
      controls.email,
      element('p', { class: 'fact' }, element('bdi', {}, email), state),
      ...(isVerified
        ? []
        : [paragraph(texts.verify), mailAgain('verify', '/auth/resend-verification', () => email, texts.newsSent)]),
    ),
  )
}
