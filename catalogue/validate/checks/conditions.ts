// Parameters that work only with others: the catalogue's conditions, as MediaWiki applies them.
import type { Condition } from '../../model.ts'
import type { Examined, Found, Understood } from '../finding.ts'
import { type Target, wireName } from '../knowledge.ts'
import { type RuleText, remove } from '../rule-texts/fixes.ts'
import { short } from '../rule-texts/phrases.ts'
import { givenGenerator, givenPageSets, isAboutSeveral } from './page-set.ts'
import { isDefault, isGiven } from './parameters.ts'

/** Finds parameters whose conditions do not hold. A value that equals the default needs no condition. */
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
function modeOf(target: Target, query: Understood): number {
  if (givenPageSets(query).length > 0 || givenGenerator(query)) return 1
  return hasUser(target, query) ? 2 : 3
}

function hasUser(target: Target, { namedPairs }: Understood): boolean {
  const user = namedPairs.get(userOf(target))
  return user !== undefined && user.pair.value !== ''
}

/** The name of the same module's parameter `user`. */
const userOf = (target: Target): string => wireName(target, 'user')

/** The message and suggestions of each rule. */
export const conditionTexts = {
  condition: {
    message: (found, examined) => {
      const { name, names: [user = ''] = [] } = found
      switch (conditionOf(found)) {
        case 'useronly':
          return `${short(name)} works with ${user} alone: add that, or leave it out.`
        case 'nonuseronly':
          return `${short(name)} does not work with ${user}: leave one out.`
        case 'singlepageonly':
          return `${short(name)} works for a single page alone, and the query is about several, or about single revisions.`
        default:
          return `${short(name)} does not work ${modeNames[modeIn(found, examined)]}: leave it out.`
      }
    },
    fixes: (found, { namedPairs }) => {
      const { name, names: [wire = ''] = [] } = found
      const user = namedPairs.get(wire)
      return [remove(name), ...(conditionOf(found) === 'nonuseronly' && user ? [remove(user.pair.name)] : [])]
    },
  },
} as const satisfies Record<string, RuleText>

const conditionOf = ({ target }: Found): string | undefined => target?.parameter.conditions?.[0]?.name

/** By deletedrevs' modes. */
const modeNames: Record<number, string> = {
  1: 'on given pages',
  2: "on a user's revisions",
  3: 'without pages or a user',
}

const modeIn = ({ target }: Found, examined: Examined): number => (target ? modeOf(target, examined) : 0)
