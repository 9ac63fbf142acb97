import { find, send } from '../form.ts'
import { button, element, filled, paragraph } from '../nodes.ts'
import { providerButtons } from '../providers.ts'
import type { Luggage } from '../trip.ts'
import { isUsable, type PasskeyWay } from '../webauthn.ts'
import { controls, headings, type Phrase, texts } from '../words.ts'
import { checkbox, type Field, typedIn } from './fields.ts'
import { mailAgain, makeForm } from './form.ts'
import { type GuestApp, makeView, type View } from './view.ts'

/** The views of people who are not logged in, except those of registering. */

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
  const form: HTMLFormElement = makeForm({
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
    login: {
      email: () => find('[name="email"]', HTMLInputElement, form).value,
      another() {
        form.reset()
        find('[name="email"]', HTMLInputElement, form).focus()
      },
    },
    send: typed => app.enter(typed, stay?.checked ?? false),
    done: () => {
      form.reset()
      app.route()
      return undefined
    },
    refused: (answer, isTyped) => {
      // A passkey does not tell the address.
      if (isTyped && app.awaitMail(answer, typedIn(form), stay?.checked ?? false)) return true
      if (answer.code === 'bad-credentials') find('[name="password"]', HTMLInputElement, form).select()
      return false
    },
  })
  const others = providerButtons(() => luggageOf(app, stay?.checked))
  return makeView(app.logInTo, form, others, app.isByInvitation ? null : wayTo(texts.newHere, '#register'))
}

/** The page's state for the return from a provider. */
export const luggageOf = ({ page }: GuestApp, stays = false): Luggage => {
  const { search, hash } = location
  return { page, search, hash, stays }
}

/** The box to stay logged in, with its hint. */
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

/** The recipient of a mail, in the history entry for reloads and Forward. */
export interface Sent {
  sentTo?: string
  /** What a login waits for. */
  why?: 'unverified' | 'needsFactor'
}

/** Says, in place of a form, that a mail is on its way. Back returns to the form and its typed values. */
export function goToSent(email: string, why?: Sent['why']): undefined {
  history.pushState({ sentTo: email, ...(why && { why }) } satisfies Sent, '')
  dispatchEvent(new PopStateEvent('popstate'))
}

/**
 * Shows the address's view whenever the address changes. A link to a fragment fires two events, and somebody may type
 * before the second: what the first showed stays.
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

/** Says that a mail with a link for a new password is on its way. */
export const linkSentView = (app: GuestApp, email: string): View =>
  makeView(
    headings.sent,
    paragraph(filled(texts.linkSent, { email })),
    paragraph(texts.noMail),
    element('a', { href: '#log-in', class: 'button plain' }, controls.logIn),
    ...mailWays('/auth/forgot-password', email, app.mailing),
  )

/** Other options while a mail is on its way. */
export const mailWays = (path: string, email: string, more: object): HTMLElement[] => [
  mailAgain('sent', path, email, 'plain', more),
  button(controls.otherAddress, () => history.back()),
]

/** Whether a form is sent again once an address is verified in another tab. */
export function waitIn(form: HTMLFormElement, isWaiting: boolean): void {
  form.toggleAttribute('data-waits', isWaiting)
}

/** @param text containing a link */
export const wayTo = (text: Phrase, href: string): HTMLElement => element('p', { class: 'way' }, filled(text, {}, href))

/** Prefills an address that was typed before, or whose login has ended. */
export function carryEmail(to: View, views: readonly View[], owner = ''): void {
  const emailIn = ({ root }: View) => root.querySelector<HTMLInputElement>('[name="email"]')
  const field = emailIn(to)
  if (field?.value === '') field.value = views.map(emailIn).find(typed => typed?.value)?.value ?? owner
}
