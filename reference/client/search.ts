import type { Mark, Results } from '../../explorer/client/search/results.ts'
import type { Search } from '../../explorer/client/search/search-box.tsx'
import { once } from '../../shared/prebuilt/pack.ts'

/** A place on the page that has a name. */
interface Entry {
  id: string
  title: string
  /** What it is: `POST /auth/login`, `shape`. */
  kind: string
  /** Its title, id and kind, and the heading of its section, in lower case. */
  names: string
  /** All that it says, in lower case. */
  text: string
}

/** A person can look through this many lines. Typing another letter narrows them down. */
const maxRows = 30

/** Reads the places from the page: those with `data-kind`. */
const readEntries = once((): Entry[] =>
  [...document.querySelectorAll<HTMLElement>('[data-kind]')].map(element => {
    const { id, dataset, textContent } = element
    const title = element.querySelector('.anchor')?.textContent ?? ''
    const kind = dataset.kind ?? ''
    const section = element.closest('section')?.querySelector('h2')?.textContent ?? ''
    const names = `${title} ${id} ${kind} ${section}`.toLowerCase()
    return { id, title, kind, names, text: textContent.toLowerCase() }
  }),
)

export const search: Search = {
  label: 'Search operations, codes, shapes and settings',
  prepare: readEntries,
  find: (typed): Results => {
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
    const found = rank(words, readEntries())
    const rows = found.slice(0, maxRows).map(entry => ({
      match: { text: entry.title, marks: marksOf(words, entry.title.toLowerCase()), entry },
      why: entry.kind,
      href: `#${entry.id}`,
    }))
    return { rows, total: found.length, shown: rows.length }
  },
  sayNothing: typed => `Nothing here says ${typed}.`,
}

/** The places that hold every word: first those named exactly so, then by the title's beginning, by names, by text. */
function rank(words: readonly string[], entries: readonly Entry[]): Entry[] {
  if (words.length === 0) return []
  const matchers: ((entry: Entry) => boolean)[] = [
    ({ title, id }) => [title.toLowerCase(), id].includes(words.join(' ')),
    ({ title }) => title.toLowerCase().startsWith(words.join(' ')),
    ({ names }) => words.every(word => names.includes(word)),
    ({ names, text }) => words.every(word => names.includes(word) || text.includes(word)),
  ]
  return [...new Set(matchers.flatMap(matches => entries.filter(matches)))]
}

/** Where the words stand in a title, from left to right and each letter once. */
function marksOf(words: readonly string[], title: string): Mark[] {
  const marks = words.map((word): Mark => [title.indexOf(word), title.indexOf(word) + word.length])
  const inOrder = marks.filter(([start]) => start >= 0).sort(([a], [b]) => a - b)
  return inOrder.filter(([start], index) => index === 0 || start >= (inOrder[index - 1]?.[1] ?? 0))
}
