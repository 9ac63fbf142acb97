import * as v from 'valibot'
import { canonicalEmail } from './email.ts'
import { countCodePoints, NewPassword } from './passwords/password.ts'

/** Request bodies. A schema and its type, where code needs one, share a name. Members that a schema does not name are ignored. */

/** In code points. Long enough for any display name. */
export const maxNameLength = 200

const Text = v.string('must be a string')

/** An address in its canonical form (see `email.ts`). */
export const Email = v.pipe(
  Text,
  v.transform(canonicalEmail),
  v.string('must be an e-mail address, such as ada@example.com'),
)

/** C0, DEL and C1 controls break mail headers, terminals and logs. */
const controlCharacter = /\p{Cc}/u

/**
 * Invisible characters, which make two names look the same or change how the text around them reads: soft hyphen,
 * zero-width space and byte order mark, line and paragraph separator, everything that directs text (UAX #9 §2), the
 * blanks of Hangul and Braille, and tags (the Unicode Standard, §23.9). U+200C and U+200D stay: Persian, Indic scripts
 * and emoji need them.
 */
export const misleadingCharacter =
  /[\u00ad\u061c\u115f\u1160\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\u2800\u3164\ufeff\uffa0]|[\u{e0000}-\u{e007f}]/u

/** Those that were refused before 0.3.0. */
const formerlyRefused = /[\u200b\u2028-\u202e\u2066-\u2069\ufeff]/u

const nameWithout = (refused: RegExp) =>
  v.pipe(
    Text,
    v.check(text => text.isWellFormed(), 'must be valid Unicode text'),
    v.check(text => !controlCharacter.test(text), 'must not contain control characters'),
    v.check(
      text => !refused.test(text),
      'must not contain invisible characters, line separators or direction controls',
    ),
    v.check(text => countCodePoints(text) <= maxNameLength, `must be at most ${maxNameLength} characters`),
  )

export const Name = nameWithout(misleadingCharacter)

/** A name that an account may have from before. */
export const FormerName = nameWithout(formerlyRefused)

export const UserCreate = v.object({
  email: Email,
  password: NewPassword,
  name: v.optional(v.nullable(Name), null),
})
export type UserCreate = v.InferOutput<typeof UserCreate>

export const UserLogin = v.object({ email: Email, password: Text })
export type UserLogin = v.InferOutput<typeof UserLogin>

const UpdateUserRequest = v.object({ name: v.optional(v.nullable(Name), null) })

const ForgotPasswordRequest = v.object({ email: Email })

/** The token may be any text: a malformed one is not found. */
export const ResetPasswordRequest = v.object({ token: Text, new_password: NewPassword })
export type ResetPasswordRequest = v.InferOutput<typeof ResetPasswordRequest>

const VerifyEmailRequest = v.object({ token: Text })

export const ChangePasswordRequest = v.object({ current_password: Text, new_password: NewPassword })
export type ChangePasswordRequest = v.InferOutput<typeof ChangePasswordRequest>

export const DeleteAccountRequest = v.object({ password: Text })
export type DeleteAccountRequest = v.InferOutput<typeof DeleteAccountRequest>

/** Bodies by name, for the route table. */
export const bodies = {
  UserCreate,
  UserLogin,
  UpdateUserRequest,
  ForgotPasswordRequest,
  ResetPasswordRequest,
  VerifyEmailRequest,
  ChangePasswordRequest,
  DeleteAccountRequest,
} as const

type Bodies = typeof bodies
type Member = { [B in keyof Bodies]: keyof Bodies[B]['entries'] }[keyof Bodies]

/** An example of each member, which means the same in every body. For the API's description: no bundle holds them. */
export const memberExamples: Record<Member, string> = {
  email: 'ada@example.com',
  password: 'correct horse',
  current_password: 'correct horse',
  new_password: 'battery staple',
  name: 'Ada',
  token: 'wLq0gKk1bYz6uTn3pEaJxR5dVf8hMc2sQi7oWt9ZyXU',
}
