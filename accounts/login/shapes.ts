import * as v from 'valibot'
import { Code, chosen, has, Language, Text } from '../../shared/base/shapes.ts'
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
