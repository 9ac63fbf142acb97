import * as v from 'valibot'
import { ClientId, Text } from '../../shared/base/shapes.ts'
import { Name } from '../account/shapes.ts'
import { Email } from '../address/shapes.ts'
import { proven } from '../passkey/shapes.ts'
import { GivenPassword, NewPassword } from './password.ts'

export const ForgotPasswordRequest = v.object({ email: Email, client_id: ClientId })

/** The token may be any text: a malformed one is not found. */
export const ResetPasswordRequest = v.object({
  token: Text,
  new_password: NewPassword,
  keep_other_logins: v.optional(v.boolean('must be true or false')),
})
export type ResetPasswordRequest = v.InferOutput<typeof ResetPasswordRequest>

export const AcceptInvitationRequest = v.object({
  token: Text,
  new_password: NewPassword,
  name: v.optional(v.nullable(Name), null),
})
export type AcceptInvitationRequest = v.InferOutput<typeof AcceptInvitationRequest>

export const ChangePasswordRequest = proven({ new_password: NewPassword }, { current_password: GivenPassword })
export type ChangePasswordRequest = v.InferOutput<typeof ChangePasswordRequest>
