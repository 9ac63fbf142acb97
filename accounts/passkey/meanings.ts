import type { MeaningsOf } from '../../shared/base/shapes.ts'
import type { Answers, bodies, bodyParts } from './shapes.ts'

const credential = { id: "The passkey's id, in base64url without padding.", rawId: 'The same as `id`.' }

/** What the shapes of passkeys are, and their members. */
export const meanings: MeaningsOf<typeof bodies & typeof bodyParts & Answers['replies'] & Answers['parts']> = {
  PasskeyProofRequest: [
    'Where a passkey is to stand in place of password and code.',
    { for: 'The path of the endpoint after `/auth/`. The challenge works there alone.' },
  ],
  PasskeySetupRequest: ['The proof that a passkey may be added.'],
  ConfirmPasskeyRequest: [
    'A passkey that was made with the options of the setup.',
    {
      label: "The name by which people know it, by the rules of a session's label.",
    },
  ],
  RenamePasskeyRequest: [
    'Another name for a passkey.',
    { id: "The passkey's id.", label: "The name, by the rules of a session's label." },
  ],
  RemovePasskeyRequest: ['A passkey that goes, and the proof.', { id: "The passkey's id." }],
  Assertion: [
    'What a passkey answered, as JSON (WebAuthn Level 3 §5.1). To log in, it signed a challenge of `/auth/passkeys/login-options`. ' +
      'Elsewhere it stands in the place of password and code, none of which may be beside it, and signed a challenge of ' +
      '`/auth/passkeys/proof-options`.',
    credential,
  ],
  AuthenticatorAssertion: [
    'What a passkey signed (WebAuthn Level 3 §5.2.2).',
    {
      clientDataJSON: 'What the browser says, in base64url without padding.',
      authenticatorData: 'What the authenticator says, in base64url without padding.',
      signature: 'The signature of both, in base64url without padding.',
      userHandle: 'The handle of the account, in base64url without padding. It must be there to log in.',
    },
  ],
  NewCredential: ['A passkey that was made, as JSON (WebAuthn Level 3 §5.1).', credential],
  AuthenticatorAttestation: [
    'What the authenticator made (WebAuthn Level 3 §5.2.1).',
    {
      clientDataJSON: 'What the browser says, in base64url without padding.',
      attestationObject: 'The key, and what the authenticator says of it, in base64url without padding.',
      transports: 'How the authenticator can be reached.',
    },
  ],
  PasskeyRequestOptions: [
    'What a browser asks for a passkey with: `PublicKeyCredential.parseRequestOptionsFromJSON` takes it as it is.',
    {
      challenge: 'What the passkey signs, in base64url. It works once, within ten minutes.',
      rpId: 'The domain that passkeys are bound to.',
      timeout: 'Milliseconds for which the browser waits.',
      userVerification: 'The authenticator must know its owner by PIN, finger or face.',
      allowCredentials: 'The passkeys of the account. Absent at login, where any may answer.',
    },
  ],
  PasskeyCreationOptions: [
    'What a browser makes a passkey with: `PublicKeyCredential.parseCreationOptionsFromJSON` takes it as it is.',
    {
      rp: 'The domain that the passkey is bound to, and the name that the browser shows.',
      user: 'The handle that authenticators know the account by, and what they show of it.',
      challenge: 'What goes into the answer, in base64url. It works once, within ten minutes.',
      pubKeyCredParams: 'The algorithms that are taken (COSE): ES256, EdDSA, RS256.',
      timeout: 'Milliseconds for which the browser waits.',
      excludeCredentials: 'The passkeys that are there: their authenticators make no second one.',
      authenticatorSelection: 'The passkey must be found without an address, and know its owner.',
      attestation: 'Nothing is asked about the make of the authenticator.',
    },
  ],
  Passkey: [
    'A passkey of an account.',
    {
      id: "The credential's id, in base64url.",
      label: 'The name by which people know it.',
      created_at: 'When it was added.',
      last_used_at: 'The day on which it was last used, at midnight in UTC; null before the first time.',
      is_synced: 'Whether its manager keeps it on other devices too.',
    },
  ],
  PasskeyList: [
    'The passkeys of an account, the oldest first.',
    {
      rp_id: 'The domain that passkeys are bound to; null while there are none here.',
      user_handle: 'What authenticators know the account by, in base64url; null before the first setup.',
      passkeys: 'At most ten.',
    },
  ],
  PasskeyDescriptor: [
    'A passkey, as browsers name it (WebAuthn Level 3 §5.8.3).',
    {
      type: 'Always `public-key`.',
      id: "The credential's id, in base64url.",
      transports: 'How a browser reaches its authenticator: words of the standard.',
    },
  ],
  PasskeyDomain: [
    'Whom a passkey is for (WebAuthn Level 3 §5.4.2).',
    { id: 'The domain that it is bound to.', name: 'What the browser shows.' },
  ],
  PasskeyUser: [
    'Whose a passkey is (WebAuthn Level 3 §5.4.3).',
    {
      id: 'The handle that authenticators know the account by: 64 random bytes in base64url.',
      name: "The account's address.",
      displayName: "The account's name, or its address where there is none.",
    },
  ],
  PasskeyAlgorithm: [
    'An algorithm that is taken (WebAuthn Level 3 §5.3).',
    { type: 'Always `public-key`.', alg: 'Its number in COSE: -7 (ES256), -8 (EdDSA) or -257 (RS256).' },
  ],
  PasskeySelection: [
    'What the authenticator must be able to do (WebAuthn Level 3 §5.4.4).',
    {
      residentKey: 'It is found without an address.',
      requireResidentKey: 'The same for older browsers.',
      userVerification: 'It knows its owner by PIN, finger or face.',
    },
  ],
}
