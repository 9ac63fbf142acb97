import * as v from 'valibot'
import { Code, has, Label, type mustBeObject, objectOf, Text } from '../../shared/base/shapes.ts'
import { GivenPassword } from '../password/password.ts'

/**
 * What an authenticator answers with, as browsers write it in JSON (WebAuthn Level 3 §5.1, `PublicKeyCredential.toJSON`).
 * Members that are not read are ignored: each library adds its own.
 */

/** Bytes in base64url without padding (RFC 4648 §5), in their canonical spelling: no spare bits. */
const Bytes = v.pipe(
  Text,
  v.regex(
    /^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?$/,
    'must be base64url without padding',
  ),
)

/** @param response what its kind of answer has */
const credentialWith = <E extends v.ObjectEntries>(response: v.ObjectSchema<E, typeof mustBeObject>) =>
  v.pipe(
    objectOf({ id: Bytes, rawId: Bytes, response }),
    // `rawId` repeats `id`.
    v.forward(
      v.check(({ id, rawId }) => id === rawId, 'must be the same as id'),
      ['rawId'],
    ),
  )

/** Android's library leaves `userHandle` out, others write null. */
export const AuthenticatorAssertion = objectOf({
  clientDataJSON: Bytes,
  authenticatorData: Bytes,
  signature: Bytes,
  userHandle: v.optional(v.nullable(Bytes), null),
})

/** The answer to a request (§5.2.2). */
export const Assertion = credentialWith(AuthenticatorAssertion)
export type Assertion = v.InferOutput<typeof Assertion>

/** Several managers break its other members: the key is read from this one. */
export const AuthenticatorAttestation = objectOf({
  clientDataJSON: Bytes,
  attestationObject: Bytes,
  transports: v.optional(v.nullable(v.array(Text, 'must be an array')), null),
})

/** The answer to a registration (§5.2.1). */
export const NewCredential = credentialWith(AuthenticatorAttestation)
export type NewCredential = v.InferOutput<typeof NewCredential>

/** Whether an assertion is there. Clients that were generated from a description without its type write null for none. */
export const isAsserted = (value: unknown): boolean =>
  has(value, 'assertion') && (value as { assertion: unknown }).assertion !== null

const notBeside = 'must not be there beside assertion'

/**
 * A body with a proof of who sends it: what people type, and a code if their account has a second factor; or an assertion of a
 * passkey in place of both.
 *
 * @param typed what people type, by member
 */
export function proven<E extends v.ObjectEntries, T extends v.ObjectEntries>(entries: E, typed: T) {
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

export const PasskeySetupRequest = proven({}, { password: GivenPassword })

export const ConfirmPasskeyRequest = v.object({ credential: NewCredential, label: Label })
export type ConfirmPasskeyRequest = v.InferOutput<typeof ConfirmPasskeyRequest>

export const RemovePasskeyRequest = proven({ id: Text }, { password: GivenPassword })
export type RemovePasskeyRequest = v.InferOutput<typeof RemovePasskeyRequest>
