import { find, send } from '../form.ts'
import { button, element, filled, paragraph } from '../nodes.ts'
import { providerButtons } from '../providers.ts'
import type { Luggage } from '../trip.ts'
import { isUsable, type PasskeyWay } from '../webauthn.ts'
import { controls, headings, type Phrase, texts } from '../words.ts'
import { checkbox, type Field } from './fields.ts'
import { mailAgain, makeForm } from './form.ts'
import { type GuestApp, makeView, type View } from './view.ts'

/** The views of whoever is not logged in, but for those of registering. */

export const email = (): Field => ({
  name: 'email',
  label: controls.email,
  type: 'email',
  autocomplete: 'username',
})

const logInWithPasskey: PasskeyWay = {
  words: controls.logInWithPasskey,
  kind: 'plain',
  draw: () => send('POST', '/auth/passkeys/login-options'),
}

export function logInView(app: GuestApp): View {
  const [choice, stay] = app.staying ? stayBox(app.staying) : [null, null]
  const form = makeForm({
    name: 'log-in',
    fields: [
      { ...email(), ...(isUsable && { autocomplete: 'username webauthn' }) },
      {
        name: 'password',
        label: controls.password,
        type: 'password',
        autocomplete: 'current-password',
        aside: element('a', { href: '#forgot' }, controls.forgot),
      },
    ],
    ...(choice && { choice }),
    submit: controls.logIn,
    passkey: isUsable ? logInWithPasskey : undefined,
    send: typed => {
      needMail(false)
      return app.enter(typed, stay?.checked ?? false)
    },
    done: () => {
      form.reset()
      needMail(false)
      app.route()
      return undefined
    },
    refused: (answer, isTyped) => {
      if (app.awaitMail?.(answer)) return true
      const { code } = answer
      // A passkey does not say for which address.
      needMail(code === 'email-not-verified' && isTyped)
      if (code === 'bad-credentials') find('[name="password"]', HTMLInputElement, form).select()
      return false
    },
  })
  const typedEmail = () => find('[name="email"]', HTMLInputElement, form).value
  const again = mailAgain('log-in-again', '/auth/resend-verification', typedEmail, 'plain', { more: app.mailing })
  const needMail = (isNeeded: boolean) => {
    again.hidden = !isNeeded
    waitIn(form, isNeeded)
  }
  needMail(false)
  const others = providerButtons(() => luggageOf(app, stay?.checked))
  return makeView(app.logInTo, form, again, others, app.isByInvitation ? null : wayTo(texts.newHere, '#register'))
}

/** What the page wants to know when a provider leads back to it. */
export const luggageOf = ({ page }: GuestApp, stays = false): Luggage => {
  const { search, hash } = location
  return { page, search, hash, stays }
}

/** A box that says what stays, and what it is without. */
function stayBox({ label, hint, isTicked }: NonNullable<GuestApp['staying']>) {
  const [choice, stay] = checkbox(label)
  stay.defaultChecked = isTicked
  const about = paragraph(hint, 'hint')
  about.id = 'hint-stay'
  stay.setAttribute('aria-describedby', about.id)
  return [element('div', { class: 'stay' }, choice, about), stay] as const
}

export function forgotView(app: GuestApp): View {
  const form = makeForm({
    name: 'forgot',
    fields: [email()],
    submit: controls.sendLink,
    send: typed => send('POST', '/auth/forgot-password', { ...typed, ...app.mailing }),
    done: (_, { email = '' }) => goToSent(email),
  })
  return makeView(
    headings.forgot,
    form,
    wayTo(() => `[${controls.logIn()}]`, '#log-in'),
  )
}

/** Where a mail was sent: kept with the entry of the history, for a reload and for Forward. */
export interface Sent {
  sentTo?: string
}

/** Shows, in place of a form, that a mail is on its way. Back leads to the form, which keeps what was typed. */
export function goToSent(email: string): undefined {
  history.pushState({ sentTo: email } satisfies Sent, '')
  dispatchEvent(new PopStateEvent('popstate'))
}

/**
 * Shows the view that the address names whenever it names another. A link to a fragment causes two events, of which the second may
 * come when somebody has typed: what was shown by the first stays as it is.
 */
export function followAddress(route: () => void): void {
  let followed: string | null = null
  addEventListener('popstate', () => {
    followed = location.hash
    route()
  })
  addEventListener('hashchange', ({ newURL }) => {
    if (newURL.replace(/^[^#]*/, '') !== followed) route()
    followed = null
  })
}

/** That a mail with a link for a new password is on its way. */
export const linkSentView = (app: GuestApp, email: string): View =>
  makeView(
    headings.sent,
    paragraph(filled(texts.linkSent, { email })),
    paragraph(texts.noMail),
    element('a', { href: '#log-in', class: 'button plain' }, controls.logIn),
    ...mailWays('/auth/forgot-password', email, app.mailing),
  )

/** What else one can do when a mail is on its way. */
export const mailWays = (path: string, email: string, more: object): HTMLElement[] => [
  mailAgain('sent', path, () => email, 'plain', { more }),
  button(controls.otherAddress, () => history.back()),
]

/** Whether a form is sent again as soon as an address was verified in another tab. */
export function waitIn(form: HTMLFormElement, isWaiting: boolean): void {
  form.toggleAttribute('data-waits', isWaiting)
}

/** @param text with a link */
export const wayTo = (text: Phrase, href: string): HTMLElement => element('p', { class: 'way' }, filled(text, {}, href))

/** An address that was typed once, or whose login has ended, need not be typed again. */
export function carryEmail(to: View, views: readonly View[], owner = ''): void {
  const emailIn = ({ root }: View) => root.querySelector<HTMLInputElement>('[name="email"]')
  const field = emailIn(to)
  if (field?.value === '') field.value = views.map(emailIn).find(typed => typed?.value)?.value ?? owner
}
