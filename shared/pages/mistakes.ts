/** Mistakes in typed values: those the page can detect before sending, and those from the API, each at its field. */

import type { ErrorCode } from '../base/errors.ts'
import { hasHidden, isBlank } from '../base/hidden-characters.ts'
import { fillText } from '../words/fill.ts'
import { describe, find, inputsOf, type Refusal } from './form.ts'
import { lengths } from './lengths.ts'
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

/** Shows a refusal at its fields, or below the form. */
export function showRefusal(form: HTMLFormElement, refusal: Refusal): void {
  const words = describe(refusal)
  const wordsAt = ({ name }: HTMLInputElement) => (refusal.code === 'invalid-body' && wordsOf(name)?.invalid) || words
  const isShown = showErrors(inputsAtFault(form, refusal).map(input => [input, wordsAt(input)] as const))
  // Screen readers read an alert when its text changes.
  if (!isShown) say(find('.error[role="alert"]', HTMLElement, form), words)
}

/** The fields of a refusal whose body names none. */
const fieldsOf: Partial<Record<string, readonly string[]>> = {
  'email-taken': ['email'],
  'password-too-short': ['new_password', 'password'],
  'password-too-common': ['new_password', 'password'],
  'former-password': ['new_password'],
  'wrong-password': ['current_password', 'password'],
  'wrong-code': ['code'],
  'used-code': ['code'],
  'codes-disabled': ['code'],
} satisfies Partial<Record<ErrorCode, readonly string[]>>

/** The fields of a refusal that a person can change. */
export function inputsAtFault(form: HTMLFormElement, { code = '', errors = [] }: Refusal): HTMLInputElement[] {
  const names = [...(fieldsOf[code] ?? []), ...errors.map(({ pointer }) => pointer.slice(1))]
  return inputsOf(form).filter(({ type, name, id }) => type !== 'hidden' && id !== '' && names.includes(name))
}

/** @returns whether there is an error */
function showErrors(errors: readonly (readonly [input: HTMLInputElement, words: Phrase])[]): boolean {
  for (const [input, words] of errors) {
    say(find(`#${input.id}-error`, HTMLElement, input.form ?? document), words)
    input.ariaInvalid = 'true'
  }
  errors[0]?.[0].focus()
  return errors.length > 0
}

export function clearErrors(form: HTMLFormElement): void {
  for (const error of form.querySelectorAll('.error')) say(error, '')
  for (const input of form.querySelectorAll('[aria-invalid]')) input.removeAttribute('aria-invalid')
}

/** Clears the error of an edited field, and that of the form. */
export function clearErrorOf({ target }: Event, form: HTMLFormElement): void {
  if (!(target instanceof HTMLInputElement)) return
  const field = target.closest('.field')
  for (const input of field?.querySelectorAll('[aria-invalid]') ?? []) input.removeAttribute('aria-invalid')
  for (const error of field?.querySelectorAll('.error') ?? []) say(error, '')
  for (const error of form.querySelectorAll('.error[role="alert"]')) say(error, '')
}
