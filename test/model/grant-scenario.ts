import { dashboardSecret } from '../support/clients.ts'

/** The senders of a code: with everything that belongs to it, or not quite; or of a cookie in place of a refresh token. */
export type Sender = 'right' | 'without the verifier' | 'another client' | 'another address' | 'a cookie'

/** Acts, each once at any time. */
export type Act =
  | 'log out everywhere'
  | 'lock'
  | 'move'
  | 'delete'
  | 'end session'
  | 'log out browser'
  | 'end browser'
  | 'find a copied cookie'
  | 'log in elsewhere'

export interface Scenario {
  /** The senders of the code or the cookie, each once at any time. */
  senders: readonly Sender[]
  acts?: readonly Act[]
  /** Whether a browser session made the code, instead of a typed password. */
  byBrowser?: boolean
  /** Whether the application asks for offline access. */
  isOffline?: boolean
  /** Whether a write whose answer was lost is retried later, after others' writes. */
  repeatsLate?: boolean
  /** Whether every holder of a refresh token uses it after some time, and asks for more than was granted. */
  refreshes?: boolean
  /** A client that accepts verified addresses alone, and whose access tokens are for userinfo alone. */
  isStrict?: boolean
  isVerified?: boolean
}

/** A change of the explored code, which the invariants must detect. */
export interface Mutation {
  /** What the code omits, or does too late. */
  forgets?: 'condition' | 'third read' | 'verifier' | 'version' | 'scope' | 'through' | 'presence'
  /** Whether the list of clients is read with these two turned round. */
  swaps?: 'api' | 'unverified'
}

/** What belongs to a client, beside the code. */
export const proofs: Record<string, Record<string, string>> = {
  shop: { client_id: 'shop' },
  dashboard: { client_id: 'dashboard', client_secret: dashboardSecret },
}
