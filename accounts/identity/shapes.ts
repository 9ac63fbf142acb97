import * as v from 'valibot'
import { absent, has, Text } from '../../shared/base/shapes.ts'
import { proven } from '../passkey/shapes.ts'
import { GivenPassword } from '../password/password.ts'

/** RFC 7636 §4.1: 43 to 128 unreserved characters. */
export const codeVerifierForm = /^[\w.~-]{43,128}$/

/** What a callback brought, and the verifier that the browser kept for it. */
const byCode = {
  provider: Text,
  /** RFC 6749 §A.11 sets no length. */
  authorization_code: v.pipe(Text, v.regex(/^[!-~]{1,2048}$/, 'must be 1 to 2048 visible ASCII characters')),
  code_verifier: v.pipe(Text, v.regex(codeVerifierForm, 'must be a code verifier (RFC 7636, section 4.1)')),
  redirect_uri: v.optional(Text),
  iss: v.optional(Text),
}

/** What stands for a confirmation, after a refusal. Any text: a malformed token is one that does not work. */
const byToken = { provider_token: Text }

/** A proof of a provider's. */
export const proofEntries = { ...v.partial(v.object({ ...byCode, ...byToken })).entries }
export type ProofMember = keyof typeof proofEntries

export const proofMembers = Object.keys(proofEntries) as readonly ProofMember[]

type ByCode = v.InferOutput<v.ObjectSchema<typeof byCode, undefined>>
type ByToken = v.InferOutput<v.ObjectSchema<typeof byToken, undefined>>
export type ProviderProof =
  | (ByCode & { [M in keyof ByToken]?: undefined })
  | (ByToken & { [M in keyof ByCode]?: undefined })

/** The members of the proof that a body has: one of the two kinds, and nothing of the other. */
export const entriesFor = (value: unknown): v.ObjectEntries =>
  has(value, 'provider_token')
    ? { ...absent(Object.keys(byCode), 'provider_token'), ...byToken }
    : { ...byCode, ...absent(Object.keys(byToken), 'provider') }

export const DisconnectProviderRequest = proven({ id: Text }, { password: GivenPassword })
export type DisconnectProviderRequest = v.InferOutput<typeof DisconnectProviderRequest>
