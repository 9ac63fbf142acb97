import { inputsOf } from '../form.ts'
import { lengths } from '../lengths.ts'
import { element } from '../nodes.ts'
import { withRevealButton } from '../reveal.ts'
import type { Assertion, PasskeyWay } from '../webauthn.ts'
import type { Phrase } from '../words.ts'

/** A field of a form, with the name of its member in the body. */
export interface Field {
  name: string
  label: Phrase
  type?: 'email' | 'password' | 'text'
  /** HTML, "Autofill", for password managers. */
  autocomplete: string
  hint?: Phrase
  isOptional?: true
  /** At the end of the label's line, and after the field in order. */
  aside?: HTMLElement
  /** The name of the button that shows a password, in forms with two. */
  reveal?: Phrase
  /** The initial value. */
  value?: string
  /** A passkey can replace it. */
  passkey?: PasskeyWay
  /** @returns a mistake, if the page can detect it */
  check?(value: string): Phrase | undefined
}

/** Typed values, by the names of fields. */
export type Typed = Record<string, string>

/** A form's data: typed values, or a passkey's assertion in place of credentials. */
export type Sent = Typed & { assertion?: Assertion }

/** The fields that prove who the person is. */
export const isProof = (name: string): boolean => /^(?:email|password|current_password|code)$/.test(name)

export const typedIn = (form: HTMLFormElement): Typed =>
  Object.fromEntries(
    inputsOf(form).flatMap(({ name, type, value }) => (name && type !== 'checkbox' ? [[name, value]] : [])),
  )

const { min, max } = lengths.password

/** For password managers, which make passwords: `passwordrules` is Apple's, and others read it too. */
const rules = { minlength: String(min), passwordrules: `minlength: ${min}; maxlength: ${max};` }

export function fieldOf(form: string, field: Field): HTMLElement {
  const { name, label, type = 'text', autocomplete, hint, isOptional, aside, reveal, value } = field
  const id = `${form}-${name}`
  const input = element('input', {
    id,
    name,
    type,
    autocomplete,
    ...(name === 'code' && { inputmode: 'numeric', enterkeyhint: 'go' }),
    ...(autocomplete === 'new-password' && rules),
    'aria-describedby': hint === undefined ? `${id}-error` : `${id}-error ${id}-hint`,
    ...(!isOptional && { required: true }),
    ...(value !== undefined && { value }),
    ...((type !== 'text' || name === 'code') && { autocapitalize: 'none', spellcheck: 'false' }),
  })
  return element(
    'div',
    { class: 'field' },
    element('label', { for: id }, label),
    type === 'password' ? withRevealButton(input, reveal) : input,
    aside ?? null,
    element('p', { class: 'error', id: `${id}-error` }),
    hint === undefined ? null : element('p', { class: 'hint', id: `${id}-hint` }, hint),
  )
}

/** Hidden, for password managers. */
export const usernameField = (username: (() => string) | undefined): HTMLElement | null =>
  username === undefined ? null : element('input', { type: 'text', autocomplete: 'username', hidden: true })

export function checkbox(label: Phrase): [HTMLElement, HTMLInputElement] {
  const box = element('input', { type: 'checkbox' })
  return [element('label', { class: 'choice' }, box, label), box]
}

/** Empties secret fields, which others could find later. */
export function forgetSecrets(form: HTMLFormElement): void {
  for (const input of inputsOf(form)) if (/password$|^code$/.test(input.name)) input.value = ''
}
