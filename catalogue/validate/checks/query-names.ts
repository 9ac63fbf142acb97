// Which name of the query as a whole was meant, such as `list` by `lists`.
import { findNear } from '../../nearest.ts'
import { ownWires } from '../chosen.ts'
import type { Reading } from '../finding.ts'
import { type Chosen, queryLevel, wireName } from '../knowledge.ts'
import type { Pair } from '../text/pairs.ts'
import { queryNameMeant } from '../words.ts'

/** Of the names that are not known, so many are compared with those of the query as a whole. No person writes more. */
export const comparedNames = 50

/**
 * The name of the query as a whole that was surely meant: no name of a chosen module comes as near, and it comes no nearer
 * without the prefix of one.
 */
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
  // Trials of suggestions ask the same again.
  const isOwn = remember(pair, `own beside ${own.map(each => wireName(each, '')).join()}`, () => {
    const isWithPrefix = own.some(each => isPrefixed(name, each, meant))
    return isWithPrefix || findNear(name, ownWires(own)).distance <= distance
  })
  return isOwn ? undefined : meant
}

/** Whether a name of the query as a whole was written with a module's prefix, as if it were its parameter. */
export function isPrefixed(name: string, chosen: Chosen, meant: string): boolean {
  const prefix = wireName(chosen, '')
  if (prefix === '' || !name.startsWith(prefix)) return false
  return findNear(name.slice(prefix.length), [meant]).distance < findNear(name, [meant]).distance
}
