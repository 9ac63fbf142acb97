/** The items about changes of addresses, in the table of counters. They hold addresses in the clear, and expire. */

export interface EmailChangeTables {
  users: string
  rateLimits: string
}

/** An account's newest address, and spans of token versions whose changes were undone. */
export interface EmailHistoryItem {
  email: string
  undone: { from: number; to: number; at: string; since?: string }[]
}

/** What an undo link undoes. */
export interface UndoItem {
  id: string
  email: string
  token_version: number
  at: string
  language?: string
  /** A passkey was added. */
  passkey?: true
}
