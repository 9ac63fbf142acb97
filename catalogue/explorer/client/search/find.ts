// The search and its data, in a file of its own, loaded when somebody first focuses the search.
import type { CompactCatalogue } from '../../../validate/compact.ts'
import { indexWords, searchFor } from './by-words.ts'
import { type Extensions, listEntries } from './entries.ts'
import type { Results } from './results.ts'
import { listResults } from './rows.ts'

/** @returns finds places for a text; `opened` entries show all theirs */
export function openSearch(
  catalogue: CompactCatalogue,
  extensions: Extensions,
): (text: string, opened: ReadonlySet<object>) => Results {
  const entries = listEntries(catalogue, extensions)
  const index = indexWords(entries)
  return (text, opened) => listResults(searchFor(text, entries, index), opened)
}
