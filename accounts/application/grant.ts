import { type Key, keyIn } from '../../shared/base/families.ts'
import type { System } from '../../shared/base/system.ts'
import { drawToken, hashToken } from '../token/token.ts'

/** An authorization code's grant (RFC 6749 §1.3.1): who logged in, how, for which client, by which request. */
export interface Grant {
  /** The client's id. */
  client: string
  redirect: string
  /** The `code_challenge`, of method S256 (RFC 7636 §4.2); null if the client's request left PKCE out. */
  challenge: string | null
  nonce: string | null
  /** The granted scopes, in the order of the request. */
  scope: readonly string[]
  /** The account's id. */
  id: string
  /** The account's token version. */
  version: number
  authTime: Date
  amr: readonly string[]
  /** The id of the browser session behind it; null without one. */
  browserSession: string | null
  createdAt: Date
}

/** A stored grant with its state. */
export interface KeptGrant extends Grant {
  /** Idempotency token of the request that exchanged it, or null. */
  spentBy: string | null
  /** The id of the session opened for it, stored before the session is; null without one. */
  session: string | null
  /** Whether the spent code was replayed. */
  isReused: boolean
}

/** Milliseconds until a code expires: RFC 6749 §4.1.2 allows ten minutes at most; no client waits that long. */
export const codeLifetime = 60_000

/** Grants, in the table of counters. They are kept for a day, so that a replay is recognised. */
export interface Grants {
  store(key: Key<'Grants'>, grant: Grant): Promise<void>
  /** Null when there is none. It may have expired. */
  find(key: Key<'Grants'>): Promise<KeptGrant | null>
  /**
   * Spends a code, and names the session that is opened for it, if any.
   *
   * @param mark idempotency token, unique per write
   * @returns false when another request has spent it, or it was replayed
   */
  spend(key: Key<'Grants'>, mark: string, session: string | null): Promise<boolean>
  /** Marks a spent code as replayed. Null when there is no such code. */
  markReused(key: Key<'Grants'>): Promise<KeptGrant | null>
}

/** The key of a grant: its code's hash, so that the table reveals no usable code. */
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
