import { type Key, keyIn } from '../../shared/base/families.ts'
import type { Account } from '../account/account.ts'
import { hashToken } from '../token/token.ts'

/** A mailed link that sets up a second factor: it proves the mailbox, for the account's id and token version. */
interface SetupLink extends Pick<Account, 'id' | 'tokenVersion'> {
  expiresAt: Date
}

/** Links that set up second factors, in the table of counters. */
export interface SetupLinks {
  /** False when the link has been used. */
  storeSetupLink(key: Key<'SetupLinks'>, link: SetupLink): Promise<boolean>
  /** Null when there is none, or it was used. It may have expired. */
  findSetupLink(key: Key<'SetupLinks'>): Promise<SetupLink | null>
  /** @param mark idempotency token, unique per write @returns false when another request has used it */
  spendSetupLink(key: Key<'SetupLinks'>, mark: string): Promise<boolean>
}

/** The key of a link: its token's hash, so that the table reveals no usable link. */
export const setupLinkKey = (token: string): Key<'SetupLinks'> => keyIn('SetupLinks', hashToken(token))
