// Misspelt query-level names, such as `lists` for `list`.
import { findNear } from '../../nearest.ts'
import { ownWires } from '../chosen.ts'
import type { Reading } from '../finding.ts'
import { type Chosen, queryLevel, wireName } from '../knowledge.ts'
import type { Pair } from '../text/pairs.ts'
import { queryNameMeant } from '../words.ts'

/** Maximum unknown names to compare with query-level ones. Nobody writes more. */
export const comparedNames = 50

/** The surely meant query-level name: no name of a chosen module is as near, and none is nearer without a module's prefix. */
export function queryNameOf(
  pair: Pair,
  { remember }: Pick<Reading, 'remember'>,
  chosen: () => readonly Chosen[],
): string | undefined {
  const { name } = pair
  const { word, nearest, distance } = remember(pair, 'name of the query', () => ({
    word: queryNameMeant(name),
    ...findNear(name, queryLevel),
  }))
  const [meant, ...others] = nearest
  if (word !== undefined || meant === undefined || others.length > 0) return word
  const own = chosen()
  // Trials of suggestions repeat this.
  const isOwn = remember(pair, `own beside ${own.map(each => wireName(each, '')).join()}`, () => {
    const isWithPrefix = own.some(each => isPrefixed(name, each, meant))
    return isWithPrefix || findNear(name, ownWires(own)).distance <= distance
  })
  return isOwn ? undefined : meant
}

/** Whether a query-level name was written with a module's prefix, as if it were its parameter. */
export function isPrefixed(name: string, chosen: Chosen, meant: string): boolean {
  const prefix = wireName(chosen, '')
  if (prefix === '' || !name.startsWith(prefix)) return false
  return findNear(name.slice(prefix.length), [meant]).distance < findNear(name, [meant]).distance
}
