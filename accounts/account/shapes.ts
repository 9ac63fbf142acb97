import * as v from 'valibot'
import { hasHidden, isBlank } from '../../shared/base/hidden-characters.ts'
import { canonicalEmail } from '../address/address.ts'
import { absent, entriesFor, has, type ProviderProof, proofEntries, proofMembers } from '../identity/shapes.ts'
import { Assertion, NewCredential, objectOf } from '../passkey/shapes.ts'
import { countCodePoints, GivenPassword, NewPassword, type Password } from '../password/password.ts'

/**
 * Request bodies. A schema and its type, where code needs one, share a name. Members that a schema does not name are
 * ignored.
 */

/** In code points. Long enough for any display name. */
export const maxNameLength = 200

export const Text = v.string('must be a string')

/** An address in its canonical form (see `email.ts`). */
export const Email = v.pipe(
  Text,
  v.transform(canonicalEmail),
  v.string('must be an e-mail address, such as ada@example.com'),
)

/** C0, DEL and C1 controls break mail headers, terminals and logs. */
const controlCharacter = /\p{Cc}/u

/** The hidden characters that were refused before 0.3.0. */
const formerlyRefused = /[\u200b\u2028-\u202e\u2066-\u2069\ufeff]/u

const textWithout = (isRefused: (text: string) => boolean, maxLength: number) =>
  v.pipe(
    Text,
    v.check(text => text.isWellFormed(), 'must be valid Unicode text'),
    v.check(text => !controlCharacter.test(text), 'must not contain control characters'),
    v.check(
      // A control character has its own sentence.
      text => controlCharacter.test(text) || !isRefused(text),
      'must not contain invisible characters, line separators or direction controls',
    ),
    v.check(text => countCodePoints(text) <= maxLength, `must be at most ${maxLength} characters`),
  )

const nameOf = (maxLength: number) =>
  v.pipe(
    textWithout(hasHidden, maxLength),
    v.check(text => !isBlank(text), 'must not be of blanks alone'),
  )

export const Name = nameOf(maxNameLength)

/** A name that an account may have from before. */
export const FormerName = textWithout(text => formerlyRefused.test(text), maxNameLength)

/** A tag, in which RFC 5646 §4.4.1 asks for room for 35 characters. It may be of a language that is not offered. */
export const Language = v.pipe(
  Text,
  v.regex(/^[A-Za-z0-9-]{1,35}$/, 'must be a language tag, such as de: at most 35 letters, digits and hyphens'),
)

/** The application that sent the person. One that is not listed is ignored. */
const ClientId = v.optional(Text)

/** In code points. Enough for the name of a device; ten of them still fit on an account's item. */
export const maxLabelLength = 60

/** The name of a session or a passkey. */
export const Label = nameOf(maxLabelLength)

/** A label that a passkey may have from before. */
export const FormerLabel = textWithout(text => formerlyRefused.test(text), maxLabelLength)

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

export const SessionRequest = objectOf({ label: v.optional(v.nullable(Label), null) })

/** A code of an authenticator app, or a recovery code. Another text is a wrong code. Accounts without a factor ignore it. */
const Code = v.optional(Text)

export const UserLogin = v.object({
  email: Email,
  password: GivenPassword,
  session: v.optional(SessionRequest),
  code: Code,
  mail_token: v.optional(Text),
})
export type UserLogin = v.InferOutput<typeof UserLogin>

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

/** Whether an assertion is there. Clients that were generated from a description without its type write null for none. */
const isAsserted = (value: unknown): boolean =>
  has(value, 'assertion') && (value as { assertion: unknown }).assertion !== null

const notBeside = 'must not be there beside assertion'

/**
 * A body with a proof of who sends it: what people type, and a code if their account has a second factor; or an assertion of a
 * passkey in place of both.
 *
 * @param typed what people type, by member
 */
function proven<E extends v.ObjectEntries, T extends v.ObjectEntries>(entries: E, typed: T) {
  const byPassword = v.object({ ...entries, ...typed, code: Code })
  const none = v.optional(v.undefined(notBeside))
  const nothing = Object.fromEntries([...Object.keys(typed), 'code'].map(name => [name, none]))
  const byPasskey = v.object({ ...entries, ...nothing, assertion: Assertion })
  // What descriptions of the body are written from. A choice of two schemas would not say which member is wrong.
  const either = v.object({
    ...entries,
    ...v.partial(v.object(typed)).entries,
    code: Code,
    assertion: v.optional(Assertion),
  })
  type Both = v.InferOutput<v.ObjectSchema<E, undefined>>
  type Typed = v.InferOutput<v.ObjectSchema<T, undefined>> & { code?: string | undefined; assertion?: undefined }
  type Asserted = { [M in keyof T | 'code']?: undefined } & { assertion: Assertion }
  return {
    ...either,
    '~run'(dataset, config) {
      return (isAsserted(dataset.value) ? byPasskey : byPassword)['~run'](dataset, config)
    },
  } as v.BaseSchema<unknown, Both & (Typed | Asserted), v.BaseIssue<unknown>> & Pick<typeof either, 'entries'>
}

