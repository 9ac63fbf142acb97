import * as v from 'valibot'

/**
 * What an authenticator answers with, as browsers write it in JSON (WebAuthn Level 3 §5.1, `PublicKeyCredential.toJSON`).
 * Members that are not read are ignored: each library adds its own.
 */

const Text = v.string('must be a string')

/** Bytes in base64url without padding (RFC 4648 §5), in their canonical spelling: no spare bits. */
const Bytes = v.pipe(
  Text,
  v.check(text => Buffer.from(text, 'base64url').toString('base64url') === text, 'must be base64url without padding'),
)

/** An object: to valibot an array is one too. */
const Thing = v.pipe(
  v.unknown(),
  v.check(value => !Array.isArray(value), 'must be an object'),
)

/** @param response what its kind of answer has */
const credentialWith = <E extends v.ObjectEntries>(response: E) =>
  v.pipe(
    Thing,
    v.object(
      { id: Bytes, rawId: Bytes, response: v.pipe(Thing, v.object(response, 'must be an object')) },
      'must be an object',
    ),
    // `rawId` repeats `id`.
    v.forward(
      v.check(({ id, rawId }) => id === rawId, 'must be the same as id'),
      ['rawId'],
    ),
  )

/** The answer to a request (§5.2.2). Android's library leaves `userHandle` out, others write null. */
export const Assertion = credentialWith({
  clientDataJSON: Bytes,
  authenticatorData: Bytes,
  signature: Bytes,
  userHandle: v.optional(v.nullable(Bytes), null),
})
export type Assertion = v.InferOutput<typeof Assertion>

/** The answer to a registration (§5.2.1). Several managers break its other members: the key is read from this one. */
export const NewCredential = credentialWith({
  clientDataJSON: Bytes,
  attestationObject: Bytes,
  transports: v.optional(v.nullable(v.array(Text, 'must be an array')), null),
})
export type NewCredential = v.InferOutput<typeof NewCredential>
