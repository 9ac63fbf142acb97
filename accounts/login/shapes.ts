import * as v from 'valibot'
import { Code, chosen, has, Language, type MeaningsOf, Text } from '../../shared/base/shapes.ts'
import { Email } from '../address/shapes.ts'
import { entriesFor, type ProviderProof, proofEntries } from '../identity/shapes.ts'
import { Assertion } from '../passkey/shapes.ts'
import { GivenPassword, type Password } from '../password/password.ts'
import { SessionRequest } from '../session/shapes.ts'

export const UserLogin = v.object({
  email: Email,
  password: GivenPassword,
  session: v.optional(SessionRequest),
  code: Code,
  mail_token: v.optional(Text),
})
export type UserLogin = v.InferOutput<typeof UserLogin>

export const PasskeyLogin = v.object({ assertion: Assertion, session: v.optional(SessionRequest) })
export type PasskeyLogin = v.InferOutput<typeof PasskeyLogin>

/** Address and password beside a provider's proof: both, or neither. */
export interface Connecting {
  email?: string | undefined
  password?: Password | undefined
  code?: string | undefined
}

export const connectingEntries = (value: unknown): v.ObjectEntries =>
  has(value, 'email') || has(value, 'password') ? { email: Email, password: GivenPassword, code: Code } : { code: Code }

const loggingIn = {
  /** Of an account that it opens. */
  language: v.optional(v.nullable(Language), null),
  mail_token: v.optional(Text),
  session: v.optional(SessionRequest),
}

export const ProviderLogin = chosen<
  v.InferOutput<v.ObjectSchema<typeof loggingIn, undefined>> & ProviderProof & Connecting,
  typeof proofEntries & typeof loggingIn & Record<'email' | 'password' | 'code', typeof Code>
>({ ...proofEntries, email: v.optional(Email), password: Code, code: Code, ...loggingIn } as never, value =>
  v.object({ ...entriesFor(value), ...connectingEntries(value), ...loggingIn }),
)
export type ProviderLogin = v.InferOutput<typeof ProviderLogin>

/** Its bodies by name, for the route table. */
export const bodies = { UserLogin, PasskeyLogin, ProviderLogin } as const

export const meanings: MeaningsOf<typeof bodies> = {
  UserLogin: [
    'Who logs in.',
    {
      mail_token:
        'From the link that sets up a second factor. With the right password, where everybody needs one, the refusal then ' +
        'has a `setup_token`. Elsewhere it is ignored.',
    },
  ],
  PasskeyLogin: ['A passkey that logs in.'],
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
}

export const memberExamples = { mail_token: 'Zk3vYk1b0mS8m1qQm7C4XwKf2u0s9d8J6h5G4f3D2s1' }
