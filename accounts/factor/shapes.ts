import * as v from 'valibot'
import { chosen, type ExamplesOf, has, type MeaningsOf, Text } from '../../shared/base/shapes.ts'
import { isAsserted, proven } from '../passkey/shapes.ts'
import { GivenPassword } from '../password/password.ts'
import * as token from '../token/shapes.ts'

const SecondFactorRequest = proven({}, { password: GivenPassword })

/** A proof of the owner of an account who is logged in. */
export type Proof = v.InferOutput<typeof SecondFactorRequest>

/** Whoever has come by a provider where everybody needs a second factor sends nothing: there may be no password. */
export const SecondFactorSetupRequest = chosen<
  Proof | { [M in keyof Proof]?: undefined },
  typeof SecondFactorRequest.entries
>(SecondFactorRequest.entries, value =>
  isAsserted(value) || has(value, 'password') || has(value, 'code') ? SecondFactorRequest : v.object({}),
)
export type SecondFactorSetupRequest = v.InferOutput<typeof SecondFactorSetupRequest>

/** Its bodies by name, for the route table. */
export const bodies = {
  SecondFactorRequest,
  SecondFactorSetupRequest,
  ConfirmSecondFactorRequest: v.object({ code: Text }),
} as const

/** Its answers, members in the contract's order. A function, so that bundles drop the schemas. */
export function defineAnswers() {
  const SecondFactor = v.strictObject({
    /** How it can be shown: `code`, `recovery`. None without a second factor. */
    methods: v.array(v.string()),
    recovery_codes_left: v.pipe(v.number(), v.integer(), v.minValue(0)),
  })
  const SecondFactorSetup = v.strictObject({
    /** In base32 (RFC 4648 §6), for people who type it. */
    secret: v.string(),
    /** For the app, as a QR code. */
    uri: v.string(),
  })
  const RecoveryCodes = v.strictObject({ recovery_codes: v.array(v.string()) })
  const { Token } = token.defineAnswers().replies
  const SecondFactorConfirmation = v.strictObject({ ...Token.entries, ...RecoveryCodes.entries })
  return { replies: { SecondFactor, SecondFactorSetup, SecondFactorConfirmation, RecoveryCodes } }
}
type Replies = ReturnType<typeof defineAnswers>['replies']
export type SecondFactor = v.InferOutput<Replies['SecondFactor']>
export type RecoveryCodes = v.InferOutput<Replies['RecoveryCodes']>

const recoveryMembers = {
  recovery_codes:
    'Each works once in place of a code of the app. No other answer shows them, and those before are void.',
}

export const meanings: MeaningsOf<typeof bodies & Replies> = {
  SecondFactorRequest: ['Who changes the second factor.'],
  SecondFactorSetupRequest: ['Who sets up a second factor. With a `setup_token` that was got by a provider: nothing.'],
  ConfirmSecondFactorRequest: [
    'A proof that the app knows the secret.',
    { code: 'A code of the app: six digits, in any script. What is neither letter nor digit is ignored.' },
  ],
  SecondFactor: [
    'The second factor of an account.',
    {
      methods:
        'How it can be shown: `code`, of the app, and `recovery`, while recovery codes are left. None without a second factor.',
      recovery_codes_left: 'How many recovery codes were not used.',
    },
  ],
  SecondFactorSetup: [
    'A secret that waits to be confirmed. No other answer shows it.',
    {
      secret: 'The secret in base32 (RFC 4648 §6), for people who type it into their app.',
      uri: 'The same for a QR code, which the app reads: an address with the scheme `otpauth`.',
    },
  ],
  SecondFactorConfirmation: [
    'An access token, and the first recovery codes.',
    token.tokenMembers,
    token.refreshMembers,
    recoveryMembers,
  ],
  RecoveryCodes: ['Recovery codes.', recoveryMembers],
}

/** Two of the ten. */
const recoveryCodesExample: RecoveryCodes = {
  recovery_codes: ['MFRG-GZDF-MZTW-Q2LK-NNWG-23TP', 'OBYX-E43U-OV3H-O6DZ-PJTG-C3LQ'],
}

export const giveExamples = (): ExamplesOf<Replies> => ({
  SecondFactor: { methods: ['code', 'recovery'], recovery_codes_left: 10 },
  SecondFactorSetup: {
    secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    uri: 'otpauth://totp/Gatehouse:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Gatehouse',
  },
  SecondFactorConfirmation: { ...token.giveExamples().Token, ...recoveryCodesExample },
  RecoveryCodes: recoveryCodesExample,
})
