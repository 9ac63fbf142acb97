import * as v from 'valibot'
import { DeleteAccountRequest, UpdateUserRequest, UserCreate } from '../accounts/account/shapes.ts'
import { ConfirmEmailChangeRequest, Email } from '../accounts/address/shapes.ts'
import { AuthorizeRequest, ContinueRequest } from '../accounts/application/shapes.ts'
import { SecondFactorRequest, SecondFactorSetupRequest } from '../accounts/factor/shapes.ts'
import { DisconnectProviderRequest } from '../accounts/identity/shapes.ts'
import { PasskeyLogin, ProviderLogin, UserLogin } from '../accounts/login/shapes.ts'
import { proofPurposes } from '../accounts/passkey/challenge.ts'
import { ConfirmPasskeyRequest, PasskeySetupRequest, RemovePasskeyRequest } from '../accounts/passkey/shapes.ts'
import {
  AcceptInvitationRequest,
  ChangePasswordRequest,
  ForgotPasswordRequest,
  ResetPasswordRequest,
} from '../accounts/password/shapes.ts'
import { EndSessionRequest } from '../accounts/session/shapes.ts'
import { Label, Text } from '../shared/base/shapes.ts'

/** Bodies by name, for the route table. */
export const bodies = {
  UserCreate,
  UserLogin,
  UpdateUserRequest,
  ForgotPasswordRequest,
  ResetPasswordRequest,
  AcceptInvitationRequest,
  VerifyEmailRequest: v.object({ token: Text }),
  ChangePasswordRequest,
  DeleteAccountRequest,
  ChangeEmailRequest: v.object({ new_email: Email }),
  ConfirmEmailChangeRequest,
  UndoRequest: v.object({ token: Text }),
  /** Any text: a malformed token is one that does not work. */
  RefreshRequest: v.object({ refresh_token: Text }),
  EndSessionRequest,
  SecondFactorRequest,
  SecondFactorSetupRequest,
  ConfirmSecondFactorRequest: v.object({ code: Text }),
  PasskeyLogin,
  PasskeyProofRequest: v.object({ for: v.picklist(proofPurposes, `must be one of ${proofPurposes.join(', ')}`) }),
  PasskeySetupRequest,
  ConfirmPasskeyRequest,
  RenamePasskeyRequest: v.object({ id: Text, label: Label }),
  RemovePasskeyRequest,
  AuthorizeRequest,
  ContinueRequest,
  ProviderLogin,
  DisconnectProviderRequest,
} as const

type Bodies = typeof bodies
type Member = { [B in keyof Bodies]: keyof Bodies[B]['entries'] }[keyof Bodies]

/** What each body is, and those of its members that are something else there than in others. For the API's description: no bundle holds it. */
export const bodyMeanings: {
  readonly [B in keyof Bodies]: readonly [is: string, members?: { readonly [M in keyof Bodies[B]['entries']]?: string }]
} = {
  UserCreate: [
    'A new account.',
    {
      name: 'A display name, which may be empty; null or missing: none. It follows the rules of `UpdateUserRequest`.',
      language:
        'The language of its mails, as a tag (RFC 5646). It leads to an offered one by lookup (RFC 4647 §3.4): `de-AT` to `de`. ' +
        'One that leads to none counts as missing. Null or missing: `Accept-Language` says it, or none is chosen. Ignored ' +
        'where the service offers no languages.',
    },
  ],
  UserLogin: [
    'Who logs in.',
    {
      mail_token:
        'From the link that sets up a second factor. With the right password, where everybody needs one, the refusal then ' +
        'has a `setup_token`. Elsewhere it is ignored.',
    },
  ],
  UpdateUserRequest: [
    'What changes in the account.',
    {
      name:
        'A display name, which may be empty: Unicode text without lone surrogates and without what cannot be seen ' +
        '(`Default_Ignorable_Code_Point`, and the categories Cc, Cf, Zl and Zp), but for joiners and variation selectors ' +
        'where scripts and emoji need them; and not of blanks alone. Its length counts in code points. Null or missing: it ' +
        'stays as it is.',
      language:
        'The language of its mails, as a tag that leads to an offered one, as for `UserCreate`. Notices follow a change seven ' +
        'days later. Null or missing: it stays as it is. Ignored where the service offers no languages.',
    },
  ],
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
  VerifyEmailRequest: ['A proof of the address.'],
  ChangePasswordRequest: [
    'The old password, or an assertion in its place, and the new one.',
    { current_password: 'The password until now.' },
  ],
  DeleteAccountRequest: ['A confirmation.'],
  ChangeEmailRequest: ['Where the link is mailed to.'],
  ConfirmEmailChangeRequest: [
    'A proof of the new address, and of the account.',
    {
      token: 'From the link in the mail to the new address. It works once; a wrong password does not use it up.',
    },
  ],
  UndoRequest: ['A proof of the former address.', { token: 'From the undo link in the notice. It works once.' }],
  RefreshRequest: ['A session.', { refresh_token: 'The last one that the API has answered for the session.' }],
  EndSessionRequest: [
    'A session to end, and a confirmation.',
    {
      id: 'Its id, from the list of sessions. One that has ended is a success too. With a browser’s, the sessions end that applications got by it.',
    },
  ],
  SecondFactorRequest: ['Who changes the second factor.'],
  SecondFactorSetupRequest: ['Who sets up a second factor. With a `setup_token` that was got by a provider: nothing.'],
  ConfirmSecondFactorRequest: [
    'A proof that the app knows the secret.',
    { code: 'A code of the app: six digits, in any script. What is neither letter nor digit is ignored.' },
  ],
  PasskeyLogin: ['A passkey that logs in.'],
  PasskeyProofRequest: [
    'Where a passkey is to stand in place of password and code.',
    { for: 'The path of the endpoint after `/auth/`. The challenge works there alone.' },
  ],
  PasskeySetupRequest: ['The proof that a passkey may be added.'],
  ConfirmPasskeyRequest: [
    'A passkey that was made with the options of the setup.',
    {
      label: "The name by which people know it, by the rules of a session's label.",
    },
  ],
  RenamePasskeyRequest: [
    'Another name for a passkey.',
    { id: "The passkey's id.", label: "The name, by the rules of a session's label." },
  ],
  RemovePasskeyRequest: ['A passkey that goes, and the proof.', { id: "The passkey's id." }],
  AuthorizeRequest: [
    'Who logs in to an application: `email` and `password`; `assertion`; or what a provider confirms, as in `ProviderLogin`.',
    {
      stay: 'Whether the browser stays logged in across applications.',
    },
  ],
  ContinueRequest: [
    'What the page was opened with.',
    {
      confirmed: 'Whether the person was asked, and said yes.',
    },
  ],
  ProviderLogin: [
    'What a provider confirms (`provider`, `authorization_code` and `code_verifier`), or `provider_token`, which stands for it after a ' +
      'refusal.',
    {
      email: 'The address of the account to connect, with its password. Both or neither.',
      password:
        "The account's password. An empty one is refused (`password-required`) with the address that the provider names, as `email`, before " +
        'anything is asked of the account: a page shows both, because they may be two people at one computer.',
      language: 'That of the mails of an account that this opens, as for `UserCreate`.',
      mail_token: 'As in `UserLogin`.',
    },
  ],
  DisconnectProviderRequest: [
    'A provider that is disconnected, and the proof.',
    { id: 'The `id` of the way in, of `GET /auth/sign-in-methods`. An unknown one changes nothing.' },
  ],
}

