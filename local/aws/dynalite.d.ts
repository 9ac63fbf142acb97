declare module 'dynalite' {
  import type { Server } from 'node:http'
  export default function dynalite(options?: { createTableMs?: number; path?: string }): Server
}

/** dynalite's internals. Its actions look these functions up at each call, so they can be replaced. */
declare module 'dynalite/db/index.js' {
  export type Value = Record<string, unknown> & { S?: string }
  export type Item = Record<string, Value | undefined>
  export interface Table {
    GlobalSecondaryIndexes?: { IndexName: string; KeySchema: { AttributeName: string }[] }[]
  }
  export type Done<T = unknown> = (error?: Error | null, value?: T) => void
  export type Release = (done: Done) => Done
  /** The items of a table, or of an index. */
  export interface Items {
    get(key: string, done: Done<Item>): void
    put(key: string, item: Item, done: Done): void
    del(key: string, done: Done): void
    /** Runs a function once nobody else holds any of the keys, which it gets all at once. */
    lock(keys: string | string[], run: (release: Release) => void): void
  }
  export interface Write {
    type: 'put' | 'del'
    key: string
    value?: Item
  }
  export interface Store {
    options: object
    /** LevelDB: `item-<table>~<key>`, `index-<type>~<table>~<index>~<key>`, and `table~<table>` for the table itself. */
    db: {
      batch(writes: Write[]): Promise<void>
      clear(range: { lt: string }): Promise<void>
      iterator(range: { lt: string }): { all(): Promise<[key: string, item: Item][]> }
    }
    getTable(name: string, done: Done<Table>): void
    getItemDb(table: string): Items
    getIndexDb(type: string, table: string, index: string): Items
  }
  const db: {
    create(options: object): Store
    createKey(item: Item, table: Table): string
    itemSize(item: Item): number
    validateKey(key: Item, table: Table): Error | null | undefined
    /** @returns the error of an invalid item of a put */
    validateItem(item: Item, table: Table): Error | null | undefined
    updateIndexes(store: unknown, table: Table, before: Item | undefined, item: Item | undefined, done: Done): void
    /** Its errors, and those of its actions, have the status and the body of the answer. */
    validationError(message: string): Error
  }
  export default db
}

declare module 'dynalite/validations/index.js' {
  import type { Store } from 'dynalite/db/index.js'

  type Types = Record<string, object | string>
  const validations: {
    /** @returns the input without unknown members @throws */
    checkTypes(input: object, types: Types): object
    /** @throws */
    checkValidations(input: object, types: Types, custom: undefined, store: Store): void
  }
  export default validations
}

/** dynalite's checks of an action's input. `custom` also compiles its expressions, into further members of the input. */
declare module 'dynalite/validations/*Item.js' {
  import type { Store } from 'dynalite/db/index.js'

  const rules: { types: Record<string, object>; custom(input: object, store: Store): string | undefined }
  export default rules
}

declare module 'dynalite/actions/*Item.js' {
  import type { Done, Store } from 'dynalite/db/index.js'
  export default function act(
    store: Pick<Store, 'options' | 'getTable' | 'getItemDb' | 'getIndexDb'>,
    input: object,
    done: Done,
  ): void
}

/** Its parsers of expressions, also looked up at each call. */
declare module 'dynalite/db/*Parser.js' {
  import type { Value } from 'dynalite/db/index.js'

  export interface Context {
    attrNames?: Record<string, string> | null
    attrVals?: Record<string, Value> | null
    /** The parser deletes the used names. */
    unusedAttrNames: Record<string, unknown>
    unusedAttrVals: Record<string, unknown>
  }
  export interface Parser {
    /** @returns the parsed expression, or the text of an error @throws */
    parse(text: string, options: { context: Context }): unknown
  }
  const parser: Parser
  export default parser
}
