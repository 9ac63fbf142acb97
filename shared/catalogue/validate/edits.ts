// What a suggestion changes in a query. Names and values are decoded text; pairs that no edit names stay byte for byte.
import { frame, type Pair, readPairs, renamePair, textOf, writePair } from './pairs.ts'

/**
 * `rename` and `remove` change all pairs of the name. `replace` leaves one pair, where the first stood. `add` stands at
 * the end.
 */
export type Edit =
  | { op: 'rename'; from: string; to: string }
  | { op: 'remove'; name: string }
  | { op: 'replace'; name: string; value: string }
  | { op: 'add'; name: string; value: string }

/** `edits` are applied in order. */
export type Suggestion = { label: string; edits: Edit[] }

export function applyEdits(pairs: readonly Pair[], edits: readonly Edit[]): readonly Pair[] {
  return edits.reduce(applyEdit, pairs)
}

function applyEdit(pairs: readonly Pair[], edit: Edit): readonly Pair[] {
  switch (edit.op) {
    case 'rename':
      return pairs.map(pair => (pair.name === edit.from ? renamePair(pair, edit.to) : pair))
    case 'remove':
      return pairs.filter(({ name }) => name !== edit.name)
    case 'replace': {
      const first = pairs.find(({ name }) => name === edit.name)
      const written = writePair(edit.name, edit.value)
      return pairs.flatMap(pair => (pair === first ? written : pair.name === edit.name ? [] : pair))
    }
    case 'add':
      return [...pairs, writePair(edit.name, edit.value)]
  }
}

/** Applies a suggestion to the text that was validated; what stands around the query stays. */
export function editQuery(text: string, edits: readonly Edit[]): string {
  const { before, after } = frame(text)
  const query = applyEdits(readPairs(text), edits).map(textOf).join('&')
  // An address without a query has no mark yet.
  const isBare = query !== '' && before.trim() !== '' && !before.endsWith('?')
  const start = isBare ? `${before}?` : before
  // What has come to stand at an end may look like an address or white space there; an empty pair keeps it apart.
  const spellings = [query, `&${query}`, `${query}&`, `&${query}&`].map(spelling => ({
    spelling,
    whole: start + spelling + after,
  }))
  const kept = spellings.find(({ spelling, whole }) => frame(whole).query === spelling)
  return kept?.whole ?? start + query + after
}
