import { dashboardSecret } from '../support/clients.ts'

/** Who sends a code: who has all that belongs to it, or not quite; or a cookie in place of a refresh token. */
export type Sender = 'right' | 'without the verifier' | 'another client' | 'another address' | 'a cookie'

/** What happens once, at any time. */
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
  /** Who sends the code or the cookie, once each, at any time. */
  senders: readonly Sender[]
  acts?: readonly Act[]
  /** Whether a browser that stays logged in made the code, not somebody who typed a password. */
  byBrowser?: boolean
  /** Whether the application asks to stay logged in. */
  isOffline?: boolean
  /** Whether a write whose answer was lost is sent again later, when others have written in between. */
  repeatsLate?: boolean
  /** Whether whoever has a refresh token uses it, once time has passed, and asks for more than was granted. */
  refreshes?: boolean
  /** A client that takes verified addresses alone, and whose access tokens are for userinfo alone. */
  isStrict?: boolean
  isVerified?: boolean
}

/** What is changed in the code that is explored, to see that the laws notice. */
export interface Mutation {
  /** What the code forgets to do, or does too late. */
  forgets?:
    | 'condition'
    | 'mark'
    | 'third read'
    | 'verifier'
    | 'version'
    | 'client'
    | 'browser'
    | 'scope'
    | 'through'
    | 'presence'
    | 'others'
  /** Whether the list of clients is read with these two turned round. */
  swaps?: 'api' | 'unverified'
}

/** What belongs to a client, beside the code. */
export const proofs: Record<string, Record<string, string>> = {
  shop: { client_id: 'shop' },
  dashboard: { client_id: 'dashboard', client_secret: dashboardSecret },
}
