import { inputsOf } from '../form.ts'
import { controls, texts } from '../messages.ts'
import { element } from './nodes.ts'

/** A field of a form. Its name is the member of the body that it fills. */
export interface Field {
  name: string
  label: string
  type?: 'email' | 'password' | 'text'
  /** HTML, "Autofill": so that password managers know what it is. */
  autocomplete: string
  hint?: string
  isOptional?: true
}

/** What was typed, by the names of the fields. */
export type Typed = Record<string, string>

export const currentPassword: Field = {
  name: 'current_password',
  label: controls.currentPassword,
  type: 'password',
  autocomplete: 'current-password',
}

/** The field for a second factor: shown once the API asks for one. */
export const code: Field = {
  name: 'code',
  label: controls.code,
  autocomplete: 'one-time-code',
  hint: texts.hintCode,
}

export const typedIn = (form: HTMLFormElement): Typed =>
  Object.fromEntries(
    inputsOf(form).flatMap(({ name, type, value }) => (name && type !== 'checkbox' ? [[name, value]] : [])),
  )

export function fieldOf(
  form: string,
  { name, label, type = 'text', autocomplete, hint, isOptional }: Field,
): HTMLElement {
  const id = `${form}-${name}`
  const input = element('input', {
    id,
    name,
    type,
    autocomplete,
    'aria-describedby': hint === undefined ? `${id}-error` : `${id}-error ${id}-hint`,
    ...(!isOptional && { required: true }),
    ...((type !== 'text' || name === 'code') && { autocapitalize: 'none', spellcheck: 'false' }),
  })
  return element(
    'div',
    { class: 'field' },
    element('label', { for: id }, label),
    input,
    element('p', { class: 'error', id: `${id}-error` }),
    hint === undefined ? null : element('p', { class: 'hint', id: `${id}-hint` }, hint),
    autocomplete === 'new-password' ? revealing() : null,
  )
}

/** Not shown: for password managers. */
export const usernameField = (username: (() => string) | undefined): HTMLElement | null =>
  username === undefined ? null : element('input', { type: 'text', autocomplete: 'username', hidden: true })

/** A checkbox that shows what is typed, where a password is chosen. */
function revealing(): HTMLElement {
  const [choice, box] = checkbox(controls.showPassword, 'reveal')
  box.addEventListener('change', () => box.form && reveal(box.form, box.checked))
  return choice
}

export function reveal(form: HTMLFormElement, isShown: boolean): void {
  for (const input of inputsOf(form)) {
    if (input.autocomplete === 'new-password') input.type = isShown ? 'text' : 'password'
    if (input.classList.contains('reveal')) input.checked = isShown
  }
}

export function checkbox(label: string, kind = ''): [HTMLElement, HTMLInputElement] {
  const box = element('input', { type: 'checkbox', class: kind })
  return [element('label', { class: 'choice' }, box, label), box]
}
