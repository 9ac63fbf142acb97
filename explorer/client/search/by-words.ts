// Finds modules by words: each must stand somewhere in what is known of the module.
import { moduleSentence } from '../../words.ts'
import type { Entry } from './entries.ts'
import { type Match, rank } from './rank.ts'

/** Words that say nothing of what is looked for. */
const stopWords = new Set(
  'a about all an and any are at be by can did do does find for from get give has have how i in is it its list many me my of on one or show that the there these this to what when where which with'.split(
    ' ',
  ),
)

/** What is known of a module, from its name outwards. */
type Known = { entry: Entry; called: Set<string>; said: Set<string>; within: Set<string> }

/** `pages` and `page`, `edited` and `edit` are the same. */
const stem = (word: string): string =>
  word.length < 4 || word.endsWith('ss') ? word : word.replace(/(?:ies|y)$/, 'i').replace(/(?:ings?|ed|es|e|s)$/, '')

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\d]+/gu) ?? []

export type WordIndex = readonly Known[]

export function indexWords(entries: readonly Entry[]): WordIndex {
  const known = new Map<string, Known>()
  for (const entry of entries) {
    if (entry.kind !== 'module') continue
    const said = new Set(wordsOf(moduleSentence(entry.text)).map(stem))
    known.set(entry.text, { entry, called: new Set(), said, within: new Set() })
  }
  for (const { kind, lower, places } of entries) {
    for (const { module } of places) {
      const of = module && known.get(module.name)
      if (kind === 'other name') of?.called.add(stem(lower))
      else if (kind !== 'module') of?.within.add(stem(lower))
    }
  }
  return [...known.values()]
}

/** What begins with what is typed, then the modules in which all its words stand, then what else matches. */
export function searchFor(typed: string, entries: readonly Entry[], index: WordIndex): Match[] {
  const matches = rank(typed, entries)
  const found = new Set(matches.map(({ entry }) => entry))
  const wanted = wordsOf(typed).filter(word => !stopWords.has(word))
  if (wanted.length === 0) return matches
  const byWords = index
    .map(known => ({ known, distance: wanted.reduce((sum, word) => sum + distanceTo(word, known), 0) }))
    .filter(({ known, distance }) => distance < (wanted.length === 1 ? inside : absent) && !found.has(known.entry))
    .sort((a, b) => a.distance - b.distance || a.known.entry.text.length - b.known.entry.text.length)
    .map(({ known: { entry } }): Match => ({ way: 'substring', text: entry.text, marks: [], entry }))
  // Several words seldom stand together within another.
  const isWritten = ({ way }: Match) => !typed.trim().includes(' ') || way === 'exact' || way === 'prefix'
  return [...matches.filter(isWritten), ...byWords, ...matches.filter(match => !isWritten(match))]
}

/** The names and values of a module's parameters: the search finds a single one by itself. */
const inside = 5
const absent = 1000

/** How far from a module's name a word stands. */
function distanceTo(word: string, { entry: { lower }, called, said, within }: Known): number {
  const root = stem(word)
  if (lower === word || stem(lower) === root) return 0
  if (called.has(root)) return 1
  if (root.length > 2 && (lower.includes(word) || lower.includes(root))) return said.has(root) ? 1 : 2
  if (said.has(root)) return 2
  if (root.length > 3 && [...said, ...called].some(each => each.startsWith(root))) return 3
  return within.has(root) ? inside : absent
}
