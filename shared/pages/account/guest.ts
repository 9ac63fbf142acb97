import { type Answer, find, send } from '../form.ts'
import { controls, headings, texts } from '../messages.ts'
import { deviceName } from './device.ts'
import { checkbox, type Field } from './fields.ts'
import { mailAgain, makeForm } from './form.ts'
import { button, element, filled, paragraph } from './nodes.ts'
import { logIn } from './service.ts'
import { type App, makeView, type View } from './view.ts'

/** The views of whoever is not logged in. */

const email: Field = { name: 'email', label: controls.email, type: 'email', autocomplete: 'username' }

export function logInView(app: App): View {
  const [choice, stay] = checkbox(controls.stay)
  const hint = paragraph(texts.hintStay, 'hint')
  hint.id = 'hint-stay'
  stay.setAttribute('aria-describedby', hint.id)
  const form = makeForm({
    name: 'log-in',
    fields: [email, { name: 'password', label: controls.password, type: 'password', autocomplete: 'current-password' }],
    ...(app.keepsSessions && { choice: element('div', { class: 'stay' }, choice, hint) }),
    submit: controls.logIn,
    send: async typed => {
      const answer = await logIn(typed, stay.checked ? deviceName() : null)
      return answer.ok ? app.enter() : answer
    },
    done: () => {
      form.reset()
      again.hidden = true
      app.route()
      return undefined
    },
    refused: ({ code }) => {
      again.hidden = code !== 'email-not-verified'
      if (code === 'bad-credentials') find('[name="password"]', HTMLInputElement, form).select()
      return false
    },
  })
  const typedEmail = () => find('[name="email"]', HTMLInputElement, form).value
  const again = mailAgain('log-in-again', '/auth/resend-verification', typedEmail, texts.newsSent)
  again.hidden = true
  return makeView(headings.logIn, form, again, links(['#forgot', controls.forgot], ['#register', controls.register]))
}

export function registerView(): View {
  const form = makeForm({
    name: 'register',
    fields: [
      email,
      {
        name: 'password',
        label: controls.password,
        type: 'password',
        autocomplete: 'new-password',
        hint: texts.hintPassword,
      },
      { name: 'name', label: controls.name, autocomplete: 'name', hint: texts.hintName, isOptional: true },
    ],
    submit: controls.register,
    send: ({ name, ...typed }): Promise<Answer<{ email: string }>> =>
      send('POST', '/auth/register', { ...typed, name: name || null }),
    done: (body, form) => sentTo(form, body.email),
  })
  return makeView(headings.register, form, links(['#log-in', controls.logIn]))
}

export function forgotView(): View {
  const form = makeForm({
    name: 'forgot',
    fields: [email],
    submit: controls.sendLink,
    send: typed => send('POST', '/auth/forgot-password', typed),
    done: (_, form, typed) => sentTo(form, typed.email ?? ''),
  })
  return makeView(headings.forgot, form, links(['#log-in', controls.logIn]))
}

/** Where a mail was sent: kept with the entry of the history, for a reload and for Back. */
export interface Sent {
  sentTo?: string
}

/** Shows, in place of a form, that a mail is on its way. */
function sentTo(form: HTMLFormElement, email: string): undefined {
  form.reset()
  history.replaceState({ sentTo: email } satisfies Sent, '')
  dispatchEvent(new HashChangeEvent('hashchange'))
}

/** That a mail is on its way, after registering or for a new password. */
export function sentView(app: App, isRegistered: boolean, email: string): View {
  const path = isRegistered ? '/auth/resend-verification' : '/auth/forgot-password'
  const logInNow = isRegistered && !app.requiresVerification
  const after = isRegistered ? (logInNow ? texts.logInNow : texts.thenLogIn) : texts.noMail
  return makeView(
    headings.sent,
    paragraph(filled(isRegistered ? texts.registered : texts.linkSent, { email })),
    paragraph(after),
    element('a', { href: '#log-in', class: logInNow ? 'button' : 'button plain' }, controls.logIn),
    mailAgain('sent', path, () => email, texts.newsSent),
    button(controls.otherAddress, () => {
      history.replaceState(null, '')
      app.route()
    }),
  )
}

const links = (...all: [href: string, words: string][]): HTMLElement =>
  element('p', { class: 'links' }, ...all.map(([href, words]) => element('a', { href }, words)))
