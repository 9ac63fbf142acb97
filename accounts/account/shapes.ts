import * as v from 'valibot'
import { ClientId, formerlyRefused, Language, nameOf, textWithout } from '../../shared/base/shapes.ts'
import { Email } from '../address/shapes.ts'
import { proven } from '../passkey/shapes.ts'
import { GivenPassword, NewPassword } from '../password/password.ts'

/** In code points. Long enough for any display name. */
export const maxNameLength = 200

export const Name = nameOf(maxNameLength)

/** A name that an account may have from before. */
export const FormerName = textWithout(text => formerlyRefused.test(text), maxNameLength)

export const UserCreate = v.object({
  email: Email,
  password: NewPassword,
  name: v.optional(v.nullable(Name), null),
  language: v.optional(v.nullable(Language), null),
  client_id: ClientId,
})
export type UserCreate = v.InferOutput<typeof UserCreate>

export const UpdateUserRequest = v.object({
  name: v.optional(v.nullable(Name), null),
  language: v.optional(v.nullable(Language), null),
})
export type UpdateUserRequest = v.InferOutput<typeof UpdateUserRequest>

export const DeleteAccountRequest = proven({}, { password: GivenPassword })
export type DeleteAccountRequest = v.InferOutput<typeof DeleteAccountRequest>
