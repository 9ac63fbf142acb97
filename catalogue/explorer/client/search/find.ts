// The search and its data, in a file of its own, loaded when somebody first focuses the search.
import type { CompactCatalogue } from '../../../validate/compact.ts'
import extensionTable from '../../../words/extensions.json' with { type: 'json' }
import type { Purposes } from '../purposes.ts'
import { indexWords, searchFor } from './by-words.ts'
import { listEntries } from './entries.ts'
import type { Results } from './results.ts'
import { listResults } from './rows.ts'

/** The build leaves the other columns out. */
const extensions = new Map(extensionTable.modules.map(([extension = '', module = '']) => [module, { extension }]))

/** @returns finds places for a text; `opened` entries show all theirs */
export function openSearch(
  catalogue: CompactCatalogue,
  purposes: Purposes,
): (text: string, opened: ReadonlySet<object>) => Results {
  const entries = listEntries(catalogue, extensions)
  const index = indexWords(entries, purposes)
  return (text, opened) => listResults(searchFor(text, entries, index), opened, purposes)
}
