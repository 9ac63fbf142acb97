import leven from 'leven'
import { inCapitals } from './setting.ts'

/** Edits of one character by which a mistyped name may differ: two, for swapped letters; one for short names. */
const maxEdits = (name: string): number => (name.length < 9 ? 1 : 2)

/** The known name that a mistyped one is closest to, if any is close enough. */
export const closestTo = (name: string, known: readonly string[]): string | undefined =>
  known
    .map(candidate => ({ candidate, edits: leven(name, candidate) }))
    .filter(({ candidate, edits }) => edits <= maxEdits(candidate))
    .sort((a, b) => a.edits - b.edits)[0]?.candidate

/** A warning for each environment variable whose name is close to a known one. */
export const nearNames = (env: Record<string, string | undefined>, known: readonly string[]): string[] =>
  [...inCapitals(env).keys()]
    .filter(name => !known.includes(name))
    .flatMap(name => {
      const meant = closestTo(name, known)
      return meant ? [`${name} is not a setting. Did you mean ${meant}?`] : []
    })
