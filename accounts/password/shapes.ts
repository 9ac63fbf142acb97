import * as v from 'valibot'
import { ClientId, type ExamplesOf, type MeaningsOf, Text } from '../../shared/base/shapes.ts'
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

/** The token may be any text, likewise. */
const ResetLoginsRequest = v.object({ token: Text })

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
  ResetLoginsRequest,
  AcceptInvitationRequest,
  ChangePasswordRequest,
} as const

/** Its answer, members in the contract's order. A function, so that bundles drop the schemas. */
export function defineAnswers() {
  const ResetLogin = v.strictObject({
    kind: v.picklist(['passkey', 'provider', 'app']),
    /** What its owner knows it by. */
    label: v.string(),
    /** In UTC, as `YYYY-MM-DD`. */
    day: v.pipe(v.string(), v.isoDate()),
  })
  const ResetLogins = v.strictObject({ logins: v.array(ResetLogin) })
  return { replies: { ResetLogins }, parts: { ResetLogin } }
}
type Answers = ReturnType<typeof defineAnswers>
export type ResetLogin = v.InferOutput<Answers['parts']['ResetLogin']>

export const meanings: MeaningsOf<typeof bodies & Answers['replies'] & Answers['parts']> = {
  ForgotPasswordRequest: ['Whom the link is mailed to.'],
  ResetPasswordRequest: [
    'A new password.',
    {
      keep_other_logins:
        'Whether what else logs in to the account stays: its passkeys, and its logins by providers. Missing or false: they are ' +
        'removed, because somebody else may have added one.',
    },
  ],
  ResetLoginsRequest: ["A reset link's token, which stays as it is."],
  ResetLogins: [
    'What else logs in to an account, as the mail with the link lists it.',
    { logins: 'Without passkeys that a reset leaves in any case. Empty: there is nothing to ask.' },
  ],
  ResetLogin: [
    'A way to log in beside the password.',
    {
      kind: '`app`: an authenticator app, while the link in the mail about it works.',
      label: "A passkey's label; of a provider its name and the address there, if any: `Example, ada@example.com`.",
      day: 'When it was added, connected or set up, in UTC: `YYYY-MM-DD`.',
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

export const giveExamples = (): ExamplesOf<Answers['replies']> => ({
  ResetLogins: {
    logins: [
      { kind: 'provider', label: 'Example, ada@example.com', day: '2026-03-01' },
      { kind: 'passkey', label: 'My phone', day: '2026-03-01' },
      { kind: 'app', label: 'Authenticator app', day: '2026-03-01' },
    ],
  },
})
