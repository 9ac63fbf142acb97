import { type Entry, kinds } from './entries.ts'
import type { Mark } from './results.ts'

/** The kinds of matches, best first. */
const ways = ['exact', 'prefix', 'substring', 'other number', 'typo', 'words'] as const

type Way = (typeof ways)[number]

type Found = { way: Way; text: string; marks: readonly Mark[] }

/** `said`: the people's words that found the module. */
export type Match = Found & { entry: Entry; said?: string }

/** Shorter texts are too short to tell a typing error from another word. */
const shortestMistyped = 3

/**
 * The matching entries: exact ones, then those that begin with the typed text, contain it, contain its plural or
 * singular, or are one typo away. Within these by kind, then by length, then in the entries' order. Case and white
 * space do not count.
 */
export function rank(typed: string, entries: readonly Entry[]): Match[] {
  const wanted = typed.replace(/\s+/g, '').toLowerCase()
  if (wanted === '') return []
  const words = { wanted, other: otherNumber(wanted) }
  return entries
    .flatMap(entry => {
      const found = find(words, entry)
      return found ? { ...found, entry } : []
    })
    .map(match => ({ match, place: placeOf(match) }))
    .sort((a, b) => a.place - b.place)
    .map(({ match }) => match)
}

/** A number to sort by. No text is as long as 1000, the step between kinds. */
const placeOf = ({ way, entry: { kind, text } }: Match): number =>
  (ways.indexOf(way) * kinds.length + kinds.indexOf(kind)) * 1000 + text.length

/** The typed text, and its plural or singular. */
type Words = { wanted: string; other: string | null }

function find(wanted: Words, { text, lower, path }: Entry): Found | null {
  const byText = findIn(wanted, lower, text)
  if (path === undefined || byText?.way === 'exact') return byText
  const byPath = findIn(wanted, path, path)
  if (!byText || !byPath) return byText ?? byPath
  return ways.indexOf(byPath.way) < ways.indexOf(byText.way) ? byPath : byText
}

function findIn({ wanted, other }: Words, lower: string, text: string): Found | null {
  const start = lower.indexOf(wanted)
  if (start === -1) {
    const at = other === null ? -1 : lower.indexOf(other)
    if (other !== null && at !== -1) return { way: 'other number', text, marks: [[at, at + other.length]] }
    const marks = compareMistyped(wanted, lower)
    return marks && { way: 'typo', text, marks }
  }
  const way = lower === wanted ? 'exact' : start === 0 ? 'prefix' : 'substring'
  return { way, text, marks: [[start, start + wanted.length]] }
}

/** The plural of a word in -y, else the singular of one in -ies or -s; any other plural contains its singular. */
function otherNumber(word: string): string | null {
  if (word.length <= shortestMistyped) return null
  const other = word.replace(/(?:[^aeiou]y|ies|[^s]s)$/, end =>
    end === 'ies' ? 'y' : end.endsWith('y') ? `${end[0]}ies` : end.slice(0, -1),
  )
  return other === word ? null : other
}

/**
 * Whether one letter is missing, added or wrong, or two are swapped (Damerau-Levenshtein distance 1): then almost
 * nothing is between the common beginning and the common end.
 *
 * @returns the common beginning and end as ranges of `text`; null if the texts are equal or differ more
 */
export function compareMistyped(typed: string, text: string): Mark[] | null {
  const shorter = Math.min(typed.length, text.length)
  const longer = Math.max(typed.length, text.length)
  if (shorter < shortestMistyped || longer - shorter > 1) return null
  let head = 0
  while (head < shorter && typed[head] === text[head]) head++
  let tail = 0
  while (tail < shorter - head && typed.at(-1 - tail) === text.at(-1 - tail)) tail++
  const between = longer - head - tail
  const areSwapped =
    between === 2 && shorter === longer && typed[head] === text[head + 1] && typed[head + 1] === text[head]
  if (between !== 1 && !areSwapped) return null
  return [[0, head] as const, [text.length - tail, text.length] as const].filter(([start, end]) => start < end)
}
