// Mistakes in the values of a multi-valued parameter, and several values for a single-valued one.
import type { CheckContext, Found } from '../finding.ts'
import type { KnownParameter, Target } from '../knowledge.ts'
import {
  asChoice,
  losing,
  type RuleText,
  removeOptional,
  replace,
  rewrite,
  swapPart,
  valueIn,
} from '../rule-texts/fixes.ts'
import { quote, short } from '../rule-texts/phrases.ts'
import { type RuleName, severityOf } from '../rules.ts'
import { isSeveral, joinValues, type Pair, type Part, readParts, splitOtherwise } from '../text/pairs.ts'
import { valueMeant } from '../words.ts'
import { faultsOfOne } from './values.ts'

/** All values of a multi-valued parameter. */
export const selectsAll = '*'

/** The values of a multi-valued pair. */
export const partsOf = (pair: Pair, { remember }: CheckContext): readonly Part[] =>
  remember(pair, 'parts', () => readParts(pair))

/** The meant values where another separator than `|` is used, if each is right; else null. */
export function splitAsMeant(pair: Pair, isRight: (text: string) => boolean): string[] | null {
  if (isSeveral(pair)) return null
  const texts = splitOtherwise(pair.value)
  return texts.length > 1 && texts.every(isRight) ? texts : null
}

/** The same for a parameter whose values can each be checked. */
export function valuesAsMeant(pair: Pair, { parameter }: Target, context: CheckContext): string[] | null {
  const { multi, type } = parameter
  if (!multi || isSeveral(pair) || !(type === 'enum' || type === 'ns' || type === 'int')) return null
  const isRight = (text: string) =>
    faultsOfOne(text, parameter, context).every(rule => severityOf(rule) !== 'error') ||
    valueMeant(text, parameter) !== undefined
  return isRight(pair.value) ? null : splitAsMeant(pair, isRight)
}

/** The meant users where `;` separates names: a name may contain it, but seldom does. */
export function usersAsMeant(pair: Pair, { parameter: { multi, name, type } }: Target): string[] | null {
  if (!multi || isSeveral(pair) || !(type === 'user' || name === 'users')) return null
  const names = pair.value.split(/\s*;\s*/).filter(Boolean)
  return names.length > 1 ? names : null
}

/** Types whose single value cannot contain a separator. */
export const isSingle = ({ type, multi }: KnownParameter): boolean =>
  !multi && ['enum', 'int', 'ns', 'limit'].includes(type)

export type Fault = [rule: RuleName, part?: Part]

export function faultsOfSeveral(parts: readonly Part[], parameter: KnownParameter, context: CheckContext): Fault[] {
  const { values } = context.knowledge
  const faults: Fault[] = []
  if (parts.length > (context.limits === 'normal' ? values.normal : values.high)) faults.push(['too-many-values'])
  else if (context.limits === 'any' && parts.length > values.normal) faults.push(['needs-high-limit'])

  const times = new Map<string, number>()
  for (const part of parts) {
    const time = (times.get(part.text) ?? 0) + 1
    times.set(part.text, time)
    if (time === 2 && !parameter.allows_duplicates) faults.push(['duplicate-value', part])
    if (time > 1 || isSelector(part.text, parameter)) continue
    for (const rule of faultsOfOne(part.text, parameter, context)) faults.push([rule, part])
  }
  for (const part of parameter.type === 'enum' ? parts : []) {
    const contrary = part.text.startsWith('!') ? part.text.slice(1) : `!${part.text}`
    if (times.has(contrary) && parts.findIndex(({ text }) => text === contrary) < parts.indexOf(part))
      faults.push(['excludes', part])
  }
  const all = parts.find(({ text }) => isSelector(text, parameter))
  if (all && (times.size > 1 || !parameter.all_specifier)) faults.push(['all-selector', all])
  return faults
}

/** In other types `*` is an ordinary value. */
const isSelector = (text: string, { type }: KnownParameter): boolean =>
  text === selectsAll && (type === 'enum' || type === 'ns')

/** The message and suggestions of each rule. */
export const severalTexts = {
  'wrong-separator': {
    message: ({ name, pair }) =>
      pair?.slip
        ? `Pairs are joined with &, and something else stands behind ${short(`${name}=${pair.value}`)}.`
        : `The values of ${short(name)} are joined with |, and ${quote(pair?.value ?? '')} is read as one.`,
    fixes: ({ name, pair, target }) => {
      if (pair?.slip) return [rewrite(pair, 'Join the pairs with &')]
      const texts = (pair && splitAsMeant(pair, () => true)) ?? []
      const meant = texts.map(text => (target && valueMeant(text, target.parameter)) ?? text)
      return [replace(name, [...new Set(meant)].join('|'))]
    },
  },
  'not-multi': {
    message: found => `${short(found.name)} takes one value, and ${quote(valueIn(found))} says several: leave one.`,
    fixes: found => {
      const parts = found.pair ? readParts(found.pair) : []
      return [...parts.slice(0, 2).map(({ text }) => losing(replace(found.name, text))), ...removeOptional(found)]
    },
  },
  'too-many-values': {
    message: ({ name, pair }, { knowledge, limits }) =>
      `${short(name)} has ${pair ? readParts(pair).length : 0} values, and ${limits === 'normal' ? knowledge.values.normal : knowledge.values.high} are allowed: split the query.`,
    fixes: ({ name, pair }, { knowledge, limits }) => {
      const most = limits === 'normal' ? knowledge.values.normal : knowledge.values.high
      const texts = pair ? readParts(pair).map(({ text }) => text) : []
      const first = { ...replace(name, joinValues(texts.slice(0, most), pair?.value)), label: `Keep the first ${most}` }
      return [losing(first)]
    },
  },
  'all-selector': {
    message: ({ name, target }) =>
      target?.parameter.all_specifier
        ? `${selectsAll} selects all values of ${short(name)}, and stands alone or not at all.`
        : `${selectsAll} does not select all values of ${short(name)}: write them out.`,
    fixes: found => {
      const { name, pair, target } = found
      const rest = pair && readParts(pair).length > 1 ? swapPart(found) : []
      if (target?.parameter.all_specifier) return [losing(replace(name, selectsAll)), ...rest]
      return [...rest, ...writtenOut(found), ...removeOptional(found)]
    },
  },
  'duplicate-value': {
    message: found => `${quote(valueIn(found))} stands in ${short(found.name)} more than once: once is enough.`,
    fixes: found => swapPart(found, [valueIn(found)]),
  },
  'unlikely-name': {
    message: found =>
      `${quote(valueIn(found))} is read as the name of one user: join the names of several by | in ${short(found.name)}.`,
    fixes: ({ name, pair, target }) => {
      const users = pair && target && usersAsMeant(pair, target)
      return users ? [asChoice(replace(name, users.join('|')))] : []
    },
  },
} as const satisfies Record<string, RuleText>

/** Values of a filter that contradict each other: `redirect` and `!redirect`. */
function writtenOut({ name, target }: Found) {
  const { values = new Set<string>(), deprecated_values: outdated = [] } = target?.parameter ?? {}
  const all = [...values].filter(value => !outdated.includes(value))
  return all.some(value => value.startsWith('!')) ? [] : [replace(name, all.join('|'))]
}
