import { type Entry, listEntries } from '../../../../catalogue/explorer/client/search/entries.ts'
import { rank } from '../../../../catalogue/explorer/client/search/rank.ts'
import { listResults } from '../../../../catalogue/explorer/client/search/rows.ts'
import { extensions } from '../../../../catalogue/validate/words.ts'
import moduleSentences from '../../../../catalogue/words/module-sentences.json' with { type: 'json' }
import { compact } from '../../../support/catalogue/validate.ts'

export { extensions }

export const sentences = new Map(Object.entries(moduleSentences.modules))

/** The search in the real catalogue, and entries for a made-up one. */

export const entries = listEntries(compact, extensions)

export const search = (typed: string, opened: ReadonlySet<Entry> = new Set()) =>
  listResults(rank(typed, entries), opened, sentences)

/** The visible lines: the text with its match in brackets, and why. */
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
