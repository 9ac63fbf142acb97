// Finds modules by people's words.
import people from '../../../words/people.json' with { type: 'json' }
import type { Purposes } from '../purposes.ts'
import type { Entry } from './entries.ts'
import { indexKnown, type Known, openRoots, rankByWords, strengths, type WordIndex, wordsOf } from './meaning.ts'
import { type Match, rank } from './rank.ts'

const roots = openRoots(people.same)

/** In the catalogue's order: the build leaves the modules' names out. */
const phrasesOfModules = Object.values(people.modules)
const phrasesOfOthers: Record<string, string> = people.extensions

const families = people.parameters.flatMap(({ names, words }) =>
  names.split(' ').map(name => [name, wordsOf(words)] as const),
)

export function indexWords(entries: readonly Entry[], purposes: Purposes): WordIndex<Entry> {
  const within = new Map<string, Set<string>>()
  for (const { kind, lower, places } of entries) {
    if (kind !== 'parameter' && kind !== 'value') continue
    const words = [lower, ...families.flatMap(([name, words]) => (kind === 'parameter' && name === lower ? words : []))]
    for (const { module } of places) {
      if (!module) continue
      const known = within.get(module.name) ?? new Set()
      within.set(module.name, known)
      for (const word of words) for (const root of roots.rootsOf(word)) known.add(root)
    }
  }
  // Modules come first, in the catalogue's order.
  const known = entries.flatMap((entry, at): Known<Entry>[] => {
    if (!isModule(entry)) return []
    const isOurs = entry.kind === 'module'
    const phrases = roots.phrasesOf((isOurs ? phrasesOfModules[at] : phrasesOfOthers[entry.text]) ?? '')
    const said = [...phrases.flatMap(({ roots }) => roots), ...roots.rootsOf(purposes.get(entry.text) ?? '')]
    const names = isOurs ? entry.lower : ''
    return [{ of: entry, names, phrases, said: new Set(said), within: within.get(entry.text) ?? new Set() }]
  })
  return indexKnown(known, roots)
}

const isModule = ({ kind }: Entry): boolean => kind === 'module' || kind === 'module of an extension'

/** Nobody types more to find one module; a pasted text has thousands. */
const mostWords = 12

/** Names that begin with the typed text, then modules by people's words, then other matches. */
export function searchFor(typed: string, entries: readonly Entry[], index: WordIndex<Entry>): Match[] {
  const matches = rank(typed, entries)
  const words = wordsOf(typed).slice(0, mostWords)
  const meant = rankByWords(words, index).map(({ of: entry, said, strength }) => {
    const match = { way: 'words', text: entry.text, marks: [], entry, ...(said && { said }) } as const
    return { ...match, strength }
  })
  const isNamed = ({ way, entry }: Match) =>
    isModule(entry) ? way === 'exact' || way === 'prefix' : way === 'exact' && isName.has(entry.kind)
  const isSingle = words.length === 1
  // A single word is often a value or a parameter, which come before modules with the word in a phrase.
  const parts = isSingle
    ? [
        matches.filter(isNamed),
        meant.filter(({ strength }) => strength === strengths.name),
        matches.filter(({ way }) => way === 'exact' || way === 'prefix'),
        meant.filter(({ strength }) => strength === strengths.said),
      ]
    : [matches.filter(isNamed), meant]
  const seen = new Set<Entry>()
  return [...parts.flat(), ...matches].filter(({ entry }) => !seen.has(entry) && seen.add(entry))
}

/** Kinds of names that only experts type. */
const isName: ReadonlySet<string> = new Set(['prefix', 'wire name', 'query name'])
