import * as v from 'valibot'
import {
  Code,
  duration,
  type ExamplesOf,
  has,
  Label,
  moment,
  type mustBeObject,
  objectOf,
  Text,
} from '../../shared/base/shapes.ts'
import { GivenPassword } from '../password/password.ts'

/** Milliseconds that a browser waits for a gesture: the standard's lower end (WebAuthn Level 3 §15.1). */
export const gestureTime = 300_000

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
const AuthenticatorAssertion = objectOf({
  clientDataJSON: Bytes,
  authenticatorData: Bytes,
  signature: Bytes,
  userHandle: v.optional(v.nullable(Bytes), null),
})

/** The answer to a request (§5.2.2). */
export const Assertion = credentialWith(AuthenticatorAssertion)
export type Assertion = v.InferOutput<typeof Assertion>

/** Several managers break its other members: the key is read from this one. */
const AuthenticatorAttestation = objectOf({
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

export const ConfirmPasskeyRequest = v.object({ credential: NewCredential, label: Label })
export type ConfirmPasskeyRequest = v.InferOutput<typeof ConfirmPasskeyRequest>

/** The endpoints where a passkey replaces a password, by their paths after `/auth/`. */
export const proofPurposes = [
  'change-password',
  'delete-account',
  'end-session',
  'second-factor/setup',
  'second-factor/recovery-codes',
  'second-factor/remove',
  'passkeys/setup',
  'passkeys/remove',
  'disconnect-provider',
] as const
export type ProofPurpose = (typeof proofPurposes)[number]

/** Its bodies by name, for the route table. */
export const bodies = {
  PasskeyProofRequest: v.object({ for: v.picklist(proofPurposes, `must be one of ${proofPurposes.join(', ')}`) }),
  PasskeySetupRequest: proven({}, { password: GivenPassword }),
  ConfirmPasskeyRequest,
  RenamePasskeyRequest: v.object({ id: Text, label: Label }),
  RemovePasskeyRequest: proven({ id: Text }, { password: GivenPassword }),
} as const

/** Parts of bodies, by name. */
export const bodyParts = { Assertion, AuthenticatorAssertion, NewCredential, AuthenticatorAttestation } as const

/** Its answers, members in the contract's order. A function, so that bundles drop the schemas. */
export function defineAnswers() {
  const PasskeyDescriptor = v.strictObject({
    type: v.literal('public-key'),
    id: v.string(),
    transports: v.array(v.string()),
  })
  /** WebAuthn Level 3 §5.5, as `parseRequestOptionsFromJSON` takes it. Bytes are in base64url. */
  const PasskeyRequestOptions = v.strictObject({
    challenge: v.string(),
    rpId: v.string(),
    /** Milliseconds for which the browser waits for a gesture. */
    timeout: duration(),
    userVerification: v.literal('required'),
    /** Those of the account. Absent at login, where any may answer. */
    allowCredentials: v.optional(v.array(PasskeyDescriptor)),
  })
  const PasskeyDomain = v.strictObject({ id: v.string(), name: v.string() })
  const PasskeyUser = v.strictObject({ id: v.string(), name: v.string(), displayName: v.string() })
  const PasskeyAlgorithm = v.strictObject({ type: v.literal('public-key'), alg: v.pipe(v.number(), v.integer()) })
  const PasskeySelection = v.strictObject({
    residentKey: v.literal('required'),
    requireResidentKey: v.literal(true),
    userVerification: v.literal('required'),
  })
  /** WebAuthn Level 3 §5.4, as `parseCreationOptionsFromJSON` takes it. Bytes are in base64url. */
  const PasskeyCreationOptions = v.strictObject({
    rp: PasskeyDomain,
    user: PasskeyUser,
    challenge: v.string(),
    pubKeyCredParams: v.array(PasskeyAlgorithm),
    timeout: duration(),
    excludeCredentials: v.array(PasskeyDescriptor),
    authenticatorSelection: PasskeySelection,
    attestation: v.literal('none'),
  })
  const Passkey = v.strictObject({
    /** The credential's id, in base64url. */
    id: v.string(),
    label: v.string(),
    created_at: moment(),
    /** The day, at midnight in UTC; null before the first time. */
    last_used_at: v.nullable(moment()),
    /** Whether its manager keeps it on other devices too. */
    is_synced: v.boolean(),
  })
  const PasskeyList = v.strictObject({
    /** The domain that passkeys are bound to; null while there are none here. */
    rp_id: v.nullable(v.string()),
    /** What authenticators know the account by, in base64url; null before the first setup. */
    user_handle: v.nullable(v.string()),
    passkeys: v.array(Passkey),
  })
  return {
    replies: { PasskeyRequestOptions, PasskeyCreationOptions, Passkey, PasskeyList },
    parts: { PasskeyDescriptor, PasskeyDomain, PasskeyUser, PasskeyAlgorithm, PasskeySelection },
  }
}
export type Answers = ReturnType<typeof defineAnswers>
export type PasskeyRequestOptions = v.InferOutput<Answers['replies']['PasskeyRequestOptions']>
export type PasskeyCreationOptions = v.InferOutput<Answers['replies']['PasskeyCreationOptions']>
export type Passkey = v.InferOutput<Answers['replies']['Passkey']>
export type PasskeyList = v.InferOutput<Answers['replies']['PasskeyList']>

export const memberExamples = {
  for: 'change-password',
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
}

const handleExample = '5vBnAwLq0gKk1bYz6uTn3pEaJxR5dVf8hMc2sQi7oWt9ZyXUoGkZr8mTq1uYw3sXcQm4Zc8vXn1rTk6yLp3sWb'
const challengeExample = 'wLq0gKk1bYz6uTn3pEaJxR5dVf8hMc2sQi7oWt9ZyXU'
const passkeyExample: Passkey = {
  id: 'oGkZr8mTq1uYw3sXc5vBnA',
  label: 'Phone',
  created_at: '2026-03-01T12:00:00.000Z',
  last_used_at: '2026-03-02T00:00:00.000Z',
  is_synced: true,
}

export const giveExamples = (): ExamplesOf<Answers['replies']> => ({
  PasskeyRequestOptions: {
    challenge: challengeExample,
    rpId: 'example.com',
    timeout: gestureTime,
    userVerification: 'required',
  },
  PasskeyCreationOptions: {
    rp: { id: 'example.com', name: 'Gatehouse' },
    user: { id: handleExample, name: 'ada@example.com', displayName: 'Ada' },
    challenge: challengeExample,
    pubKeyCredParams: [
      { type: 'public-key', alg: -7 },
      { type: 'public-key', alg: -8 },
      { type: 'public-key', alg: -257 },
    ],
    timeout: gestureTime,
    excludeCredentials: [],
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  },
  Passkey: passkeyExample,
  PasskeyList: { rp_id: 'example.com', user_handle: handleExample, passkeys: [passkeyExample] },
})
