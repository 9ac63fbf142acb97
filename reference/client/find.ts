// Finds places of the page by their names, and by people's words.
import {
  indexKnown,
  type Known,
  type Meant,
  openRoots,
  rankByWords,
  type WordIndex,
  wordsOf,
} from '../../catalogue/explorer/client/search/meaning.ts'
import type { Mark, Results } from '../../catalogue/explorer/client/search/results.ts'
import { phrases, synonyms } from './phrases.ts'

/** A named place on the page. */
export interface Place {
  id: string
  /** Its title. */
  text: string
  /** Its kind: `POST /auth/login`, `shape`. */
  kind: string
  /** The heading of its section. */
  section: string
  /** Its whole text. */
  content: string
  /** What to do in place of what is not here. */
  instead?: string
}

/** With its title, id, kind and section, and with its whole text, in lower case. */
type Entry = Place & { names: string; all: string }

/** As many lines as a person looks through. Typing more narrows them down. */
const maxRows = 30

export function openSearch(places: readonly Place[]): (typed: string) => Results {
  const roots = openRoots(synonyms)
  const known = places.map((place): Known<Entry> => {
    const { id, text, kind, section, content } = place
    const names = roots.rootsOf(`${text} ${id}`)
    // Who types a name of the others finds it as such; words are for what one can do.
    const called = isOperation(kind)
      ? [{ text, roots: roots.rootsOf(text) }, ...names.map(root => ({ text, roots: [root] }))]
      : []
    const asked = [...called, ...roots.phrasesOf(phrases[id] ?? '')]
    return {
      of: { ...place, names: `${text} ${id} ${kind} ${section}`.toLowerCase(), all: content.toLowerCase() },
      names: '',
      phrases: asked,
      said: new Set([...names, ...asked.flatMap(({ roots }) => roots), ...roots.rootsOf(`${kind} ${section}`)]),
      within: new Set(roots.rootsOf(content)),
    }
  })
  const index = indexKnown(known, roots)
  return typed => {
    const found = rank(typed.trim().toLowerCase(), index)
    const rows = found.slice(0, maxRows).map(({ of: entry, said }) => ({
      match: { text: entry.text, marks: marksOf(partsOf(typed), entry.text.toLowerCase()), entry },
      why: said === undefined || said === entry.text ? entry.kind : `${entry.kind}, for “${said}”`,
      href: `#${entry.id}`,
      ...(entry.instead && { says: entry.instead }),
    }))
    return { rows, total: found.length, shown: rows.length }
  }
}

/** `POST /auth/login`. */
const isOperation = (kind: string): boolean => kind.includes('/')

const partsOf = (typed: string): string[] => typed.toLowerCase().split(/\s+/).filter(Boolean)

/** A shorter word matches only where words begin: inside others it matches by chance. */
const shortestWithin = 4

/** The places with a name, those that begin with it, those that people mean by it, then those with every part of it. */
function rank(typed: string, index: WordIndex<Entry>): Pick<Meant<Entry>, 'of' | 'said'>[] {
  const parts = partsOf(typed)
  if (parts.length === 0) return []
  const isIn = (text: string) => (part: string) =>
    part.length < shortestWithin
      ? ` ${text}`.split(part).some((_, at, parts) => at > 0 && /[^a-z\d]$/.test(parts[at - 1] ?? ''))
      : text.includes(part)
  const entries = index.known.map(({ of }) => of)
  const matching = (matches: (entry: Entry) => boolean) => entries.filter(matches).map(of => ({ of }))
  const found = [
    ...matching(({ text, id }) => [text.toLowerCase(), id].includes(typed)),
    ...matching(({ text }) => text.toLowerCase().startsWith(typed)),
    ...rankByWords(wordsOf(typed), index),
    ...matching(({ names }) => parts.every(isIn(names))),
    ...matching(({ names, all }) => parts.every(part => isIn(names)(part) || isIn(all)(part))),
  ]
  const seen = new Set<Entry>()
  return found.filter(({ of }) => !seen.has(of) && seen.add(of))
}

/** The positions of the words in a title, from left to right, each letter once. */
function marksOf(words: readonly string[], title: string): Mark[] {
  const marks = words.map((word): Mark => [title.indexOf(word), title.indexOf(word) + word.length])
  const inOrder = marks.filter(([start]) => start >= 0).sort(([a], [b]) => a - b)
  return inOrder.filter(([start], index) => index === 0 || start >= (inOrder[index - 1]?.[1] ?? 0))
}
