/**
 * Mistakes in typed values: those the page can detect before sending, and those from the API, each at its field. What is
 * about no field stands directly above the pressed button, where the eye is.
 */

import type { ErrorCode } from '../base/errors.ts'
import { hasHidden, isBlank } from '../base/hidden-characters.ts'
import { fillText } from '../words/fill.ts'
import { announce, describe, find, inputsOf, type Refusal, submitOf } from './form.ts'
import { lengths } from './lengths.ts'
import { paragraph } from './nodes.ts'
import { forms, type Phrase, say } from './words.ts'

/** The form of every address, in any script: the API checks the rest. RFC 3490 §3.1 has the four dots. */
const address = /^[^\s@]+@[^\s@]+[.\u3002\uff0e\uff61][^\s@]+$/

/** Checks a field by its name. @returns the message if it is wrong */
type Checks = Partial<Record<string, (value: string) => Phrase | undefined>>

/**
 * Shows a message at each wrong field, and focuses the first.
 *
 * @param isAsked whether a field is required, by name
 * @returns whether there is a mistake
 */
export function showMistakes(form: HTMLFormElement, checks: Checks = {}, isAsked = (_: string) => true): boolean {
  return showErrors(
    inputsOf(form).flatMap(input => {
      const words =
        input.matches(':disabled') || input.type === 'hidden' || !isAsked(input.name)
          ? undefined
          : (mistakeIn(input) ?? checks[input.name]?.(input.value))
      return words === undefined ? [] : [[input, words] as const]
    }),
  )
}

function mistakeIn({ name, type, value, required, autocomplete, validity }: HTMLInputElement): Phrase | undefined {
  const words = wordsOf(name)
  // Shown once, at the first of them.
  if (type === 'radio') return required && validity.valueMissing ? words?.empty : undefined
  if (value === '') return required ? words?.empty : undefined
  const length = [...value.normalize('NFC')].length
  // Only for new passwords: an old one is right or wrong, whatever its length.
  const isNew = autocomplete === 'new-password'
  if (isNew && length < lengths.password.min) return forms.refusals['password-too-short']
  const isName = name === 'name' || name === 'label'
  const isTooLong = length > (isNew ? lengths.password.max : isName ? lengths[name].max : length)
  const isUnseen = isName && (hasHidden(value) || isBlank(value))
  return isTooLong || isUnseen || (type === 'email' && !address.test(value)) ? words?.invalid : undefined
}

/** The messages of a field, by its name. */
function wordsOf(name: string): { empty: Phrase; invalid: Phrase } | undefined {
  const words = Object.hasOwn(forms.fields, name) ? forms.fields[name as keyof typeof forms.fields] : undefined
  return words && { ...words, invalid: () => fillText(words.invalid(), { example: 'ada@example.com' }) }
}

/** Shows a refusal at its fields, or directly above the pressed button. */
export function showRefusal(form: HTMLFormElement, refusal: Refusal, pressed = submitOf(form)): void {
  if (!showAtFields(form, refusal)) showAbove(pressed, alertOf(describe(refusal)))
}

/** Shows a refusal at its fields. @returns whether it has any */
export function showAtFields(form: HTMLFormElement, refusal: Refusal): boolean {
  const words = describe(refusal)
  const wordsAt = ({ name }: HTMLInputElement) => (refusal.code === 'invalid-body' && wordsOf(name)?.invalid) || words
  return showErrors(inputsAtFault(form, refusal).map(input => [input, wordsAt(input)] as const))
}

export const alertOf = (words: Phrase): HTMLElement => saidAs('alert', 'error', words)

/** A refusal where there is no form. What a person chose to end is no error. */
export const messageOf = (refusal: Refusal): HTMLElement =>
  refusal.isChoice ? saidAs('status', 'notice', describe(refusal)) : alertOf(describe(refusal))

function saidAs(role: 'alert' | 'status', kind: string, words: Phrase): HTMLElement {
  const made = paragraph(words, kind)
  made.role = role
  return made
}

/** The message above a button, if any: a newer one replaces it. */
let above: HTMLElement | null = null

/** Shows a message directly above a button. */
export function showAbove(pressed: HTMLElement, message: HTMLElement): void {
  clearAbove()
  above = message
  pressed.before(message)
  bring(pressed, message)
}

export function clearAbove(): void {
  above?.remove()
  above = null
}

/** Scrolls elements into view, the most important last. */
export function bring(...elements: readonly Element[]): void {
  for (const element of elements) element.scrollIntoView({ block: 'nearest' })
}

/** The fields that a refusal is about where its body names none. Any other is about what was pressed. */
const fieldsOf: Partial<Record<string, readonly string[]>> = {
  'email-taken': ['email'],
  'email-domain-not-allowed': ['email', 'new_email'],
  // Either may be wrong, and which one is not said: people type the password anew.
  'bad-credentials': ['password'],
  'password-required': ['password'],
  'password-too-short': ['new_password', 'password'],
  'password-too-common': ['new_password', 'password'],
  'former-password': ['new_password'],
  'wrong-password': ['current_password', 'password'],
  'no-password': ['current_password', 'password'],
  'wrong-code': ['code'],
  'used-code': ['code'],
  'codes-disabled': ['code'],
} satisfies Partial<Record<ErrorCode, readonly string[]>>

/** The fields of a refusal that a person can change. */
export function inputsAtFault(form: HTMLFormElement, { code = '', errors = [] }: Refusal): HTMLInputElement[] {
  const pointers = errors.map(({ pointer }) => pointer.slice(1))
  // The field has a name of its own, as there may be a new one beside it.
  const asTyped = pointers.includes('password') ? ['current_password'] : []
  const names = [...(fieldsOf[code] ?? []), ...pointers, ...asTyped]
  return inputsOf(form).filter(
    input => input.type !== 'hidden' && input.id !== '' && names.includes(input.name) && !input.matches(':disabled'),
  )
}

/** @returns whether there is an error */
function showErrors(errors: readonly (readonly [input: HTMLInputElement, words: Phrase])[]): boolean {
  const errorOf = ({ id, form }: HTMLInputElement) => find(`#${id}-error`, HTMLElement, form ?? document)
  for (const [input, words] of errors) {
    say(errorOf(input), words)
    input.ariaInvalid = 'true'
  }
  const [first, words] = errors[0] ?? []
  if (!first || !words) return false
  // Who pressed Enter is in the field already: no focus moves that would say what is wrong.
  if (document.activeElement === first) announce(words)
  first.focus()
  bring(first.closest('.field') ?? first, errorOf(first))
  return true
}

export function clearErrors(form: HTMLFormElement): void {
  clearAbove()
  for (const error of form.querySelectorAll('.error')) say(error, '')
  for (const input of form.querySelectorAll('[aria-invalid]')) input.removeAttribute('aria-invalid')
}

/** Clears the error of an edited field, and that of its form's button. */
export function clearErrorOf({ target }: Event, form: HTMLFormElement): void {
  if (!(target instanceof HTMLInputElement)) return
  const field = target.closest('.field')
  for (const input of field?.querySelectorAll('[aria-invalid]') ?? []) input.removeAttribute('aria-invalid')
  for (const error of field?.querySelectorAll('.error') ?? []) say(error, '')
  if (form.contains(above)) clearAbove()
}
