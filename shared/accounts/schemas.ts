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
 * Invisible characters that change how the text around them reads: zero-width space and byte order mark, line and
 * paragraph separator, embeddings, overrides and isolates of direction (UAX #9 §2). U+200C and U+200D stay: Persian,
 * Indic scripts and emoji need them.
 */
export const misleadingCharacter = /[\u200b\ufeff\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

export const Name = v.pipe(
  Text,
  v.check(text => text.isWellFormed(), 'must be valid Unicode text'),
  v.check(text => !controlCharacter.test(text), 'must not contain control characters'),
  v.check(
    text => !misleadingCharacter.test(text),
    'must not contain zero-width spaces, line separators or direction controls',
  ),
  v.check(text => countCodePoints(text) <= maxNameLength, `must be at most ${maxNameLength} characters`),
)

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
