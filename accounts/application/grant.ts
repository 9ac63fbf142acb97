import { type Key, keyIn } from '../../shared/base/families.ts'
import type { System } from '../../shared/base/system.ts'
import { drawToken, hashToken } from '../token/token.ts'

/** What an authorization code stands for (RFC 6749 §1.3.1): who logged in, how, for which client, by which request. */
export interface Grant {
  /** The client's id. */
  client: string
  redirect: string
  /** The `code_challenge`, of method S256 (RFC 7636 §4.2). */
  challenge: string
  nonce: string | null
  /** Those granted, in the order of the request. */
  scope: readonly string[]
  email: string
  /** The account's id. */
  id: string
  /** The account's token version. */
  version: number
  authTime: Date
  amr: readonly string[]
  /** The id of the browser session that it was made by or with; null when there is none. */
  browserSession: string | null
  createdAt: Date
}

/** A grant as it is kept, and what has become of it. */
export interface KeptGrant extends Grant {
  /** The mark of the request that exchanged it, or null. */
  spentBy: string | null
  /** The id of the session that was opened for it, written before the session is; null without one. */
  session: string | null
  /** Whether the code was presented again after it was spent. */
  isReused: boolean
}

/** Milliseconds for which a code is good: RFC 6749 §4.1.2 allows ten minutes at most; no client waits that long. */
export const codeLifetime = 60_000

/** Grants, in the table of counters. They are kept for a day, so that a code that is presented again is known. */
export interface Grants {
  store(key: Key<'Grants'>, grant: Grant): Promise<void>
  /** Null when there is none. It may have expired. */
  find(key: Key<'Grants'>): Promise<KeptGrant | null>
  /**
   * Spends a code, and names the session that is opened for it, if there is to be one.
   *
   * @param mark no other write has it
   * @returns false when another request has spent it, or it was presented again
   */
  spend(key: Key<'Grants'>, mark: string, session: string | null): Promise<boolean>
  /** Marks a spent code as presented again. Null when there is no such code. */
  markReused(key: Key<'Grants'>): Promise<KeptGrant | null>
}

/** The key that a grant is kept under: its code's hash, so that nobody can use what they read in the table. */
export const grantKey = (code: string): Key<'Grants'> => keyIn('Grants', hashToken(code))

/**
 * Makes the code of a grant (RFC 6749 §4.1.2): 256 random bits, so that no slow hash is needed.
 *
 * @throws {DomainError} `unavailable`
 */
export async function makeCode(
  deps: Pick<System, 'now' | 'randomBytes'> & { grants: Pick<Grants, 'store'> },
  grant: Omit<Grant, 'createdAt'>,
): Promise<string> {
  const code = drawToken(deps)
  await deps.grants.store(grantKey(code), { ...grant, createdAt: deps.now() })
  return code
}
