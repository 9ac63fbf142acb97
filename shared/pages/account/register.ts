import { type Answer, describe, type Refusal, send } from '../form.ts'
import { showRefusal } from '../mistakes.ts'
import { element, filled, paragraph, spoken } from '../nodes.ts'
import { providerButtons } from '../providers.ts'
import { controls, forms, headings, type Phrase, tag, texts } from '../words.ts'
import type { Typed } from './fields.ts'
import { makeForm } from './form.ts'
import { email, goToSent, linkSentView, luggageOf, mailWays, type Sent, waitIn, wayTo } from './guest.ts'
import { type GuestApp, makeView, type View } from './view.ts'

/** The views of registering, after which typed values log in: at once, or once the address is verified. */

/** The new account's credentials, to log in with. In memory alone: after a reload people type them again. */
let opened: (Typed & { email: string }) | null = null
/** Whether the browser stays logged in afterwards. */
let stays = false
/** Why a login with them failed. */
let failure: Refusal | null = null

/** Every login forgets the credentials. */
export function forgetOpened(): void {
  opened = null
}

export function registerView(app: GuestApp): View {
  if (app.isByInvitation) {
    const logIn = element('a', { href: '#log-in', class: 'button' }, controls.logIn)
    return makeView(headings.register, paragraph(forms.refusals['sign-up-closed']), logIn)
  }
  const form = makeForm({
    name: 'register',
    fields: [
      email(),
      {
        name: 'password',
        label: controls.password,
        type: 'password',
        autocomplete: 'new-password',
        hint: texts.hintPassword,
      },
      { name: 'name', label: controls.nameOptional, autocomplete: 'name', hint: texts.hintName, isOptional: true },
    ],
    submit: controls.register,
    send: async ({ name, ...typed }: Typed) => {
      const answer: Answer<{ email: string }> = await send('POST', '/auth/register', {
        ...typed,
        name: name || null,
        ...app.mailing,
        ...(app.hasLanguages && { language: tag() }),
      })
      if (!answer.ok) return answer
      const { email } = answer.body
      opened = { ...typed, email }
      stays = app.staying?.isTicked ?? false
      const entered = app.requiresVerification ? null : await app.enter(opened, stays)
      failure = entered?.ok === false ? entered : null
      return { ok: true, body: { email, isEntered: entered?.ok === true } }
    },
    done: ({ email, isEntered }) => {
      if (!isEntered) {
        const why = waits[failure?.code ?? '']
        if (why) failure = null
        return goToSent(email, why)
      }
      app.welcome(filled(texts.registered, { email }))
      return undefined
    },
  })
  const others = providerButtons(() => luggageOf(app, app.staying?.isTicked))
  return makeView(headings.register, form, ...agreed(), others, wayTo(texts.notNew, '#log-in'))
}

/** What the operator's documents are, which the page's foot links to. */
const agreed = (): Node[] =>
  (['terms', 'privacy'] as const).flatMap(name => {
    const href = document.querySelector(`#${name}`)?.getAttribute('href')
    return href ? [element('p', { class: 'hint' }, filled(texts[name], {}, href))] : []
  })

/** What a login waits for that needs a mail first. */
const waits: Partial<Record<string, NonNullable<Sent['why']>>> = {
  'email-not-verified': 'unverified',
  'second-factor-setup': 'needsFactor',
}

/**
 * Says, in place of an error, that a mail comes first, and keeps typed values until it is read. To verify an address it
 * is sent now, otherwise it is on its way.
 *
 * @returns whether a mail comes first
 */
export function awaitMail(app: GuestApp, { code = '' }: Refusal, typed: Typed, isToStay: boolean): boolean {
  const why = waits[code]
  if (!why) return false
  const { email = '' } = typed
  opened = { ...typed, email }
  stays = isToStay
  failure = null
  if (why === 'unverified') send('POST', '/auth/resend-verification', { email, ...app.mailing })
  goToSent(email, why)
  return true
}

/** The view of a history entry that awaits a mail; null for others. */
export function sentView(app: GuestApp, fragment: string, { sentTo, why }: Sent): View | null {
  if (sentTo === undefined) return null
  if (why) return waitingView(app, sentTo, [texts[why], texts.thenComeBack], why === 'unverified')
  if (fragment === 'register') return registeredView(app, sentTo)
  return fragment === 'forgot' ? linkSentView(app, sentTo) : null
}

/** Says that the account is open and a mail on its way, and how to continue. */
function registeredView(app: GuestApp, email: string): View {
  const after = opened?.email === email ? texts.thenGoOn : texts.thenLogIn
  return waitingView(app, email, [texts.registered, app.requiresVerification ? after : texts.logInNow])
}

/** Says that a mail is on its way, and how to continue with typed values. */
function waitingView(app: GuestApp, email: string, said: readonly Phrase[], mayAskAgain = true): View {
  const typed = opened?.email === email ? opened : null
  return makeView(
    headings.sent,
    ...said.map(words => paragraph(filled(words, { email }))),
    typed ? goOn(app, typed) : element('a', { href: '#log-in', class: 'button' }, controls.logIn),
    ...(mayAskAgain ? mailWays('/auth/resend-verification', email, app.mailing) : []),
  )
}

/** A button that logs in with typed values. What it still waits for is no error. */
function goOn(app: GuestApp, typed: Typed & { email: string }): HTMLFormElement {
  const still = element('p', { class: 'hint', role: 'status' })
  const isWaiting = (refusal: Refusal): boolean => {
    const isIt = Object.hasOwn(waits, refusal.code ?? '')
    if (isIt) still.append(spoken(describe(refusal)))
    return isIt
  }
  const form = makeForm({
    name: 'go-on',
    submit: controls.goOn,
    login: {
      email: () => typed.email,
      another() {
        history.pushState(null, '', '#log-in')
        app.route()
      },
    },
    send: more => {
      still.replaceChildren()
      return app.enter({ ...typed, ...more }, stays)
    },
    refused: isWaiting,
    done: () => {
      app.route()
      return undefined
    },
  })
  form.append(still)
  waitIn(form, true)
  if (failure && !isWaiting(failure)) showRefusal(form, failure)
  failure = null
  return form
}
