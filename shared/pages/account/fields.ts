import { inputsOf } from '../form.ts'
import { element } from '../nodes.ts'
import { revealable } from '../reveal.ts'
import type { Assertion, PasskeyWay } from '../webauthn.ts'
import { controls, type Phrase, texts } from '../words.ts'

/** A field of a form. Its name is the member of the body that it fills. */
export interface Field {
  name: string
  label: Phrase
  type?: 'email' | 'password' | 'text'
  /** HTML, "Autofill": so that password managers know what it is. */
  autocomplete: string
  hint?: Phrase
  isOptional?: true
  /** What stands at the end of the label's line, and comes after the field. */
  aside?: HTMLElement
  /** The name of the button that shows a password, where a form has two. */
  reveal?: Phrase
  /** What is there at first. */
  value?: string
  /** A passkey does in its place. */
  passkey?: PasskeyWay
  /** @returns what is wrong with what was typed, if the page can know it */
  check?(value: string): Phrase | undefined
}

/** What was typed, by the names of the fields. */
export type Typed = Record<string, string>

/** What a form sends: what was typed, or a passkey's answer in place of who one is. */
export type Sent = Typed & { assertion?: Assertion }

/** The fields that say who one is. */
export const isProof = (name: string): boolean => /^(?:email|password|current_password|code)$/.test(name)

/** The field for a second factor: shown once the API asks for one. */
export const code = (): Field => ({
  name: 'code',
  label: controls.code,
  autocomplete: 'one-time-code',
  hint: texts.hintCode,
})

export const typedIn = (form: HTMLFormElement): Typed =>
  Object.fromEntries(
    inputsOf(form).flatMap(({ name, type, value }) => (name && type !== 'checkbox' ? [[name, value]] : [])),
  )

export function fieldOf(form: string, field: Field): HTMLElement {
  const { name, label, type = 'text', autocomplete, hint, isOptional, aside, reveal, value } = field
  const id = `${form}-${name}`
  const input = element('input', {
    id,
    name,
    type,
    autocomplete,
    'aria-describedby': hint === undefined ? `${id}-error` : `${id}-error ${id}-hint`,
    ...(!isOptional && { required: true }),
    ...(value !== undefined && { value }),
    ...((type !== 'text' || name === 'code') && { autocapitalize: 'none', spellcheck: 'false' }),
  })
  return element(
    'div',
    { class: 'field' },
    element('label', { for: id }, label),
    type === 'password' ? revealable(input, reveal) : input,
    aside ?? null,
    element('p', { class: 'error', id: `${id}-error` }),
    hint === undefined ? null : element('p', { class: 'hint', id: `${id}-hint` }, hint),
  )
}

/** Not shown: for password managers. */
export const usernameField = (username: (() => string) | undefined): HTMLElement | null =>
  username === undefined ? null : element('input', { type: 'text', autocomplete: 'username', hidden: true })

export function checkbox(label: Phrase): [HTMLElement, HTMLInputElement] {
  const box = element('input', { type: 'checkbox' })
  return [element('label', { class: 'choice' }, box, label), box]
}

/** Empties the fields that nobody should find who comes by later, and takes away the one for a code. */
export function forgetSecrets(form: HTMLFormElement): void {
  for (const input of inputsOf(form)) if (/password$|^code$/.test(input.name)) input.value = ''
  form.querySelector('.asked')?.remove()
}
