/** The items about moves, in the table of counters. They hold addresses in the clear, and expire. */

export interface MoveTables {
  users: string
  rateLimits: string
}

/** Where an account is, and spans of token versions whose changes were undone. */
export interface MovedItem {
  email: string
  undone: { from: number; to: number; at: string }[]
}

/** What an undo link undoes. */
export interface UndoItem {
  id: string
  email: string
  token_version: number
  at: string
}
