import * as v from 'valibot'
import { hasHidden, isBlank } from './hidden-characters.ts'

/** Building blocks of bodies. Members that a schema does not name are ignored. */

export const Text = v.string('must be a string')

export const mustBeObject = 'must be an object'
const noObject = v.never(mustBeObject)

/** An object, not an array, which valibot accepts as one. */
export function objectOf<E extends v.ObjectEntries>(entries: E) {
  const schema = v.object(entries, mustBeObject)
  return {
    ...schema,
    '~run': (dataset, config) => (Array.isArray(dataset.value) ? noObject : schema)['~run'](dataset, config),
  } as typeof schema
}

/** Whether a body has its own member of a name. */
export const has = (value: unknown, name: string): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)

/** The schema of members that must be absent. */
export const absent = (names: readonly string[], beside: string): v.ObjectEntries =>
  Object.fromEntries(names.map(name => [name, v.optional(v.undefined(`must not be there beside ${beside}`))]))

/** The number of characters as people count them, roughly: a surrogate pair is one. */
export const countCodePoints = (text: string): number => [...text].length

/** C0, DEL and C1 controls break mail headers, terminals and logs. */
const controlCharacter = /\p{Cc}/u

/** The hidden characters that were refused before 0.3.0. */
export const formerlyRefused = /[\u200b\u2028-\u202e\u2066-\u2069\ufeff]/u

export const textWithout = (isRefused: (text: string) => boolean, maxLength: number) =>
  v.pipe(
    Text,
    v.check(text => text.isWellFormed(), 'must be valid Unicode text'),
    v.check(text => !controlCharacter.test(text), 'must not contain control characters'),
    v.check(
      // Control characters have a message of their own.
      text => controlCharacter.test(text) || !isRefused(text),
      'must not contain invisible characters, line separators or direction controls',
    ),
    v.check(text => countCodePoints(text) <= maxLength, `must be at most ${maxLength} characters`),
  )

export const nameOf = (maxLength: number) =>
  v.pipe(
    textWithout(hasHidden, maxLength),
    v.check(text => !isBlank(text), 'must not be of blanks alone'),
  )

/** A tag of up to 35 characters (RFC 5646 §4.4.1). Its language may not be offered. */
export const Language = v.pipe(
  Text,
  v.regex(/^[A-Za-z0-9-]{1,35}$/, 'must be a language tag, such as de: at most 35 letters, digits and hyphens'),
)

/** The application that sent the person. An unlisted one is ignored. */
export const ClientId = v.optional(Text)

/** In code points. Enough for a device's name; ten of them fit on an account's item. */
export const maxLabelLength = 60

/** The name of a session or a passkey. */
export const Label = nameOf(maxLabelLength)

/** A passkey's label from before. */
export const FormerLabel = textWithout(text => formerlyRefused.test(text), maxLabelLength)

/** A code of an authenticator app, or a recovery code. Any other text is a wrong code. Accounts without a factor ignore it. */
export const Code = v.optional(Text)

/** A body whose schema depends on its members. @param entries for descriptions of the body */
export function chosen<T, E extends v.ObjectEntries>(entries: E, choose: (value: unknown) => v.GenericSchema) {
  const either: v.GenericSchema & { entries: E } = v.object(entries)
  return {
    ...either,
    '~run': (dataset, config) => choose(dataset.value)['~run'](dataset, config),
  } as v.BaseSchema<unknown, T, v.BaseIssue<unknown>> & { entries: E }
}
