import * as v from 'valibot'

/**
 * What an authenticator answers with, as browsers write it in JSON (WebAuthn Level 3 §5.1, `PublicKeyCredential.toJSON`).
 * Members that are not read are ignored: each library adds its own.
 */

const Text = v.string('must be a string')

/** Bytes in base64url without padding (RFC 4648 §5), in their canonical spelling: no spare bits. */
const Bytes = v.pipe(
  Text,
  v.regex(
    /^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?$/,
    'must be base64url without padding',
  ),
)

const mustBeObject = 'must be an object'
const noObject = v.never(mustBeObject)

/** An object that is no array: to valibot an array is one too. */
export function objectOf<E extends v.ObjectEntries>(entries: E) {
  const schema = v.object(entries, mustBeObject)
  return {
    ...schema,
    '~run': (dataset, config) => (Array.isArray(dataset.value) ? noObject : schema)['~run'](dataset, config),
  } as typeof schema
}

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
