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

const credential = { id: Bytes, rawId: Bytes }

const notSame = 'must be the same as id'

/** An object: to valibot an array is one too. */
const Thing = v.pipe(
  v.unknown(),
  v.check(value => !Array.isArray(value), 'must be an object'),
)

/** The answer to a request (§5.2.2). Android's library leaves `userHandle` out, others write null. */
export const Assertion = v.pipe(
  Thing,
  v.object(
    {
      ...credential,
      response: v.pipe(
        Thing,
        v.object(
          {
            clientDataJSON: Bytes,
            authenticatorData: Bytes,
            signature: Bytes,
            userHandle: v.optional(v.nullable(Bytes), null),
          },
          'must be an object',
        ),
      ),
    },
    'must be an object',
  ),
  // `rawId` repeats `id`.
  v.forward(
    v.check(({ id, rawId }) => id === rawId, notSame),
    ['rawId'],
  ),
)
export type Assertion = v.InferOutput<typeof Assertion>

/** The answer to a registration (§5.2.1). Several managers break its other members: the key is read from this one. */
export const NewCredential = v.pipe(
  Thing,
  v.object(
    {
      ...credential,
      response: v.pipe(
        Thing,
        v.object(
          {
            clientDataJSON: Bytes,
            attestationObject: Bytes,
            transports: v.optional(v.nullable(v.array(Text, 'must be an array')), null),
          },
          'must be an object',
        ),
      ),
    },
    'must be an object',
  ),
  // `rawId` repeats `id`.
  v.forward(
    v.check(({ id, rawId }) => id === rawId, notSame),
    ['rawId'],
  ),
)
export type NewCredential = v.InferOutput<typeof NewCredential>