/** A body that a schema checks which its members choose. @param entries what descriptions of the body are written from */
function chosen<T, E extends v.ObjectEntries>(entries: E, choose: (value: unknown) => v.GenericSchema) {
  const either: v.GenericSchema & { entries: E } = v.object(entries)
  return {
    ...either,
    '~run': (dataset, config) => choose(dataset.value)['~run'](dataset, config),
  } as v.BaseSchema<unknown, T, v.BaseIssue<unknown>> & { entries: E }
}

/** A proof of the owner of an account who is logged in. */
export type Proof = v.InferOutput<typeof SecondFactorRequest>

export const ChangePasswordRequest = proven({ new_password: NewPassword }, { current_password: GivenPassword })
export type ChangePasswordRequest = v.InferOutput<typeof ChangePasswordRequest>

export const DeleteAccountRequest = proven({}, { password: GivenPassword })
export type DeleteAccountRequest = v.InferOutput<typeof DeleteAccountRequest>

/** Nobody is logged in there: a passkey does not do. */
export const ConfirmEmailChangeRequest = v.object({ token: Text, password: GivenPassword, code: Code })
export type ConfirmEmailChangeRequest = v.InferOutput<typeof ConfirmEmailChangeRequest>

export const EndSessionRequest = proven({ id: Text }, { password: GivenPassword })
export type EndSessionRequest = v.InferOutput<typeof EndSessionRequest>

export const SecondFactorRequest = proven({}, { password: GivenPassword })
export type SecondFactorRequest = v.InferOutput<typeof SecondFactorRequest>

/** Whoever has come by a provider where everybody needs a second factor sends nothing: there may be no password. */
export const SecondFactorSetupRequest = chosen<
  SecondFactorRequest | { [M in keyof SecondFactorRequest]?: undefined },
  typeof SecondFactorRequest.entries
>(SecondFactorRequest.entries, value =>
  isAsserted(value) || has(value, 'password') || has(value, 'code') ? SecondFactorRequest : v.object({}),
)
export type SecondFactorSetupRequest = v.InferOutput<typeof SecondFactorSetupRequest>

export const PasskeySetupRequest = proven({}, { password: GivenPassword })

export const PasskeyLogin = v.object({ assertion: Assertion, session: v.optional(SessionRequest) })
export type PasskeyLogin = v.InferOutput<typeof PasskeyLogin>

export const ConfirmPasskeyRequest = v.object({ credential: NewCredential, label: Label })
export type ConfirmPasskeyRequest = v.InferOutput<typeof ConfirmPasskeyRequest>

export const RemovePasskeyRequest = proven({ id: Text }, { password: GivenPassword })
export type RemovePasskeyRequest = v.InferOutput<typeof RemovePasskeyRequest>

/** In code points. Longer addresses no browser sends. */
export const maxPageQuery = 8000

/** A query as it stands in the address bar, without `?`. */
export const PageQuery = v.pipe(
  Text,
  v.check(text => countCodePoints(text) <= maxPageQuery, `must be at most ${maxPageQuery} characters`),
)
const Confirmed = v.optional(v.boolean('must be true or false'), false)

const authorized = { request: PageQuery, stay: v.optional(v.boolean('must be true or false'), false) }
const byOwner = proven(authorized, { email: Email, password: GivenPassword })

/** Address and password beside a provider's proof: both, or neither. */
interface Connecting {
  email?: string | undefined
  password?: Password | undefined
  code?: string | undefined
}

const connectingEntries = (value: unknown): v.ObjectEntries =>
  has(value, 'email') || has(value, 'password') ? { email: Email, password: GivenPassword, code: Code } : { code: Code }

/** What the owner types, an assertion, or what a provider has confirmed, beside which people may type. */
export const AuthorizeRequest = chosen<
  | (v.InferOutput<typeof byOwner> & { [M in keyof typeof proofEntries]?: undefined })
  | (v.InferOutput<v.ObjectSchema<typeof authorized, undefined>> &
      ProviderProof &
      Connecting & { assertion?: undefined }),
  typeof byOwner.entries & typeof proofEntries
>({ ...byOwner.entries, ...proofEntries }, value => {
  const isByProvider = proofMembers.some(name => has(value, name))
  if (!isByProvider) return byOwner
  if (!isAsserted(value)) return v.object({ ...authorized, ...entriesFor(value), ...connectingEntries(value) })
  const typed = absent(['email', 'password', 'code'], 'assertion')
  return v.object({ ...authorized, ...typed, assertion: Assertion, ...absent(proofMembers, 'assertion') })
})
export type AuthorizeRequest = v.InferOutput<typeof AuthorizeRequest>

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

export const DisconnectProviderRequest = proven({ id: Text }, { password: GivenPassword })
export type DisconnectProviderRequest = v.InferOutput<typeof DisconnectProviderRequest>

export const ContinueRequest = v.object({ request: PageQuery, confirmed: Confirmed })
export type ContinueRequest = v.InferOutput<typeof ContinueRequest>
