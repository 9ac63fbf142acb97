import { type Login, makeCodeStep } from '../code-step.ts'
import { type Answer, nameEnterKeys, type Refusal, send, type Waiting, waitFor } from '../form.ts'
import { clearAbove, clearErrorOf, clearErrors, showMistakes, showRefusal } from '../mistakes.ts'
import { button, element, paragraph, spoken } from '../nodes.ts'
import { hidePasswords } from '../reveal.ts'
import { type Asked, type Assertion, offerInAutofill, type PasskeyWay, usePasskey } from '../webauthn.ts'
import { controls, forms, type Phrase, providers, texts } from '../words.ts'
import { type Field, fieldOf, isProof, type Sent, type Typed, typedIn, usernameField } from './fields.ts'

interface Parts<T> {
  /** Unique on the page: prefix of its fields' ids. */
  name: string
  /** Above the fields. */
  about?: Phrase | undefined
  fields?: readonly Field[]
  submit: Phrase
  kind?: 'plain' | 'plain small' | 'danger'
  /** A checkbox above the button. */
  choice?: HTMLElement
  /** The account, for password managers, where no field has it. */
  username?: () => string
  /** A passkey can replace the credentials. */
  passkey?: PasskeyWay | undefined
  /** Where it logs in: for the step that asks for a code. */
  login?: Login
  /** Whether it asks for a code alone. */
  isCode?: true
  /** Whether a proof has just been given, so that no field asks again. */
  isProven?(): boolean
  /** @param asked is told of a gesture that is waited for */
  send(typed: Sent, asked: Asked): Promise<Answer<T>>
  /** @returns the message beside the button */
  done(body: T, typed: Typed): Phrase | undefined
  /** @returns whether the refusal is handled */
  refused?(refusal: Refusal, isTyped: boolean): boolean
}

/** A form that sends typed values, and shows mistakes at their fields. Typed values stay until accepted. */
export function makeForm<T>(parts: Parts<T>): HTMLFormElement {
  const { name, fields = [], kind, login, isCode } = parts
  const passkey = parts.passkey ?? fields.find(field => field.passkey)?.passkey
  const submit = element('button', { type: 'submit', ...(kind && { class: kind }) }, parts.submit)
  const news = element('output', { class: 'good' })
  const passkeyButton = passkey ? button(passkey.words, () => act(passkey), passkey.kind) : null
  if (passkeyButton) passkeyButton.dataset.sends = ''
  const form = element(
    'form',
    { method: 'post', novalidate: true, 'aria-label': parts.submit },
    parts.about === undefined ? null : paragraph(parts.about),
    usernameField(parts.username),
    ...fields.map(field => fieldOf(name, field)),
    parts.choice ?? null,
    element(
      'div',
      { class: 'act' },
      submit,
      login && passkeyButton ? paragraph(providers.or, 'or') : null,
      passkeyButton,
      news,
    ),
  )
  const step = makeCodeStep(form, {
    name,
    login,
    passkey: passkeyButton,
    heading: login ? 'h1' : 'h3',
    isFirst: isCode,
    left() {
      giveBack(form)
      giveUp()
    },
  })
  /** Ends a wait: an answer that comes later changes nothing. */
  let giveUp = () => {}
  if (isCode) step.open()
  nameEnterKeys(form)
  const checks = Object.fromEntries(fields.map(({ name, check }) => [name, check]))
  form.addEventListener('input', event => {
    clearErrorOf(event, form)
    news.replaceChildren()
  })
  form.addEventListener('submit', event => {
    event.preventDefault()
    act()
  })
  const address = form.querySelector<HTMLInputElement>('[autocomplete~="webauthn"]')
  if (passkey && address) offerInAutofill(address, passkey.draw, chosen => act(passkey, chosen))

  /** @param by a passkey in place of typed values @param chosen its assertion, if already given */
  async function act(by: PasskeyWay | null = null, chosen: Assertion | null = null): Promise<void> {
    if (isBusy(form)) return
    hidePasswords(form)
    clearErrors(form)
    news.replaceChildren()
    const usernameOf = form.querySelector<HTMLInputElement>('input[hidden]')
    if (usernameOf && parts.username) usernameOf.value = parts.username()
    const isProven = parts.isProven?.() ?? false
    const isTyped = by === null && !isProven
    if (showMistakes(form, checks, name => isTyped || !isProof(name))) return

    const typed = typedIn(form)
    const rest = isTyped ? typed : Object.fromEntries(Object.entries(typed).filter(([name]) => !isProof(name)))
    const pressed = (by && passkeyButton) ?? submit
    let isGivenUp = false
    const answer = await waitFor(pressed, waiting => {
      giveUp = () => {
        isGivenUp = true
        waiting.end()
      }
      const asked = showGesture(form, pressed, waiting, giveUp)
      const send = (assertion: Assertion) => parts.send({ ...rest, assertion } as Sent, asked)
      return by === null || isProven ? parts.send(rest, asked) : usePasskey(by.draw, send, asked, chosen)
    })
    if (isGivenUp) return
    // It may say that this form was still being sent.
    clearAbove()
    if (answer.ok) {
      step.close()
      const done = parts.done(answer.body, typed)
      if (done) tell(news, done)
    } else if (answer.code === 'second-factor-required') step.open()
    // A person who was logged out logs in, and finds the form unchanged.
    else if (!answer.isEnded && !parts.refused?.(answer, isTyped)) showRefusal(form, step.refuse(answer), pressed)
  }
  return form
}

