// Which matches are shown: a word such as `limit` occurs in fifty modules and must not hide all others.
import { moduleSentence } from '../../words.ts'
import { addressOf, type Entry, explain, type Place } from './entries.ts'
import type { Match } from './rank.ts'
import type { Results, Row } from './results.ts'

/** Places shown of one text at first. A fourth is not hidden: the line that says so would be as long. */
const placesOfOne = 3

/** A person can look through this many lines. Typing another letter narrows them down. */
const most = 30

/** @param opened entries whose places are all shown */
export function listResults(matches: readonly Match[], opened: Pick<ReadonlySet<Entry>, 'has'>): Results {
  const rows: Row[] = []
  let shown = 0
  for (const match of matches) {
    if (rows.length >= most) break
    const { kind, text, places } = match.entry
    const isWhole = opened.has(match.entry) || places.length <= placesOfOne + 1
    const listed = isWhole ? places : places.slice(0, placesOfOne)
    rows.push(
      ...listed.map(place => ({
        match,
        why: whyOf(match, place),
        href: addressOf(match.entry, place),
        ...(kind === 'module' && place.module && { says: moduleSentence(place.module.name) }),
      })),
    )
    if (!isWhole) rows.push({ match, why: `${places.length - listed.length} more ${kind}s named ${text}` })
    shown += listed.length
  }
  const total = matches.reduce((sum, { entry }) => sum + entry.places.length, 0)
  return { rows, total, shown }
}

function whyOf({ entry, way, said }: Match, place: Place): string {
  const why = explain(entry, place)
  if (way === 'typo') return `similar: ${why}`
  return said ? `${why}, for “${said}”` : why
}
