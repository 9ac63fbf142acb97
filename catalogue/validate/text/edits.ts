// Applies a suggestion's edits to a query. Names and values are decoded text; other pairs stay byte for byte.
import type { Edit } from '../../report.ts'
import { decode, encode } from './encoding.ts'
import { type Pair, textOf, writePair } from './pairs.ts'
import { frame, plainText, readPairs } from './query.ts'

export const applyEdits = (pairs: readonly Pair[], edits: readonly Edit[]): readonly Pair[] =>
  edits.reduce(applyEdit, pairs)

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

/** The pair under another name, its value byte for byte. */
const renamePair = (pair: Pair, name: string): Pair => ({
  ...pair,
  name,
  rawName: encode(name),
  isMalformed: decode(pair.rawValue ?? '').isMalformed,
})

/** Applies a suggestion to the validated text. Surrounding text stays, except code. */
export function editQuery(given: string, edits: readonly Edit[]): string {
  const text = plainText(given)
  const { before, after } = frame(text)
  const old = readPairs(text)
  const pairs = applyEdits(old, edits)
  const query = pairs.map(textOf).join('&')
  // A URL without a query has no question mark yet.
  const isBare = query !== '' && before.trim() !== '' && !/[?#]$/.test(before)
  const start = isBare ? `${before}?` : before
  const isCut = (pairs: readonly Pair[]) => pairs.some(({ slip }) => slip?.kind === 'cut')
  const end = isCut(old) && !isCut(pairs) ? '' : after
  // At the start or end, a pair may look like a URL, code or white space; an empty pair separates it.
  const spellings = [query, `&${query}`, `${query}&`, `&${query}&`].map(spelling => start + spelling + end)
  const isSame = (text: string) => readPairs(text).map(textOf).join('&') === query
  return spellings.find(isSame) ?? start + query + end
}
