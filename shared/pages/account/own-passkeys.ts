import type { Answer } from '../form.ts'
import { isUsable, signal } from '../webauthn.ts'
import { controls } from '../words.ts'
import type { Field } from './fields.ts'
import { call } from './service.ts'
import type { Account } from './view.ts'

/** The account's passkeys, for the forms of the account page. */

export interface Passkey {
  id: string
  label: string
  created_at: string
  last_used_at: string | null
  is_synced: boolean
}

export interface PasskeyList {
  rp_id: string | null
  user_handle: string | null
  passkeys: readonly Passkey[]
}

/** The user handles in authenticators, by account id; null for none yet. */
const handles = new Map<string, string | null>()

/** Reads them, and has every form with a password offer them. */
export async function readPasskeys({ id }: Account): Promise<Answer<PasskeyList>> {
  const answer = await call<PasskeyList>('GET', '/auth/passkeys')
  if (!answer.ok) return answer
  const { user_handle, passkeys } = answer.body
  handles.set(id, user_handle)
  countPasskeys(passkeys.length)
  return answer
}

/** Forms show their button while there are passkeys, even closed forms. */
export const countPasskeys = (count: number): void => {
  document.body.classList.toggle('has-passkey', isUsable && count > 0)
}

/** The requests in which a passkey can replace the password, by their paths after `/auth/`. */
export type Purpose =
  | 'change-password'
  | 'delete-account'
  | 'disconnect-provider'
  | 'end-session'
  | `passkeys/${'setup' | 'remove'}`
  | `second-factor/${'setup' | 'recovery-codes' | 'remove'}`

/** The field for the current password, which a passkey can replace. */
export const currentPassword = (purpose: Purpose): Field => ({
  name: 'current_password',
  label: controls.currentPassword,
  type: 'password',
  autocomplete: 'current-password',
  passkey: {
    words: controls.usePasskey,
    kind: 'plain use-passkey',
    draw: () => call('POST', '/auth/passkeys/proof-options', { for: purpose }),
  },
})

/** Tells the password manager the account's names, under which passkeys are shown. */
export async function signalDetails(account: Account): Promise<void> {
  if (!isUsable) return
  if (!handles.has(account.id)) await readPasskeys(account)
  const { email, name } = account
  const userId = handles.get(account.id)
  if (userId) signal('signalCurrentUserDetails', { userId, name: email, displayName: name || email })
}

/** Stores the user handle of an account. */
export function noteHandle({ id }: Account, handle: string | null): void {
  handles.set(id, handle)
}

/** Tells the password manager which passkeys remain, so that it offers no other. */
export function signalAccepted({ id }: Account, allAcceptedCredentialIds: string[]): void {
  const userId = handles.get(id)
  if (userId) signal('signalAllAcceptedCredentials', { userId, allAcceptedCredentialIds })
}
