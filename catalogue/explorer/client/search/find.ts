// What the search knows, in a file of its own: it is loaded when somebody first goes to the search.
import type { CompactCatalogue } from '../../../validate/compact.ts'
import { indexWords, searchFor } from './by-words.ts'
import { type Extensions, listEntries } from './entries.ts'
import type { Results } from './results.ts'
import { listResults } from './rows.ts'

/** @returns finds places for a text; all places of the `opened` entries are shown */
export function openSearch(
  catalogue: CompactCatalogue,
  extensions: Extensions,
): (text: string, opened: ReadonlySet<object>) => Results {
  const entries = listEntries(catalogue, extensions)
  const index = indexWords(entries)
  return (text, opened) => listResults(searchFor(text, entries, index), opened)
}
