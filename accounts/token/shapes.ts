import * as v from 'valibot'
import { day } from '../../shared/base/limits/windows.ts'
import { duration, type ExamplesOf, type MeaningsOf } from '../../shared/base/shapes.ts'

/** Its answers, members in the contract's order. A function, so that bundles drop the schemas. */
export function defineAnswers() {
  const PublicKey = v.strictObject({
    kty: v.literal('RSA'),
    n: v.string(),
    e: v.string(),
    kid: v.string(),
    alg: v.literal('RS256'),
    use: v.literal('sig'),
  })
  const Token = v.strictObject({
    access_token: v.string(),
    token_type: v.literal('bearer'),
    expires_in: duration(),
    /** With a session only. */
    refresh_token: v.optional(v.string()),
    /** With a session only: until it ends if it is not refreshed. */
    refresh_expires_in: v.optional(duration()),
  })
  /** The public keys of access tokens (RFC 7517 §5). */
  const KeySet = v.strictObject({ keys: v.array(PublicKey) })
  return { replies: { Token, KeySet }, parts: { PublicKey } }
}
type Answers = ReturnType<typeof defineAnswers>
export type Token = v.InferOutput<Answers['replies']['Token']>

/** The members of every answer with an access token. */
export const tokenMembers = {
  access_token: 'A JWT (RFC 7519), for the header `Authorization: Bearer`.',
  token_type: 'How to send it (RFC 6750).',
  expires_in: 'Seconds until it expires.',
}

/** Those of a session's refresh token beside it. */
export const refreshMembers = {
  refresh_token: 'The newest refresh token. With a session only: keep it in place of the one before.',
  refresh_expires_in: 'Seconds until the session ends if it is not refreshed. With a session only.',
}

export const meanings: MeaningsOf<Answers['replies'] & Answers['parts']> = {
  Token: ['An access token.', tokenMembers, refreshMembers],
  KeySet: ['The public keys of access tokens (RFC 7517 §5).', { keys: 'The keys; a token names its own by `kid`.' }],
  PublicKey: [
    'A public key (RFC 7517 §4, RFC 7518 §6.3.1).',
    {
      kty: 'Its family.',
      n: 'The modulus, in base64url.',
      e: 'The exponent, in base64url.',
      kid: 'Its id, as in the header of tokens.',
      alg: 'The algorithm of signatures.',
      use: 'What it is for: signatures.',
    },
  ],
}

/** Its signature is none: that of a real one has 342 characters. */
export const accessTokenExample = 'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTljMmY2ZSJ9.c2lnbmF0dXJl'

/** It names its account's id, its session and its serial. */
export const refreshTokenExample =
  'ghr2.MDE5YzJmNmUtOGExMC03YzNkLTlmNGItMmU1YTZkN2M4Yjkw.oGkZr8mTq1uYw3sXc5vBnA.1.' +
  'Qm4Zc8vXn1rTk6yLp3sWb9dFh2jGa7uEo5iKxRqVtYw.B7nMz2cVx9kLq4wEr8tYu1iOp6aSd3fGh5jKlZxCvBk'

export const giveExamples = (): ExamplesOf<Answers['replies']> => ({
  Token: {
    access_token: accessTokenExample,
    token_type: 'bearer',
    expires_in: 3600,
    refresh_token: refreshTokenExample,
    refresh_expires_in: 14 * day,
  },
  KeySet: {
    keys: [
      {
        kty: 'RSA',
        n: 'u1SU1LfVLPHCozMxH2Mo',
        e: 'AQAB',
        kid: '01234567-89ab-cdef-0123-456789abcdef',
        alg: 'RS256',
        use: 'sig',
      },
    ],
  },
})
