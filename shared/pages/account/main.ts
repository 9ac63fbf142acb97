/** The account page: shows the view that the fragment of its address names to whoever may see it. */

import { announce, find, product } from '../form.ts'
import { controls, headings, moment, texts } from '../messages.ts'
import { alertOf } from './form.ts'
import { forgotView, logInView, registerView, type Sent, sentView } from './guest.ts'
import { button, element, filled, paragraph } from './nodes.ts'
import { profileView } from './profile.ts'
import { securityView } from './security.ts'
import * as service from './service.ts'
import { sessionsView } from './sessions.ts'
import { type Account, type App, focusOn, makeView, type View } from './view.ts'

/** What the history keeps with an entry. */
interface Kept extends Sent {
  /** Somebody was logged in without a session: a reload ended that. */
  wasInside?: true
}

const main = find('main', HTMLElement)
const header = find('header', HTMLElement)

const { app: appUrl = '', flags = '' } = main.dataset
const has = (flag: string): boolean => flags.split(' ').includes(flag)

let account: Account | null = null
/** Who was logged in last: what they typed stays until somebody else logs in. */
let owner: Account | null = null
/** What the login form says above its fields: why somebody sees it. */
let notice = ''
/** What had the focus when the login ended. */
let interrupted: Element | null = null
let views = new Map<string, View>()
let latestRoute = 0

const app: App = {
  account: () => account ?? (owner as Account),
  changeAccount(changed) {
    account = owner = changed
  },
  async enter() {
    const answer = await service.call<Account>('GET', '/auth/me')
    if (!answer.ok) return answer
    if (answer.body.id !== owner?.id) forgetViews()
    account = owner = answer.body
    notice = ''
    return answer
  },
  route,
  leave(why) {
    account = owner = interrupted = null
    forgetViews()
    notice = why
    history.replaceState(null, '', '#log-in')
    route()
  },
  askBeforeLeaving(isOn) {
    window.onbeforeunload = isOn ? event => event.preventDefault() : null
  },
  keepsSessions: has('sessions') && service.canStay(),
  requiresVerification: has('verification'),
  offersFactor: has('factor'),
}

function forgetViews(): void {
  views = new Map()
  app.askBeforeLeaving(false)
}

const guests: Record<string, (app: App) => View> = { 'log-in': logInView, register: registerView, forgot: forgotView }
const inside: Record<string, (app: App) => View> = {
  profile: profileView,
  security: securityView,
  ...(app.keepsSessions && { sessions: sessionsView }),
}

/** The views' headings by the fragments of those who are logged in. */
const sections = Object.keys(inside) as (keyof typeof headings)[]

service.whenEnded(() => {
  if (account === null) return
  interrupted = document.activeElement
  account = null
  notice = texts.ended
  // Not at once: the form that asked has first to see that it was refused.
  queueMicrotask(route)
})
addEventListener('hashchange', () => route())
addEventListener('popstate', () => route())
start()

async function start(): Promise<void> {
  const slow = setTimeout(() => main.replaceChildren(paragraph(moment)), 300)
  const resumed = await service.resume()
  if (resumed === 'copied') notice = texts.copied
  else if (resumed === 'none') {
    if ((history.state as Kept | null)?.wasInside) notice = texts.reloaded
  } else {
    const answer = resumed.ok ? await app.enter() : resumed
    if (!answer.ok && !answer.isEnded) {
      clearTimeout(slow)
      return showFailure(headings.profile, answer, start)
    }
    if (!answer.ok) notice = texts.ended
  }
  clearTimeout(slow)
  route()
}

/** Shows the view that the address names. Whoever must log in first finds the address unchanged afterwards. */
async function route(): Promise<void> {
  const mine = ++latestRoute
  const wanted = location.hash.slice(1)
  const kept: Kept = history.state ?? {}
  const makers = account ? inside : guests
  const name = Object.hasOwn(makers, wanted) ? wanted : account ? 'profile' : 'log-in'
  if (account) history.replaceState(service.isSession() ? null : ({ wasInside: true } satisfies Kept), '', `#${name}`)
  // `start` has read it, and whoever logs out has not been logged out by a reload.
  else if (kept.wasInside) history.replaceState(null, '')

  const isSent = !account && kept.sentTo !== undefined && name !== 'log-in'
  const view = isSent ? sentView(app, name === 'register', kept.sentTo ?? '') : viewOf(name, makers)
  if (view.load && main.firstChild !== view.root) {
    const slow = setTimeout(() => announce(moment), 300)
    const answer = await view.load()
    clearTimeout(slow)
    announce('')
    // Another route was asked for meanwhile.
    if (mine !== latestRoute) return
    if (!answer.ok) return answer.isEnded ? undefined : showFailure(view.heading, answer, route)
  }
  show(view, name)
}

function viewOf(name: string, makers: typeof guests): View {
  const view = views.get(name) ?? makers[name]?.(app)
  if (!view) throw new Error(`there is no view ${name}`)
  views.set(name, view)
  return view
}

function show(view: View, name: string): void {
  const isInside = account !== null
  const isFirst = main.dataset.view === undefined
  const isShown = main.contains(view.root)
  main.dataset.view = name
  document.body.classList.toggle('inside', isInside)
  header.replaceChildren(...brand, ...(isInside ? navigation(name) : []))
  if (!isInside) carryEmail(view)
  main.replaceChildren(
    ...(name === 'log-in' && notice ? [noticeOf(notice)] : []),
    view.root,
    ...(isInside ? [] : toApp()),
  )
  document.title = `${view.heading} · ${product}`
  if (!isFirst && !isShown) scrollTo(0, 0)
  if (isInside && interrupted?.isConnected) (interrupted as HTMLElement).focus()
  else if (!isFirst || !isInside) focusOn(view, !isInside)
  if (isInside) interrupted = null
}

const brand = [...header.childNodes]

const noticeOf = (words: string): HTMLElement => {
  const made = paragraph(words, 'notice')
  made.role = 'status'
  return made
}

/** An address that was typed once, or whose login has ended, need not be typed again. */
function carryEmail({ root }: View): void {
  const typed = [...views.values()].map(view => view.root.querySelector<HTMLInputElement>('[name="email"]'))
  const field = root.querySelector<HTMLInputElement>('[name="email"]')
  if (field?.value === '') field.value = typed.find(other => other?.value)?.value ?? owner?.email ?? ''
}

function navigation(current: string): Node[] {
  const links = sections.map(name =>
    element('a', { href: `#${name}`, ...(name === current && { 'aria-current': 'page' }) }, headings[name]),
  )
  return [
    element('span', { class: 'who' }, element('bdi', {}, app.account().email)),
    button(controls.logOut, logOut),
    element('nav', { 'aria-label': texts.navigation }, ...links, ...toApp()),
  ]
}

/** The way back to the application. */
const toApp = (): Node[] =>
  appUrl ? [element('a', { href: appUrl, class: 'to-app' }, filled(controls.toApp, { product }))] : []

async function logOut(): Promise<void> {
  const isTold = await service.logOut()
  app.leave(isTold ? texts.loggedOut : texts.loggedOutHere)
}

/** Says in place of a view why it cannot be shown. */
function showFailure(heading: string, refusal: Parameters<typeof alertOf>[0], again: () => void): void {
  show(makeView(heading, alertOf(refusal), button(controls.tryAgain, again)), location.hash.slice(1))
}
