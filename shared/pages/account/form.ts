import {
  type Answer,
  announce,
  clearErrors,
  describe,
  find,
  type Refusal,
  send,
  showEmpty,
  showRefusal,
  wait,
} from '../form.ts'
import { controls, texts } from '../messages.ts'
import { code, type Field, fieldOf, reveal, type Typed, typedIn, usernameField } from './fields.ts'
import { element, paragraph } from './nodes.ts'

interface Parts<T> {
  /** Unique on the page: the ids of its fields begin with it. */
  name: string
  fields?: readonly Field[]
  submit: string
  kind?: 'plain' | 'danger'
  /** Its fields are shown once its button is pressed, until another such form shows its own. */
  isFolded?: true
  /** A checkbox before the button. */
  choice?: HTMLElement
  /** Whose password it is, for password managers, where no field says it. */
  username?: () => string
  send(typed: Typed): Promise<Answer<T>>
  /** @returns what to say beside the button */
  done(body: T, form: HTMLFormElement, typed: Typed): string | undefined
  /** @returns whether the refusal has been dealt with */
  refused?(refusal: Refusal, form: HTMLFormElement): boolean
}

/** A form that sends what was typed, and says what is wrong where it is wrong. What is typed stays until it is accepted. */
export function makeForm<T>(parts: Parts<T>): HTMLFormElement {
  const { name, fields = [], kind } = parts
  const submit = element('button', { type: 'submit', ...(kind && { class: kind }) }, parts.submit)
  const news = element('output', { class: 'good' })
  const form = element(
    'form',
    { method: 'post', novalidate: true },
    usernameField(parts.username),
    ...fields.map(field => fieldOf(name, field)),
    parts.choice ?? null,
    element('div', { class: 'act' }, submit, news),
    element('p', { class: 'error', role: 'alert' }),
  )
  form.addEventListener('input', () => {
    clearErrors(form)
    news.textContent = ''
  })
  if (parts.isFolded) fold(form)
  form.addEventListener('submit', async event => {
    event.preventDefault()
    if (form.ariaBusy === 'true') return
    if (form.querySelector('.field[hidden]')) {
      unfold(form)
      return find('.field input', HTMLInputElement, form).focus()
    }
    // Browsers remember what was in a text field, and a shown password is in one.
    reveal(form, false)
    clearErrors(form)
    news.textContent = ''
    const usernameOf = form.querySelector<HTMLInputElement>('input[hidden]')
    if (usernameOf && parts.username) usernameOf.value = parts.username()
    if (showEmpty(form)) return

    const ready = wait(form)
    const typed = typedIn(form)
    const answer = await parts.send(typed)
    ready()
    if (answer.ok) {
      // The field for the code goes: it is shown again when the API asks again.
      if (fields.every(field => field.name !== code.name)) form.querySelector('[name="code"]')?.parentElement?.remove()
      news.textContent = parts.done(answer.body, form, typed) ?? ''
    } else if (answer.code === 'second-factor-required') askForCode(name, form)
    // Whoever is logged out is asked to log in, and finds the form as it is.
    else if (!answer.isEnded && !parts.refused?.(answer, form)) showRefusal(form, answer)
  })
  return form
}

/** The form whose fields were shown by its button. */
let unfolded: HTMLFormElement | null = null

function unfold(form: HTMLFormElement): void {
  // What is on its way is answered at its fields.
  if (unfolded && unfolded.ariaBusy !== 'true') fold(unfolded)
  unfolded = form
  for (const field of form.querySelectorAll<HTMLElement>('.field')) field.hidden = false
}

function fold(form: HTMLFormElement): void {
  form.reset()
  clearErrors(form)
  for (const field of form.querySelectorAll<HTMLElement>('.field')) field.hidden = true
}

function askForCode(name: string, form: HTMLFormElement): void {
  const field = fieldOf(name, code)
  form.querySelector('[name="code"]')?.parentElement?.remove()
  const fields = form.querySelectorAll('.field')
  fields[fields.length - 1]?.after(field)
  find('input', HTMLInputElement, field).focus()
  announce(texts.codeAsked)
}

/** A form that has a mail sent again. */
export const mailAgain = (name: string, path: string, email: () => string, sent: string): HTMLFormElement =>
  makeForm({
    name,
    submit: controls.sendAgain,
    kind: 'plain',
    send: () => send('POST', path, { email: email() }),
    done: () => sent,
  })

/** What went wrong where there is no form. */
export const alertOf = (refusal: Refusal): HTMLElement => {
  const made = paragraph(describe(refusal), 'error')
  made.role = 'alert'
  return made
}
