// The shown matches: a word such as `limit` occurs in fifty modules and must not hide all others.
import type { Purposes } from '../purposes.ts'
import { addressOf, type Entry, explain, type Place } from './entries.ts'
import type { Match } from './rank.ts'
import type { Results, Row } from './results.ts'

/** Places of one text shown at first. A fourth is not hidden: the line about it would be as long. */
const placesOfOne = 3

/** As many lines as a person looks through. Typing more narrows them down. */
const most = 30

/** @param opened entries that show all their places */
export function listResults(
  matches: readonly Match[],
  opened: Pick<ReadonlySet<Entry>, 'has'>,
  purposes: Purposes,
): Results {
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
        ...(kind === 'module' && place.module && { says: purposes.get(place.module.name) ?? '' }),
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
