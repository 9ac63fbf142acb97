import * as v from 'valibot'
import { hasHidden, isBlank } from './hidden-characters.ts'

/** Building blocks of bodies and answers. Members that the schema of a body does not name are ignored. */

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

/** In code points. Enough for a device's name; one of each session fits on an account's item. */
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

/**
 * What a shape is, and what its members are, for the API's description. A member that refers to another shape has that one's; one
 * of a body that has none here has that of `memberMeanings`.
 */
export type Meaning<M extends string = string> = readonly [is: string, ...members: { readonly [N in M]?: string }[]]

/** Those of all shapes by name: one without its meaning does not compile. */
export type MeaningsOf<S> = {
  readonly [N in keyof S]: S[N] extends { entries: infer E } ? Meaning<keyof E & string> : Meaning<never>
}

/** An example of each shape by name. */
export type ExamplesOf<S extends Record<string, v.GenericSchema>> = { readonly [N in keyof S]: v.InferOutput<S[N]> }

/** RFC 3339, UTC. */
export const moment = () => v.pipe(v.string(), v.isoTimestamp())

/** A whole number of seconds, or of another unit, of at least one. */
export const duration = () => v.pipe(v.number(), v.integer(), v.minValue(1))

/** The answer that is a sentence. A function, so that bundles drop the schema. */
export const defineAnswers = () => ({
  replies: { MessageResponse: v.strictObject({ message: v.string(), success: v.literal(true) }) },
})
type Replies = ReturnType<typeof defineAnswers>['replies']
export type MessageResponse = v.InferOutput<Replies['MessageResponse']>

export const meanings: MeaningsOf<Replies> = {
  MessageResponse: ['What was done.', { message: 'A sentence for people.', success: 'Always true.' }],
}

/** What members are in every body that says nothing else of them. */
export const memberMeanings = {
  code:
    'A code of the authenticator app (six digits), or a recovery code, in any case. Digits of any script and wide characters ' +
    'count as the ASCII ones; what is neither letter nor digit is ignored; white space alone counts as missing. Only an account ' +
    'with a second factor needs it; for others it is ignored.',
  token: 'From the link in the mail. It works once.',
  client_id:
    'The id of the application that sent the person: the page of the link in the mail leads back to it. Ignored if it is ' +
    'not listed.',
}

/** An example of each member, which means the same in every body. */
export const memberExamples = {
  client_id: 'sample',
  code: '492039',
  id: 'oGkZr8mTq1uYw3sXc5vBnA',
  label: 'Phone',
  language: 'de',
  token: 'wLq0gKk1bYz6uTn3pEaJxR5dVf8hMc2sQi7oWt9ZyXU',
}
