import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import * as v from 'valibot'
import { readAssertion, verifyAssertion } from '../../../../accounts/passkey/assertion.ts'
import { readRegistration, verifyRegistration } from '../../../../accounts/passkey/attestation.ts'
import { Assertion, NewCredential } from '../../../../accounts/passkey/shapes.ts'
import { WrongPasskey } from '../../../../accounts/passkey/wrong-passkey.ts'

/** Our verdict on an answer as it arrives, and that of @simplewebauthn/server. Neither checks the challenge here. */

export const party = { rpId: 'localhost', origins: ['https://app.localhost', 'http://localhost:3000'] }

/** As the answer arrives. */
const sent = (json: unknown): unknown => JSON.parse(JSON.stringify(json))

/** @returns the fault, or the result. Any error but a `WrongPasskey` fails the test */
function verdictOf<T>(check: () => T): T | string {
  try {
    return check()
  } catch (error) {
    if (error instanceof WrongPasskey) return error.reason
    throw error
  }
}

export const ourAssertion = (json: unknown, stored: Parameters<typeof verifyAssertion>[1], at = party) =>
  verdictOf(() => verifyAssertion(readAssertion(v.parse(Assertion, sent(json))), stored, at))

export const ourRegistration = (json: unknown, at = party) =>
  verdictOf(() => verifyRegistration(readRegistration(v.parse(NewCredential, sent(json))), at))

const opinionOf = (verifying: Promise<{ verified: boolean }>): Promise<'taken' | 'refused'> =>
  verifying.then(
    ({ verified }) => (verified ? 'taken' : 'refused'),
    () => 'refused',
  )

/** @param publicKey COSE */
export const theirAssertion = (json: { id: string }, publicKey: Uint8Array, counter: number, at = party) =>
  opinionOf(
    verifyAuthenticationResponse({
      response: sent(json) as AuthenticationResponseJSON,
      expectedChallenge: () => true,
      expectedOrigin: at.origins,
      expectedRPID: at.rpId,
      credential: { id: json.id, publicKey: new Uint8Array(publicKey), counter },
    }),
  )

export const theirRegistration = (json: unknown, at = party) =>
  opinionOf(
    verifyRegistrationResponse({
      response: sent(json) as RegistrationResponseJSON,
      expectedChallenge: () => true,
      expectedOrigin: at.origins,
      expectedRPID: at.rpId,
      supportedAlgorithmIDs: [-7, -8, -257],
    }),
  )