/** How to stop waiting for a device, by the form that waits. */
const gestures = new WeakMap<HTMLFormElement, () => void>()

/** Gives a form back that waits for a device. @returns whether it was waiting */
export function giveBack(form: HTMLFormElement): boolean {
  const give = gestures.get(form)
  give?.()
  return give !== undefined
}

document.addEventListener(
  'keydown',
  event => {
    if (event.key === 'Escape' && !event.isComposing && [...document.forms].some(giveBack)) event.stopPropagation()
  },
  true,
)

/** Shows on the pressed button that a device is waited for, with a way to stop. @param stopped called at once, to end the wait */
function showGesture(form: HTMLFormElement, pressed: HTMLElement, waiting: Waiting, stopped: () => void): Asked {
  const stop = button(controls.cancel, () => giveBack(form), 'plain stop')
  return giveUp => {
    stop.remove()
    gestures.delete(form)
    waiting.show(giveUp ? forms.device : forms.moment)
    if (!giveUp) return
    gestures.set(form, () => {
      stopped()
      giveUp()
      stop.remove()
      gestures.delete(form)
      pressed.focus()
    })
    // A row's form has one.
    if (!form.closest('.panel')) pressed.after(stop)
  }
}

/** The message of the last success. */
let told: HTMLElement | null = null

/** Shows the message of a success until another one comes, or something else is opened. */
export function tell(output: HTMLElement, news: Phrase | Node): void {
  forgetNews()
  told = output
  output.append(typeof news === 'function' ? spoken(news) : news)
}

export function forgetNews(): void {
  told?.replaceChildren()
  told = null
}

export const isBusy = (form: HTMLFormElement): boolean => form.ariaBusy === 'true'

/** A form that requests a mail again. @param more further members of the request */
export const mailAgain = (
  name: string,
  path: string,
  email: string,
  kind: 'plain' | 'plain small' = 'plain',
  more: object = {},
): HTMLFormElement =>
  makeForm({
    name,
    submit: controls.sendAgain,
    kind,
    send: () => send('POST', path, { email, ...more }),
    done: () => texts.newsSent,
  })

/** A button that repeats an unanswered request. It works once: the answer shows another button, or the result. */
export function tryAgain(ask: () => Promise<unknown>): HTMLButtonElement {
  let isAsked = false
  const askOnce = (pressed: HTMLButtonElement) => {
    if (!isAsked) waitFor(pressed, ask)
    isAsked = true
  }
  return button(controls.tryAgain, askOnce, 'plain small')
}
