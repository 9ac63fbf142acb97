// What of the matches is shown: a word such as `limit` stands in fifty modules and must not hide all others.
import { addressOf, type Entry, explain, type Place } from './entries.ts'
import type { Match } from './rank.ts'

/** A place, which leads to its page; or how many more places of the same text there are. */
export type Row = { match: Match; why: string; href?: string }

export type Results = {
  rows: Row[]
  /** All places, shown or not. */
  total: number
  shown: number
}

/** Places of one text that are shown until one asks for all. One more is not hidden: saying so would take its line. */
const placesOfOne = 3

/** So many lines can be looked through; who wants others types another letter. */
const most = 30

/** @param opened those of which all places are shown */
export function listResults(matches: readonly Match[], opened: ReadonlySet<Entry>): Results {
  const rows: Row[] = []
  let shown = 0
  for (const match of matches) {
    if (rows.length >= most) break
    const { kind, text, places } = match.entry
    const isWhole = opened.has(match.entry) || places.length <= placesOfOne + 1
    const listed = isWhole ? places : places.slice(0, placesOfOne)
    rows.push(
      ...listed.map(place => ({
        match: kind === 'other name' ? { ...match, text: place.module.name, marks: [] } : match,
        why: whyOf(match, place),
        href: addressOf(match.entry, place),
      })),
    )
    if (!isWhole) rows.push({ match, why: `${places.length - listed.length} more ${kind}s named ${text}` })
    shown += listed.length
  }
  const total = matches.reduce((sum, { entry }) => sum + entry.places.length, 0)
  return { rows, total, shown }
}

function whyOf({ entry, way }: Match, place: Place): string {
  return way === 'typo' ? `similar: ${explain(entry, place)}` : explain(entry, place)
}
