declare module 'dynalite' {
  import type { Server } from 'node:http'
  export default function dynalite(options?: { createTableMs?: number; path?: string }): Server
}

/** dynalite's inside, of which its actions take each function when they call it. */
declare module 'dynalite/db/index.js' {
  type Item = Record<string, { S?: string } | undefined>
  interface Table {
    GlobalSecondaryIndexes?: { IndexName: string; KeySchema: { AttributeName: string }[] }[]
  }
  type Done = (error?: Error) => void
  const db: {
    /** @returns what is wrong with an item to be put, if anything is */
    validateItem(item: Item, table: Table): Error | null | undefined
    updateIndexes(store: unknown, table: Table, before: Item | undefined, item: Item | undefined, done: Done): void
    validationError(message: string): Error
  }
  export default db
}
