// A search's results, for its list.

/** A half-open range of the text that equals typed letters. */
export type Mark = readonly [start: number, end: number]

/** A place with its address, and for a module its purpose; without an address, the number of further places. */
export type Row = {
  match: { text: string; marks: readonly Mark[]; entry: object }
  why: string
  href?: string
  says?: string
}

export type Results = {
  rows: Row[]
  /** All places, shown or not. */
  total: number
  shown: number
}
