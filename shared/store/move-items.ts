/** The items about moves, in the table of counters. They hold addresses in the clear, and expire. */

export interface MoveTables {
  users: string
  rateLimits: string
}

export const moveKeys = {
  moved: (id: string) => `moved#${id}`,
  /** By the mark of the write: `id`, `from` and `to`. */
  movedBy: (mark: string) => `moved-by#${mark}`,
  /** By the hash of the link's token. */
  undo: (hash: string) => `undo#${hash}`,
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
