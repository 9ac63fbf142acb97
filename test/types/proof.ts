// What must not compile with passwords and proofs. `npm run typecheck` fails when one of these compiles.

import type { Account, Proven } from '../../accounts/account/account.ts'
import type { openBrowserSession } from '../../accounts/application/browser-session.ts'
import type { Claimant } from '../../accounts/login/proven.ts'
import { hashPassword, verifyPassword } from '../../accounts/password/hash.ts'
import type { Password } from '../../accounts/password/password.ts'
import type { issueLoginTokens, openSession } from '../../accounts/session/opening.ts'

declare const account: Account
declare const proven: Claimant
declare const login: Proven['login']
declare const password: Password
declare const deps: Parameters<typeof hashPassword>[0] & Parameters<typeof verifyPassword>[0]

/** Whatever logs somebody in. */
type Admits = Parameters<typeof issueLoginTokens>[1] &
  Parameters<typeof openSession>[1] &
  Parameters<typeof openBrowserSession>[2]

export const right = (proven: Proven): Admits => proven
// @ts-expect-error an account without a proof
export const noProof: Admits = account
// @ts-expect-error a proof without the checks after it
export const halfProof: Admits = proven
// @ts-expect-error the members of `Proven`, made elsewhere
export const forged: Admits = { account, by: 'passkey', login, spend: async () => {} }

/** Never called: only its types matter. */
export function refused(text: string): void {
  hashPassword(deps, password)
  verifyPassword(deps, password, null)
  // @ts-expect-error a password as typed
  hashPassword(deps, text)
  // @ts-expect-error a password as typed
  verifyPassword(deps, text, null)
}
