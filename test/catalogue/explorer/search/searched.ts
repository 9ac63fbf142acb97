import { type Entry, listEntries } from '../../../../catalogue/explorer/client/search/entries.ts'
import { rank } from '../../../../catalogue/explorer/client/search/rank.ts'
import { listResults } from '../../../../catalogue/explorer/client/search/rows.ts'
import { extensions } from '../../../../catalogue/validate/words.ts'
import { compact } from '../../../support/catalogue/validate.ts'

export { extensions }

/** The search in the catalogue as it is, and entries for a catalogue that a test makes up. */

export const entries = listEntries(compact, extensions)

export const search = (typed: string, opened: ReadonlySet<Entry> = new Set()) =>
  listResults(rank(typed, entries), opened)

/** What a person sees of the lines: the text, with what matched in brackets, and why. */
export const linesOf = (typed: string): string[] =>
  search(typed).rows.map(({ match: { text, marks }, why }) => {
    const marked = marks.toReversed().reduce((text, [start, end]) => {
      return `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`
    }, text)
    return `${marked}: ${why}`
  })

export const some = (kind: Entry['kind'], text: string, ...places: Entry['places']): Entry => ({
  kind,
  text,
  lower: text.toLowerCase(),
  ...(kind === 'module' && { path: `query+${text}` }),
  places,
})

export const textsOf = (typed: string, known: readonly Entry[]) => rank(typed, known).map(({ entry: { text } }) => text)
