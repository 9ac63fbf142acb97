import { type Answer, type Refusal, send } from '../form.ts'
import { showRefusal } from '../mistakes.ts'
import { element, filled, paragraph } from '../nodes.ts'
import { providerButtons } from '../providers.ts'
import { controls, forms, headings, type Phrase, tag, texts } from '../words.ts'
import type { Typed } from './fields.ts'
import { makeForm } from './form.ts'
import { email, goToSent, luggageOf, mailWays, waitIn, wayTo } from './guest.ts'
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
      if (!isEntered) return goToSent(email)
      app.welcome(filled(() => `${texts.registered()} ${texts.verifySoon()}`, { email }))
      return undefined
    },
  })
  const others = providerButtons(() => luggageOf(app, app.staying?.isTicked))
  return makeView(headings.register, form, others, wayTo(texts.notNew, '#log-in'))
}

/** Keeps typed values until a mail is read. @param isToStay whether the browser stays logged in afterwards */
export function keepTyped(typed: Typed & { email: string }, isToStay: boolean): void {
  opened = typed
  stays = isToStay
  failure = null
}

/** Says that the account is open and a mail on its way, and how to continue. */
export function registeredView(app: GuestApp, email: string): View {
  const after = opened?.email === email ? texts.thenGoOn : texts.thenLogIn
  return waitingView(app, email, [texts.registered, app.requiresVerification ? after : texts.logInNow])
}

/** Says that a mail is on its way, and how to continue with typed values. */
export function waitingView(app: GuestApp, email: string, said: readonly Phrase[], mayAskAgain = true): View {
  const typed = opened?.email === email ? opened : null
  return makeView(
    headings.sent,
    ...said.map(words => paragraph(filled(words, { email }))),
    typed ? goOn(app, typed) : element('a', { href: '#log-in', class: 'button' }, controls.logIn),
    ...(mayAskAgain ? mailWays('/auth/resend-verification', email, app.mailing) : []),
  )
}

/** A button that logs in with typed values. */
function goOn(app: GuestApp, typed: Typed & { email: string }): HTMLFormElement {
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
    send: more => app.enter({ ...typed, ...more }, stays),
    done: () => {
      app.route()
      return undefined
    },
  })
  waitIn(form, true)
  if (failure) showRefusal(form, failure)
  failure = null
  return form
}
