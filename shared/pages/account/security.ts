import { find } from '../form.ts'
import { controls, headings, texts } from '../messages.ts'
import { factorCard } from './factor.ts'
import { currentPassword } from './fields.ts'
import { makeForm } from './form.ts'
import { paragraph } from './nodes.ts'
import { call, forget } from './service.ts'
import { type App, card, makeView, type View } from './view.ts'

/** Password, and the ways out. */
export function securityView(app: App): View {
  const username = () => app.account().email
  const password = makeForm({
    name: 'password',
    username,
    fields: [
      currentPassword,
      {
        name: 'new_password',
        label: controls.newPassword,
        type: 'password',
        autocomplete: 'new-password',
        hint: texts.hintPassword,
      },
    ],
    submit: controls.changePassword,
    send: typed => call('POST', '/auth/change-password', typed),
    done: () => {
      password.reset()
      return texts.passwordChanged
    },
  })
  const everywhere = makeForm({
    name: 'everywhere',
    submit: controls.logOutEverywhere,
    kind: 'plain',
    send: () => call('POST', '/auth/logout-everywhere'),
    done: () => leave(texts.loggedOutEverywhere),
  })
  const deletion = makeForm({
    name: 'delete',
    username,
    fields: [currentPassword],
    submit: controls.deleteAccount,
    kind: 'danger',
    send: ({ current_password, ...typed }) =>
      call('POST', '/auth/delete-account', { password: current_password, ...typed }),
    done: () => leave(texts.deleted),
  })
  const leave = (notice: string): undefined => {
    forget()
    app.leave(notice)
  }
  // Only one button of a view is the primary one.
  const factor = factorCard(app, isUnderWay =>
    find('[type="submit"]', HTMLElement, password).classList.toggle('plain', isUnderWay),
  )
  const view = makeView(
    headings.security,
    card(controls.changePassword, paragraph(texts.changePassword), password),
    factor.root,
    card(controls.logOutEverywhere, paragraph(texts.logOutEverywhere), everywhere),
    card(controls.deleteAccount, paragraph(texts.deleteAccount), deletion),
  )
  return {
    ...view,
    load: factor.load,
  }
}
