import { type Key, keyIn } from '../../shared/base/families.ts'
import type { Account } from '../account/account.ts'
import type { Undoable } from '../address/address.ts'
import { hashToken, lifetimes } from '../token/token.ts'

/** A mailed link that sets up a second factor: it proves the mailbox, for the account's id and token version. */
interface SetupLink extends Pick<Account, 'id' | 'tokenVersion'> {
  expiresAt: Date
}

/** Links that set up second factors, and links that undo that, in the table of counters. */
export interface SetupLinks {
  /** False when the link has been used. */
  storeSetupLink(key: Key<'SetupLinks'>, link: SetupLink): Promise<boolean>
  /** Null when there is none, or it was used. It may have expired. */
  findSetupLink(key: Key<'SetupLinks'>): Promise<SetupLink | null>
  /** Lets a link undo the setting up of a second factor or a passkey. @param hash of the link's token */
  allowUndo(hash: string, change: Undoable): Promise<void>
  /** @param mark idempotency token, unique per write @returns false when another request has used it */
  spendSetupLink(key: Key<'SetupLinks'>, mark: string): Promise<boolean>
}

/** The key of a link: its token's hash, so that the table reveals no usable link. */
export const setupLinkKey = (token: string): Key<'SetupLinks'> => keyIn('SetupLinks', hashToken(token))

/** What the undo link of a first second factor, or of a passkey, undoes. @param account before the setup @param at time of the setup */
export const undoableSetUp = (account: Pick<Account, 'id' | 'email' | 'tokenVersion'>, at: Date): Undoable => ({
  id: account.id,
  email: account.email,
  tokenVersion: account.tokenVersion,
  at,
  expiresAt: new Date(at.getTime() + lifetimes.undo),
})
