import * as v from 'valibot'
import { drawLoginOptions, drawProofOptions } from '../../../accounts/passkey/options.ts'
import type { Passkey } from '../../../accounts/passkey/passkey.ts'
import { confirmPasskey } from '../../../accounts/passkey/set-up.ts'
import type { ProofPurpose } from '../../../accounts/passkey/shapes.ts'
import { type Assertion, Assertion as AssertionSchema, NewCredential } from '../../../accounts/passkey/shapes.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { type Authenticator, authenticator, type Lies } from './authenticator.ts'
import type { Harness } from './harness.ts'
import { setUpPasskey } from './owner.ts'
import { ada, find, newClient } from './people.ts'

/** People's passkeys, made and used with the domain's own code and software authenticators. */

/** Switches passkeys on. */
export function allowPasskeys(harness: Harness): void {
  harness.config.passkeyRpId = 'localhost'
  harness.config.passkeyOrigins = ['http://localhost:3000']
}

interface Adding {
  email?: string
  password?: string
  code?: string | undefined
  label?: string
  lies?: Lies
}

/** Adds a passkey to an account with a verified address. @returns the stored passkey, and its device */
export async function addPasskey(
  harness: Harness,
  { email = ada.email, password = ada.password, code, label = 'Phone', lies = {} }: Adding = {},
  device: Authenticator = authenticator(),
): Promise<{ passkey: Passkey; device: Authenticator }> {
  const { deps } = harness
  const account = await find(harness, email)
  const { challenge, rpId, handle } = await setUpPasskey(deps, newClient(), account, {
    password: toPassword(password),
    code,
  })
  const created = device.create({ challenge, rp: { id: rpId }, user: { id: handle } }, lies)
  const credential = v.parse(NewCredential, created)
  return { passkey: await confirmPasskey(deps, await find(harness, email), { credential, label }), device }
}

/** A device's assertion at a login, or as an owner's proof. */
export async function assertionOf(
  harness: Harness,
  device: Authenticator,
  purpose: ProofPurpose | 'login' = 'login',
  lies: Lies = {},
  email: string = ada.email,
): Promise<Assertion> {
  const options =
    purpose === 'login'
      ? await drawLoginOptions(harness.deps)
      : await drawProofOptions(harness.deps, await find(harness, email), purpose)
  return v.parse(AssertionSchema, device.get({ challenge: options.challenge, rpId: options.rpId }, lies))
}
