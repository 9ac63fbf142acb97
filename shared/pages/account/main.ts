/** The account page: shows the view of its address's fragment. */

import { type Answer, announce, type Refusal, setTitle, waitFor } from '../form.ts'
import { bring, messageOf } from '../mistakes.ts'
import { paragraph } from '../nodes.ts'
import { arrival } from '../trip.ts'
import { whenVerified } from '../verified.ts'
import { forms, headings, type Phrase, tag, texts } from '../words.ts'
import { goOnAfter } from './arrival.ts'
import { deviceName } from './device.ts'
import { forgetNews, tryAgain } from './form.ts'
import { carryEmail, followAddress, type Sent } from './guest.ts'
import { navigation, showWays, toApp } from './header.ts'
import { noteHandle, signalDetails } from './own-passkeys.ts'
import { unverifiedCard } from './profile.ts'
import { awaitMail, forgetOpened, sentView } from './register.ts'
import * as service from './service.ts'
import { type Account, type App, focusOn, makeView, noticeOf, type View } from './view.ts'
import { appUrl, forgetViews, guests, inside, main, ofService, sectionOf, sections, viewOf, views } from './views.ts'

/** The state of a history entry. */
interface Kept extends Sent {
  /** A login without a session, which a reload ends. */
  wasInside?: true
}

let account: Account | null = null
/** The last person to be logged in: typed values stay until another one logs in. */
let owner: Account | null = null
/** The reason for the login form, above its fields. */
let notice: Phrase | null = null
/** The first view's message after a registration. */
let welcome: Node | null = null
/** The failure of a login with another provider, for the next view. */
let failure: Refusal | null = null
/** The focused element when the login ended. */
let interrupted: Element | null = null
/** The card above the sections. */
let unverified: HTMLElement | null = null
let latestRoute = 0
/** How many times other tabs reported a verified address. */
let verifications = 0

const app: App = {
  account: () => account ?? (owner as Account),
  changeAccount(changed) {
    // An answer may arrive after the logout.
    if (account?.id === changed.id) account = owner = changed
    if (!changed.is_verified || !unverified) return
    const isFocused = unverified.contains(document.activeElement)
    unverified.remove()
    if (isFocused) main.querySelector('h1')?.focus()
  },
  async readAccount() {
    const answer = await service.call<Account>('GET', '/auth/me')
    if (answer.ok) app.changeAccount(answer.body)
    return answer
  },
  async enter(sent, stays) {
    const before = verifications
    const isNew = 'provider' in sent || 'provider_token' in sent
    const language = isNew && app.hasLanguages && { language: tag() }
    const answer = await service.logIn({ ...sent, ...language }, stays && app.keepsSessions ? deviceName() : null)
    if (answer.ok) {
      const arrived = await arrive()
      if (account && sent.assertion) {
        noteHandle(account, sent.assertion.response.userHandle)
        // It may know a former address.
        signalDetails(account)
      }
      return arrived
    }
    // It may have been refused just before another tab verified the address.
    return answer.code === 'email-not-verified' && verifications > before ? app.enter(sent, stays) : answer
  },
  route,
  restart: start,
  welcome(words) {
    welcome = words
    route()
  },
  endWelcome() {
    main.querySelector('.notice')?.remove()
  },
  leave(why) {
    account = owner = interrupted = welcome = unverified = null
    forgetViews()
    notice = why
    history.replaceState(null, '', '#log-in')
    route()
  },
  awaitMail: (refusal, typed, stays) => awaitMail(app, refusal, typed, stays),
  ...ofService,
}

/** Reads the account after a login. */
async function arrive(): Promise<Answer> {
  const answer = await service.call<Account>('GET', '/auth/me')
  if (!answer.ok) return answer
  if (answer.body.id !== owner?.id) {
    forgetViews()
    unverified = null
  }
  account = owner = answer.body
  notice = null
  forgetOpened()
  return answer
}

