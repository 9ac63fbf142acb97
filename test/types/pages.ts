// What the pages read of an answer has the shape that the API gives it. `npm run typecheck` fails where it has not.
import type { InferOutput } from 'valibot'
import type { ProofPurpose } from '../../accounts/passkey/shapes.ts'
import type { replies } from '../../api/replies.ts'
import type { Factor } from '../../shared/pages/account/factor.ts'
import type { PasskeyList, Purpose } from '../../shared/pages/account/own-passkeys.ts'
import type { Methods } from '../../shared/pages/account/provider-rows.ts'
import type { Session } from '../../shared/pages/account/sessions.ts'
import type { Account } from '../../shared/pages/account/view.ts'
import type { Provider } from '../../shared/pages/trip.ts'

type Reply<Name extends keyof typeof replies> = InferOutput<(typeof replies)[Name]>

declare const account: Reply<'UserResponse'>
declare const factor: Reply<'SecondFactor'>
declare const passkeys: Reply<'PasskeyList'>
declare const methods: Reply<'SignInMethods'>
declare const sessions: Reply<'SessionList'>
declare const offered: Reply<'ProviderList'>
declare const purpose: Purpose
declare const proofPurpose: ProofPurpose

export const read: [Account, Factor, PasskeyList, Methods, readonly Session[], readonly Provider[]] = [
  account,
  factor,
  passkeys,
  methods,
  sessions.sessions,
  offered.providers,
]
// Every purpose has a form, and no form another purpose.
export const purposes: [ProofPurpose, Purpose] = [purpose, proofPurpose]
// @ts-expect-error a purpose that is none
export const wrongPurpose: Purpose = 'change-name'
