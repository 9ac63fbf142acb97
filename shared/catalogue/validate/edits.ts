// What a suggestion changes in a query. Names and values are decoded text; pairs that no edit names stay byte for byte.
import type { Edit } from '../report.ts'
import { frame, type Pair, readPairs, renamePair, textOf, writePair } from './pairs.ts'

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