service.whenEnded(() => {
  if (account === null) return
  interrupted = document.activeElement
  account = null
  notice = texts.ended
  // Deferred, so that the asking form first sees the refusal.
  queueMicrotask(route)
})
whenVerified(() => {
  verifications++
  if (account === null) main.querySelector<HTMLFormElement>('[data-waits]')?.requestSubmit()
  else if (!account.is_verified) views.get(main.dataset.view ?? '')?.refresh?.()
})
followAddress(route)
start()

async function start(): Promise<void> {
  const slow = setTimeout(() => main.replaceChildren(paragraph(forms.moment)), 300)
  const came = arrival('account')
  const resumed = await service.resume()
  const next = came && (await goOnAfter(app, came))
  if (next && 'root' in next) {
    clearTimeout(slow)
    return show(next, 'provider')
  }
  if (next?.ok === false) failure = next
  if (next?.ok) notice = null
  else if (resumed === 'copied') notice = texts.copied
  else if (resumed === 'none') {
    if ((history.state as Kept | null)?.wasInside) notice = texts.reloaded
  } else {
    const answer = resumed.ok ? await arrive() : resumed
    if (!answer.ok && !answer.isEnded) {
      clearTimeout(slow)
      return showFailure(headings.profile, answer, start)
    }
    if (!answer.ok) notice = texts.ended
  }
  clearTimeout(slow)
  route()
}

/** Shows the address's view. After a required login the address is unchanged. */
async function route(): Promise<void> {
  const mine = ++latestRoute
  const wanted = location.hash.slice(1)
  const kept: Kept = history.state ?? {}
  const makers = account ? inside : guests
  const section = (Object.hasOwn(sectionOf, wanted) && sectionOf[wanted]) || wanted
  const name = Object.hasOwn(makers, section) ? section : account ? 'profile' : 'log-in'
  if (account) history.replaceState(service.isSession() ? null : ({ wasInside: true } satisfies Kept), '', `#${name}`)
  // `start` has read it, and a logout is no reload.
  else if (kept.wasInside) history.replaceState(null, '')

  const view = (account ? null : sentView(app, name, kept)) ?? viewOf(app, name, makers)
  if (view.load && !main.contains(view.root)) {
    const slow = setTimeout(() => announce(forms.moment), 300)
    const answer = await view.load()
    clearTimeout(slow)
    announce('')
    // Another route was requested meanwhile.
    if (mine !== latestRoute) return
    if (!answer.ok) return answer.isEnded ? undefined : showFailure(view.heading, answer, route)
  }
  show(view, name)
  if (section !== wanted) view.open?.(wanted)
}

function show(view: View, name: string): void {
  const isInside = account !== null
  const isFirst = main.dataset.view === undefined
  const isShown = main.contains(view.root)
  main.dataset.view = name
  document.body.classList.toggle('inside', isInside)
  const ways = account ? navigation({ email: account.email, sections, current: name, appUrl, logOut }) : toApp(appUrl)
  showWays(ways)
  if (!isInside) carryEmail(view, [...views.values()], owner?.email)
  const words = isInside ? welcome : name === 'log-in' && notice
  const above: HTMLElement[] = [...(words ? [noticeOf(words)] : []), ...(failure ? [messageOf(failure)] : [])]
  failure = null
  if (account?.is_verified === false) {
    unverified ??= unverifiedCard(app)
    above.push(unverified)
  }
  if (!isShown) forgetNews()
  main.replaceChildren(...above, view.root)
  setTitle(view.heading)
  if (!isFirst && !isShown) scrollTo(0, 0)
  if (isInside && interrupted?.isConnected) (interrupted as HTMLElement).focus()
  else if (!isFirst || !isInside) focusOn(view, !isInside)
  if (!isShown) bring(...main.querySelectorAll('[role="alert"]'))
  if (isInside) interrupted = welcome = null
}

async function logOut(pressed: HTMLButtonElement): Promise<void> {
  if (pressed.ariaBusy === 'true') return
  const isTold = await waitFor(pressed, service.logOut)
  app.leave(isTold ? texts.loggedOut : texts.loggedOutHere)
}

/** Shows an error in place of a view. */
function showFailure(heading: Phrase, refusal: Refusal, again: () => Promise<void>): void {
  show(makeView(heading, messageOf(refusal), tryAgain(again)), location.hash.slice(1))
}
