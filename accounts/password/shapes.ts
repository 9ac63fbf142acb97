import * as v from 'valibot'
import { ClientId, type MeaningsOf, Text } from '../../shared/base/shapes.ts'
import { Name } from '../account/shapes.ts'
import { Email } from '../address/shapes.ts'
import { proven } from '../passkey/shapes.ts'
import { GivenPassword, NewPassword } from './password.ts'

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

/** Its bodies by name, for the route table. */
export const bodies = {
  ForgotPasswordRequest: v.object({ email: Email, client_id: ClientId }),
  ResetPasswordRequest,
  AcceptInvitationRequest,
  ChangePasswordRequest,
} as const

export const meanings: MeaningsOf<typeof bodies> = {
  ForgotPasswordRequest: ['Whom the link is mailed to.'],
  ResetPasswordRequest: [
    'A new password.',
    {
      keep_other_logins:
        'Whether what else logs in to the account stays: its passkeys, and its logins by providers. Missing or false: they are ' +
        'removed, because somebody else may have added one.',
    },
  ],
  AcceptInvitationRequest: [
    'A password, and perhaps a name.',
    {
      name:
        'A display name in place of the one that the invitation has. It follows the rules of `UpdateUserRequest`. Empty, null ' +
        'or missing: that one stays.',
    },
  ],
  ChangePasswordRequest: [
    'The old password, or an assertion in its place, and the new one.',
    { current_password: 'The password until now.' },
  ],
}

export const memberMeanings = { password: "The account's password." }

export const memberExamples = {
  password: 'correct horse',
  current_password: 'correct horse',
  new_password: 'battery staple',
  keep_other_logins: false,
}
