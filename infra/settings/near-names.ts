import leven from 'leven'
import { inCapitals } from './setting.ts'

/** Single-character edits by which a mistyped name may differ: two, for letters swapped; one where names are short. */
const maxEdits = (name: string): number => (name.length < 9 ? 1 : 2)

/** The one of some names that another nearly is, or undefined. */
export const closestTo = (name: string, known: readonly string[]): string | undefined =>
  known
    .map(candidate => ({ candidate, edits: leven(name, candidate) }))
    .filter(({ candidate, edits }) => edits <= maxEdits(candidate))
    .sort((a, b) => a.edits - b.edits)[0]?.candidate

/** A warning for each variable of an environment whose name nearly is one of ours. */
export const nearNames = (env: Record<string, string | undefined>, known: readonly string[]): string[] =>
  [...inCapitals(env).keys()]
    .filter(name => !known.includes(name))
    .flatMap(name => {
      const meant = closestTo(name, known)
      return meant ? [`${name} is set, which is no setting. Is ${meant} meant?`] : []
    })
