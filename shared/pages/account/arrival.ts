import { fillText } from '../../words/fill.ts'
import { type Answer, send } from '../form.ts'
import { button, element, filled, paragraph } from '../nodes.ts'
import { failureOf, phraseAbout, providerName } from '../providers.ts'
import type { Outcome } from '../trip.ts'
import { controls, forms, headings, texts } from '../words.ts'
import type { Field, Sent, Typed } from './fields.ts'
import { makeForm } from './form.ts'
import { goToSent } from './guest.ts'
import { type GuestApp, makeView, type View } from './view.ts'

/** The steps after a trip to a provider: a login, or the questions before it. */

/** Continues after a trip. @returns a view that asks for what is missing, or the API's answer */
export async function goOnAfter(app: GuestApp, came: Outcome): Promise<View | Answer> {
  if ('failure' in came) return failureOf(came)
  const parts = { app, stays: came.stays ?? false, name: providerName(came.provider) }
  // Otherwise a stranger's login would open an account, or log in to theirs. An empty password only asks for the provider's address.
  const mine = came.email === undefined ? {} : { email: came.email, password: '' }
  const answer = await app.enter({ ...came.proof, ...mine }, parts.stays)
  if (answer.ok) return answer
  const { email, providerToken: provider_token } = answer
  if (provider_token) {
    const proof = { provider_token }
    if (answer.code === 'second-factor-required') return codeView({ ...parts, proof, email: came.email ?? '' })
    if (answer.code === 'password-required') {
      const isNewcomer = came.email === undefined
      return connectView({ ...parts, proof, email: came.email ?? email ?? '', named: email ?? '', isNewcomer })
    }
  }
  if (answer.code === 'second-factor-setup') {
    const logIn = element('a', { href: '#log-in', class: 'button' }, controls.logIn)
    return makeView(headings.sent, paragraph(forms.refusals[answer.code]), logIn)
  }
  return { ...answer, provider: parts.name }
}

interface Parts {
  app: GuestApp
  name: string
  /** The proof of the login at the provider. */
  proof: object
  /** Of the account here; empty if unknown. */
  email: string
  stays: boolean
}

/** A form for what is missing beside the proof. */
function proofForm(
  { app, name, proof, stays, email }: Parts,
  more: { name: string; fields?: Field[]; submit: typeof controls.logIn; username?: () => string; isCode?: true },
  typedToo: Typed = {},
): HTMLFormElement {
  let sent = proof
  return makeForm({
    ...more,
    login: { email: () => email, another: app.restart },
    send: async typed => {
      const answer = await app.enter({ ...sent, ...typedToo, ...typed } as Sent, stays)
      if (answer.ok) return answer
      // The provider's code works once; this token replaces it.
      if (answer.providerToken) sent = { provider_token: answer.providerToken }
      // The address is not typed here.
      const code = answer.code === 'bad-credentials' ? 'wrong-password' : answer.code
      return { ...answer, code, provider: name }
    },
    done: () => {
      app.route()
      return undefined
    },
    refused({ code }) {
      const isSent = code === 'second-factor-setup'
      if (isSent) goToSent(email, 'needsFactor')
      return isSent
    },
  })
}

const anotherWay = ({ app }: Parts) => element('p', { class: 'way' }, button(controls.anotherWay, app.restart))

/** The second factor of a connected account. */
function codeView(parts: Parts): View {
  const form = proofForm(parts, { name: 'factor', submit: controls.logIn, isCode: true })
  return makeView(parts.app.logInTo, form)
}

/** The password of the account to connect. Both addresses are shown: on a shared computer they may be two people's. */
function connectView(parts: Parts & { named: string; isNewcomer: boolean }): View {
  const { app, name, email, named, isNewcomer } = parts
  const fields: Field[] = [
    { name: 'password', label: controls.password, type: 'password', autocomplete: 'current-password' },
  ]
  const form = proofForm(
    parts,
    { name: 'connect', fields, submit: controls.connectAndLogIn, username: () => email },
    { email },
  )
  const mail = makeForm({
    name: 'first-password',
    submit: controls.noPassword,
    // A stranger may have registered with the address that the provider proves.
    ...(isNewcomer && { about: texts.notChosen }),
    kind: 'plain',
    send: () => send('POST', '/auth/forgot-password', { email, ...app.mailing }),
    done: () => () => fillText(texts.linkSent(), { email }),
  })
  return makeView(
    phraseAbout(controls.connect, name),
    named === '' ? null : paragraph(filled(texts.addressThere, { name, email: named })),
    paragraph(filled(texts.addressHere, { email })),
    paragraph(filled(texts.aboutConnecting, { name })),
    form,
    mail,
    anotherWay(parts),
  )
}
