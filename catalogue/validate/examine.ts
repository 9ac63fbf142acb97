// Finds all mistakes in the pairs of a query.
import { findInConditions } from './checks/conditions.ts'
import { chooseBy, isChoosing } from './checks/modules.ts'
import { readNames } from './checks/names.ts'
import { findImpossible, findInPageSet, givenPageSets } from './checks/page-set.ts'
import { findInValue } from './checks/parameters.ts'
import { comparedNames, queryNameOf } from './checks/query-names.ts'
import { findInRanges, findInRelations, findMissing } from './checks/relations.ts'
import { indexChosen } from './chosen.ts'
import type { CheckContext, Examined, Found, Understood } from './finding.ts'
import { type Chosen, choosing, queryLevel, type Role, type Target } from './knowledge.ts'
import { decode } from './text/encoding.ts'
import type { Pair } from './text/pairs.ts'

/** Rules about the text around a pair. */
const slips = {
  encoded: 'malformed-encoding',
  hash: 'cut-fragment',
  cut: 'cut-fragment',
  joined: 'wrong-separator',
} as const satisfies Record<NonNullable<Pair['slip']>['kind'], Found['rule']>

/** Linear in the pairs, the chosen modules and the findings. */
export function examine(pairs: readonly Pair[], context: CheckContext): Examined {
  const names = new Map<string, Pair>()
  const repeated = new Map<string, Pair>()
  for (const pair of pairs) {
    const earlier = names.get(pair.name)
    if (earlier && !repeated.has(pair.name)) repeated.set(pair.name, earlier)
    names.set(pair.name, pair)
  }
  if (context.isUnread) {
    const found: Found[] = [{ rule: 'unread-code', name: 'action' }]
    return { ...context, pairs, names, ...indexChosen([]), namedPairs: new Map(), found }
  }
  const action = names.get('action')
  if (context.isPage || (action && action.value !== '' && action.value !== 'query')) {
    const found: Found[] = [{ rule: 'not-a-query', name: 'action', ...(action && { pair: action }) }]
    return { ...context, pairs, names, ...indexChosen([]), namedPairs: new Map(), found }
  }

  const choiceBy = ([key, pair]: readonly [Role, Pair]) =>
    context.remember(pair, `choice of ${key}`, () => chooseBy(key, pair, context.knowledge))
  let exact: readonly Chosen[] | undefined
  // Lazy: few names come near to those that choose modules.
  const chosenBefore = () => {
    exact ??= [...names].flatMap(([name, pair]) => (isChoosing(name) ? choiceBy([name, pair]).chosen : []))
    return exact
  }
  const choices = [...choosingPairs(names, context, chosenBefore)].map(choiceBy)
  const inModules = choices.flatMap(choice => choice.found)
  const reading = { ...context, names, ...indexChosen(choices.flatMap(choice => choice.chosen)) }
  const { namedPairs, found: inNames } = readNames(reading)
  const query = { ...reading, namedPairs }
  const found: Found[] = (context.unread ?? []).map(pair => ({ rule: 'unread-code', name: pair.name, pair }))
  // One fix covers all of them.
  const slipped = pairs.find(({ slip }) => slip)
  if (slipped?.slip) found.push({ rule: slips[slipped.slip.kind], name: slipped.name, pair: slipped })
  for (const pair of pairs) if (pair.isMalformed) found.push({ rule: 'malformed-encoding', name: pair.name, pair })
  for (const [name, pair] of repeated) found.push({ rule: 'duplicate-name', name, pair })
  for (const part of [inModules, inNames]) for (const each of part) found.push(each)
  for (const [name, { pair, target }] of namedPairs) {
    if (isEncodedTwice(pair) && (name === 'titles' || (target && takesNames(target))))
      found.push({ rule: 'malformed-encoding', name: pair.name, pair })
    if (target) for (const each of findInValue(pair, target, context)) found.push(each)
  }
  for (const named of namedPairs.values()) for (const each of findImpossible(named)) found.push(each)
  for (const find of [findInPageSet, findMissing, findInConditions, findInRelations, findInRanges])
    found.push(...find(query))
  // A page set alone asks which of its pages there are, and for their ids.
  const isAsked = choosing.some(name => namedPairs.get(name)?.pair.value) || givenPageSets(query).length > 0
  if (!isAsked) found.push({ rule: 'no-module', name: choosing[0] })
  return { ...query, pairs, found: found.filter(({ rule }) => !isInProgram(rule, query)) }
}

/** Rules that unseen parts of a program may satisfy: its modules, and an object outside the text. */
const ofModules: ReadonlySet<Found['rule']> = new Set([
  'module-not-requested',
  'generator-prefix-unused',
  'no-module',
  'no-page-set',
  'unread-page-set',
])
const ofAbsence: ReadonlySet<Found['rule']> = new Set(['required-missing', 'needs'])

/** Whether the program may contain what the rule misses in the text. */
function isInProgram(rule: Found['rule'], { leftOut, namedPairs }: Understood): boolean {
  const takesMore = leftOut.length > 0
  const asksMore = () => takesMore || choosing.some(name => namedPairs.get(name)?.pair.isOpen)
  return (takesMore && ofAbsence.has(rule)) || (ofModules.has(rule) && asksMore())
}

/** Titles and user names contain no `%` with two hex digits (MediaWiki, MediaWikiTitleCodec). */
const isEncodedTwice = ({ value, isMalformed, isOpen }: Pair): boolean =>
  !isMalformed && !isOpen && /%[\da-f]{2}/i.test(value) && !decode(value).isMalformed

const takesNames = ({ parameter: { name, type } }: Target): boolean =>
  type === 'title' || type === 'user' || /^(?:titles?|users|categories|templates|images)$/.test(name)

/** The pairs that choose modules, in the query's order; a misspelt name counts if the right one is absent. */
function choosingPairs(
  names: ReadonlyMap<string, Pair>,
  context: CheckContext,
  chosen: () => readonly Chosen[],
): Map<Role, Pair> {
  const pairs = new Map<Role, Pair>()
  let compared = 0
  for (const [name, pair] of names) {
    const lower = name.toLowerCase()
    const isUnknown = !queryLevel.has(lower) && !context.knowledge.wires.has(name) && compared++ < comparedNames
    const key = isUnknown ? (queryNameOf(pair, context, chosen) ?? '') : lower
    if (isChoosing(key) && (key === name || !(names.has(key) || pairs.has(key)))) pairs.set(key, pair)
  }
  return pairs
}
