// Finds everything that is wrong with the pairs of a query.
import { findInConditions } from './checks/conditions.ts'
import { chooseBy, isChoosing } from './checks/modules.ts'
import { comparedNames, queryNameOf, readNames } from './checks/names.ts'
import { findInPageSet } from './checks/page-set.ts'
import { findInRelations, findMissing } from './checks/relations.ts'
import { findInValue } from './checks/values.ts'
import { indexChosen } from './chosen.ts'
import type { CheckContext, Examined, Found } from './finding.ts'
import { choosing, queryLevel, type Role } from './knowledge.ts'
import type { Pair } from './text/pairs.ts'

/** The work is linear in the pairs, the chosen modules and the findings. */
export function examine(pairs: readonly Pair[], context: CheckContext): Examined {
  const names = new Map<string, Pair>()
  const repeated = new Map<string, Pair>()
  for (const pair of pairs) {
    const earlier = names.get(pair.name)
    if (earlier && !repeated.has(pair.name)) repeated.set(pair.name, earlier)
    names.set(pair.name, pair)
  }
  const action = names.get('action')
  if (context.isPage || (action && action.value !== '' && action.value !== 'query')) {
    const found: Found[] = [{ rule: 'not-a-query', name: 'action', ...(action && { pair: action }) }]
    return { ...context, pairs, names, ...indexChosen([]), namedPairs: new Map(), found }
  }

  const choices = [...choosingPairs(names, context)].map(([key, pair]) =>
    context.remember(pair, `choice of ${key}`, () => chooseBy(key, pair, context.knowledge)),
  )
  const inModules = choices.flatMap(choice => choice.found)
  const reading = { ...context, names, ...indexChosen(choices.flatMap(choice => choice.chosen)) }
  const { namedPairs, found: inNames } = readNames(reading)
  const query = { ...reading, namedPairs }
  const found: Found[] = []
  for (const pair of pairs) if (pair.isMalformed) found.push({ rule: 'malformed-encoding', name: pair.name, pair })
  for (const [name, pair] of repeated) found.push({ rule: 'duplicate-name', name, pair })
  for (const part of [inModules, inNames]) for (const each of part) found.push(each)
  for (const { pair, target } of namedPairs.values()) {
    if (target) for (const each of findInValue(pair, target, context)) found.push(each)
  }
  for (const find of [findInPageSet, findMissing, findInConditions, findInRelations]) found.push(...find(query))
  if (!choosing.some(name => namedPairs.get(name)?.pair.value)) found.push({ rule: 'no-module', name: choosing[0] })
  return { ...query, pairs, found }
}

/** The pairs that choose modules, in the query's order; a misspelt name counts where the right one is absent. */
function choosingPairs(names: ReadonlyMap<string, Pair>, { knowledge, remember }: CheckContext): Map<Role, Pair> {
  const pairs = new Map<Role, Pair>()
  let compared = 0
  for (const [name, pair] of names) {
    const lower = name.toLowerCase()
    const isUnknown = !queryLevel.has(lower) && !knowledge.wires.has(name) && compared++ < comparedNames
    const key = isUnknown ? (remember(pair, 'name of the query', () => queryNameOf(name)) ?? '') : lower
    if (isChoosing(key) && (key === name || !(names.has(key) || pairs.has(key)))) pairs.set(key, pair)
  }
  return pairs
}
