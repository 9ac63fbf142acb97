// Parameters that work only together with others: the catalogue's conditions, as MediaWiki applies them.
import type { Condition } from '../../model.ts'
import type { Found, Understood } from '../finding.ts'
import { type Target, wireName } from '../knowledge.ts'
import { givenGenerator, givenPageSets, isAboutSeveral } from './page-set.ts'
import { isDefault, isGiven } from './values.ts'

/** Finds the parameters whose conditions do not hold. A value that equals the default needs no condition. */
export function findInConditions(query: Understood): Found[] {
  return [...query.namedPairs.values()].flatMap(({ pair, target }) => {
    const conditions = target?.parameter.conditions
    if (!target || !conditions || !isGiven(pair, target) || isDefault(pair, target)) return []
    const { module } = target
    return conditions
      .filter(condition => !holds(condition, target, query))
      .map((): Found => ({ rule: 'condition', name: pair.name, pair, module, target, names: [userOf(target)] }))
  })
}

function holds({ name, values }: Condition, target: Target, query: Understood): boolean {
  switch (name) {
    case 'useronly':
      return hasUser(target, query)
    case 'nonuseronly':
      return !hasUser(target, query)
    case 'singlepageonly':
      return !isAboutSeveral(query, target.role === 'generator')
    case 'modes':
      // The specification lists modes 1 and 3, but MediaWiki accepts `dir` in all three.
      return target.parameter.name === 'dir' || values?.includes(modeOf(target, query)) === true
    default:
      return true
  }
}

/** deletedrevs works on given pages (1), on a user's revisions (2), or on all (3). */
export function modeOf(target: Target, query: Understood): number {
  if (givenPageSets(query).length > 0 || givenGenerator(query)) return 1
  return hasUser(target, query) ? 2 : 3
}

function hasUser(target: Target, { namedPairs }: Understood): boolean {
  const user = namedPairs.get(userOf(target))
  return user !== undefined && user.pair.value !== ''
}

/** The name of the same module's parameter `user`. */
const userOf = (target: Target): string => wireName(target, 'user')
