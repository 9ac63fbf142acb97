declare module 'dynalite' {
  import type { Server } from 'node:http'
  export default function dynalite(options?: { createTableMs?: number; path?: string }): Server
}

/** dynalite's internals. Its actions look these functions up at each call, so that they can be replaced. */
declare module 'dynalite/db/index.js' {
  type Item = Record<string, { S?: string } | undefined>
  interface Table {
    GlobalSecondaryIndexes?: { IndexName: string; KeySchema: { AttributeName: string }[] }[]
  }
  type Done = (error?: Error) => void
  const db: {
    /** @returns the error of an item to put, if it is invalid */
    validateItem(item: Item, table: Table): Error | null | undefined
    updateIndexes(store: unknown, table: Table, before: Item | undefined, item: Item | undefined, done: Done): void
    validationError(message: string): Error
  }
  export default db
}
