/**
 * The page on which people log in to an application: the account page's views for guests. The application's request is
 * the address's query, which goes to the API unchanged.
 */

import { fillText } from '../../words/fill.ts'
import { type Answer, announce, find, type Refusal, send, setTitle } from '../form.ts'
import { bring, messageOf } from '../mistakes.ts'
import { button, element, filled, paragraph } from '../nodes.ts'
import { settle } from '../settle.ts'
import { arrival, type Outcome } from '../trip.ts'
import { whenVerified } from '../verified.ts'
import { authorize, controls, forms, frame, type Phrase } from '../words.ts'
import { goOnAfter } from './arrival.ts'
import { deviceName } from './device.ts'
import { makeForm } from './form.ts'
import { carryEmail, followAddress, forgotView, logInView } from './guest.ts'
import { awaitMail, registerView, sentView } from './register.ts'
import { focusOn, type GuestApp, makeView, type View } from './view.ts'
import '../switch.ts'

/** The address to continue at. */
interface Continuation {
  location: string
}

const main = find('main', HTMLElement)
const { name = '', client = '', hint = '', cancel = '', flags = '' } = main.dataset
const has = (flag: string): boolean => flags.split(' ').includes(flag)

/** As opened: choosing a language changes the address. */
const request = location.search.slice(1)

const inName =
  (text: Phrase): Phrase =>
  () =>
    fillText(text(), { name })

/** The address to continue at; null before a login. */
let onward: string | null = null
/** The person whose session continues once confirmed. */
let confirmed: string | null = null
let expected = hint
/** The failure of a login with another provider, for the next view. */
let failure: Refusal | null = null
const views = new Map<string, View>()

const app: GuestApp = {
  async enter(sent, stay) {
    const kept = stay && { label: deviceName() || null }
    const answer = await send<Continuation>('POST', '/auth/authorize', { request, ...sent, stay, ...kept })
    if (answer.ok) onward = answer.body.location
    return answer
  },
  route,
  restart: route,
  page: 'authorize',
  welcome: () => route(),
  logInTo: inName(authorize.heading),
  staying: has('sessions') ? { label: authorize.stay, hint: authorize.hintStay, isTicked: false } : null,
  awaitMail: (refusal, typed, stays) => awaitMail(app, refusal, typed, stays),
  mailing: { client_id: client },
  hasLanguages: has('languages'),
  requiresVerification: has('verification'),
  isByInvitation: has('invitation'),
}

const makers: Record<string, (app: GuestApp) => View> = {
  'log-in': logInView,
  register: registerView,
  forgot: forgotView,
}

whenVerified(() => main.querySelector<HTMLFormElement>('[data-waits]')?.requestSubmit())
followAddress(route)
start()

/**
 * Continues at once in a browser with a session. The cookie is out of scripts' reach, so the answer alone says whether there
 * is one, and browsers log its 401. Where no browser stays logged in, only `prompt=none` needs that answer.
 */
async function start(): Promise<void> {
  const prompt = new URLSearchParams(request).get('prompt') ?? ''
  const asks = has('sessions') || prompt.split(' ').includes('none')
  const slow = setTimeout(() => main.replaceChildren(paragraph(forms.moment)), 300)
  const came = arrival('authorize')
  if (came) await arrive(came)
  const answer = came || !asks ? null : await resume(false)
  clearTimeout(slow)
  if (came) return
  if (answer?.ok) return leave(answer.body.location)
  if (answer?.email) expected = answer.email
  if (answer?.code === 'confirmation-required') confirmed = answer.email ?? ''
  const isToRegister = prompt === 'create' && !app.isByInvitation
  if (isToRegister && location.hash === '') {
    history.replaceState(history.state, '', '#register')
  }
  route()
}

/** Continues a login at another provider, which replaces the browser's session. */
async function arrive(came: Outcome): Promise<void> {
  const next = await goOnAfter(app, came)
  if ('root' in next) return show(next, 'provider')
  if (!next.ok) failure = next
  route()
}

function resume(isConfirmed: boolean): Promise<Answer<Continuation>> {
  return send('POST', '/auth/authorize-session', { request, confirmed: isConfirmed })
}

function route(): void {
  if (onward === null) show(...present())
  else leave(onward)
}

/** The view of the address and its history entry. */
function present(): [view: View, fragment: string] {
  if (confirmed !== null) return [confirmView(confirmed), '']
  const wanted = location.hash.slice(1)
  const fragment = Object.hasOwn(makers, wanted) ? wanted : 'log-in'
  return [sentView(app, fragment, history.state ?? {}) ?? viewOf(fragment), fragment]
}

function viewOf(fragment: string): View {
  const view = views.get(fragment) ?? makers[fragment]?.(app)
  if (!view) throw new Error(`there is no view ${fragment}`)
  views.set(fragment, view)
  return view
}

function show(view: View, fragment: string): void {
  const isFirst = main.dataset.view === undefined
  main.dataset.view = fragment
  carryEmail(view, [...views.values()], expected)
  main.replaceChildren(
    ...(failure ? [messageOf(failure)] : []),
    view.root,
    button(controls.cancel, () => location.replace(cancel), 'plain cancel'),
  )
  // Every login answers the application: a password manager may have filled in the form, a provider may not ask.
  settle(view.root.querySelectorAll<HTMLElement>('[type="submit"], .providers button'))
  failure = null
  setTitle(view.heading)
  if (!isFirst) scrollTo(0, 0)
  focusOn(view, true)
  bring(...main.querySelectorAll('[role="alert"]'))
}

/** Asks whether to use the session: any program can send people here in the application's name (RFC 8252 §8.6). */
function confirmView(email: string): View {
  const form = makeForm({
    name: 'confirm',
    submit: controls.goOn,
    send: () => resume(true),
    done: ({ location }) => {
      leave(location)
      return undefined
    },
  })
  const another = button(controls.another, () => {
    confirmed = null
    expected = ''
    route()
  })
  const view = makeView(inName(authorize.heading), paragraph(filled(authorize.continueAs, { email })), form, another)
  return view
}

/** Continues in the application. Browsers stop scripts from opening apps, but people can. */
function leave(to: string): void {
  const link = element('a', { href: to, class: 'button' }, inName(frame.continueTo))
  const view = makeView(authorize.done, link)
  main.replaceChildren(view.root)
  setTitle(view.heading)
  announce(authorize.done)
  location.replace(to)
}