/** What the other members are, in every body. Those that refer to a shape have that one's description. */
export const memberMeanings: Partial<Record<Member, string>> = {
  password: "The account's password.",
  code:
    'A code of the authenticator app (six digits), or a recovery code, in any case. Digits of any script and wide characters ' +
    'count as the ASCII ones; what is neither letter nor digit is ignored; white space alone counts as missing. Only an account ' +
    'with a second factor needs it; for others it is ignored.',
  token: 'From the link in the mail. It works once.',
  client_id:
    'The id of the application that sent the person: the page of the link in the mail leads back to it. Ignored if it is ' +
    'not listed.',
  request: "The page's query, as it stands in the address bar, without `?`.",
  provider: 'The id of the provider.',
  authorization_code: 'The `code` that came back from it.',
  code_verifier:
    'The code verifier (RFC 7636 §4.1) whose S256 challenge the provider was sent as `code_challenge` and as `nonce`.',
  redirect_uri: 'Where it came back to, if that is no page of ours: one that the operator has listed.',
  iss: 'The `iss` that came back, if it did (RFC 9207).',
  provider_token: 'That of the last refusal, in place of the others: it works for ten minutes, and until one success.',
}

/** It names its account's address, its session and its serial. */
export const refreshTokenExample =
  'ghr1.YWRhQGV4YW1wbGUuY29t.oGkZr8mTq1uYw3sXc5vBnA.1.' +
  'Qm4Zc8vXn1rTk6yLp3sWb9dFh2jGa7uEo5iKxRqVtYw.B7nMz2cVx9kLq4wEr8tYu1iOp6aSd3fGh5jKlZxCvBk'

/** An example of each member, which means the same in every body. For the API's description: no bundle holds them. */
export const memberExamples: Record<Member, unknown> = {
  email: 'ada@example.com',
  password: 'correct horse',
  current_password: 'correct horse',
  new_password: 'battery staple',
  new_email: 'ada@example.org',
  name: 'Ada',
  language: 'de',
  token: 'wLq0gKk1bYz6uTn3pEaJxR5dVf8hMc2sQi7oWt9ZyXU',
  session: { label: 'Phone' },
  refresh_token: refreshTokenExample,
  id: 'oGkZr8mTq1uYw3sXc5vBnA',
  code: '492039',
  request:
    'client_id=sample&redirect_uri=http%3A%2F%2F127.0.0.1%3A8000%2Fcallback&response_type=code&scope=openid&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256',
  stay: false,
  keep_other_logins: false,
  for: 'change-password',
  label: 'Phone',
  assertion: {
    id: 'oGkZr8mTq1uYw3sXc5vBnA',
    rawId: 'oGkZr8mTq1uYw3sXc5vBnA',
    response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA', userHandle: 'AA' },
  },
  credential: {
    id: 'oGkZr8mTq1uYw3sXc5vBnA',
    rawId: 'oGkZr8mTq1uYw3sXc5vBnA',
    response: { clientDataJSON: 'e30', attestationObject: 'oA', transports: ['internal'] },
  },
  provider: 'example',
  authorization_code: 'SplxlOBeZQQYbYS6WxSbIA',
  code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  redirect_uri: 'https://app.example.com/callback',
  iss: 'https://accounts.example.com',
  provider_token: 'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJhdWQiOiJnYXRlaG91c2U6cHJvdmlkZXIifQ.c2lnbmF0dXJl',
  client_id: 'sample',
  confirmed: false,
  mail_token: 'Zk3vYk1b0mS8m1qQm7C4XwKf2u0s9d8J6h5G4f3D2s1',
}
