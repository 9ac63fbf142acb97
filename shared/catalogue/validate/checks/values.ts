// What is wrong with the value of one parameter, by its type.
import type { CheckContext, Found } from '../finding.ts'
import type { KnownParameter, Target } from '../knowledge.ts'
import { type RuleName, severityOf } from '../rules.ts'
import { isSensitive, isSeveral, type Pair, type Part, readParts } from '../text/pairs.ts'
import { valueMeant } from '../words.ts'
import { isTimestamp, isUnlikely, subtypeOf } from './text-forms.ts'

/** All values of a parameter that takes several. */
export const selectsAll = '*'

/** The value that stands for the caller's highest limit. */
export const highestLimit = 'max'

/** Everything that is found in a pair's value, as the value of a parameter. */
export const findInValue = (pair: Pair, target: Target, context: CheckContext): readonly Found[] =>
  context.remember(pair, `found as ${target.wire}`, () => {
    if (pair.isOpen) return []
    const at = { name: pair.name, pair, module: target.module, target }
    return faultsOf(pair, target, context).map(([rule, part]): Found => ({ rule, ...at, ...(part && { part }) }))
  })

/** Not empty, or a boolean, which is true whenever its name is there. */
export const isGiven = (pair: Pair, { parameter }: Target): boolean => parameter.type === 'bool' || pair.value !== ''

/** Whether a value says the same as the default. */
export function isDefault(pair: Pair, { parameter }: Target): boolean {
  const usual = parameter.default
  if (usual === undefined || parameter.type === 'bool') return false
  const same = (text: string) => (isNumeric(parameter) ? asNumber(text) : text)
  if (!parameter.multi) return same(pair.value) === same(String(usual))
  const selected = new Set(readParts(pair).map(({ text }) => same(text)))
  const due = new Set(String(usual) === '' ? [] : String(usual).split('|').map(same))
  return selected.size === due.size && [...due].every(value => selected.has(value))
}

/** The values of a pair that takes several. */
export const partsOf = (pair: Pair, { remember }: CheckContext): readonly Part[] =>
  remember(pair, 'parts', () => readParts(pair))

/** The texts between which something else than `|` stands. */
export const splitOtherwise = (text: string): string[] => text.split(/[,;\s]+/).filter(Boolean)

/** The values that were meant where something else than `|` stands between them, if each is right; else null. */
export function splitAsMeant(pair: Pair, isRight: (text: string) => boolean): string[] | null {
  if (isSeveral(pair)) return null
  const texts = splitOtherwise(pair.value)
  return texts.length > 1 && texts.every(isRight) ? texts : null
}

/** The same for the values of a parameter of which each can be told right or wrong. */
export function valuesAsMeant(pair: Pair, { parameter }: Target, context: CheckContext): string[] | null {
  const { multi, type } = parameter
  if (!multi || !(type === 'enum' || type === 'ns' || type === 'int')) return null
  const isRight = (text: string) =>
    faultsOfOne(text, parameter, context).every(rule => severityOf(rule) !== 'error') ||
    valueMeant(text, parameter) !== undefined
  return isRight(pair.value) ? null : splitAsMeant(pair, isRight)
}

/** The users that were meant where `;` stands between their names: so one name may be written, but seldom is. */
export function usersAsMeant(pair: Pair, { parameter: { multi, name, type } }: Target): string[] | null {
  if (!multi || isSeveral(pair) || !(type === 'user' || name === 'users')) return null
  const names = pair.value.split(/\s*;\s*/).filter(Boolean)
  return names.length > 1 ? names : null
}

type Fault = [rule: RuleName, part?: Part]

function faultsOf(pair: Pair, target: Target, context: CheckContext): Fault[] {
  const { parameter } = target
  // Then it is missing, and nothing else.
  if (parameter.required && pair.value === '') return []
  const ofName: Fault[] = []
  if (isGiven(pair, target) && parameter.deprecated) ofName.push(['deprecated-parameter'])
  if (pair.value !== '' && isSensitive(target.wire)) ofName.push(['sensitive-in-url'])
  if (isSingle(parameter) && isSeveral(pair)) return [...ofName, ['not-multi']]
  if (valuesAsMeant(pair, target, context)) return [...ofName, ['wrong-separator']]
  // The fix of a wrong name offers the same.
  if (pair.name === target.wire && usersAsMeant(pair, target)) ofName.push(['unlikely-name'])
  const ofValue = takesCategory(target)
    ? bareTitles(pair, target, context)
    : parameter.multi
      ? faultsOfSeveral(partsOf(pair, context), parameter, context)
      : faultsOfOne(pair.value, parameter, context).map((rule): Fault => [rule])
  return [...ofName, ...ofValue, ...(isDefault(pair, target) ? [['equals-default'] satisfies Fault] : [])]
}

/** Takes the titles of categories alone (MediaWiki, ApiBase::getTitleOrPageId and ApiQueryCategories). */
const takesCategory = ({ module, parameter: { name } }: Target): boolean =>
  (module.name === 'categorymembers' && name === 'title') || (module.name === 'categories' && name === 'categories')

/** A colon, be it encoded twice. */
const hasPrefix = (title: string): boolean => /:|%3a/i.test(title)

/** A title without a prefix is a page of the main namespace. Each wiki names its categories, so that any prefix will do. */
function bareTitles(pair: Pair, { parameter }: Target, context: CheckContext): Fault[] {
  if (!parameter.multi) return pair.value === '' || hasPrefix(pair.value) ? [] : [['missing-namespace']]
  const bare = new Map(
    partsOf(pair, context)
      .filter(({ text }) => text !== '' && !hasPrefix(text))
      .map(part => [part.text, part]),
  )
  return [
    ...faultsOfSeveral(partsOf(pair, context), parameter, context),
    ...[...bare.values()].map((part): Fault => ['missing-namespace', part]),
  ]
}

/** Types whose single value cannot hold a separator. */
const isSingle = ({ type, multi }: KnownParameter): boolean => !multi && ['enum', 'int', 'ns', 'limit'].includes(type)

function faultsOfSeveral(parts: readonly Part[], parameter: KnownParameter, context: CheckContext): Fault[] {
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

/** In other types a `*` is a value like any other. */
const isSelector = (text: string, { type }: KnownParameter): boolean =>
  text === selectsAll && (type === 'enum' || type === 'ns')

function faultsOfOne(text: string, parameter: KnownParameter, context: CheckContext): RuleName[] {
  switch (parameter.type) {
    case 'enum':
      if (!parameter.values?.has(text)) return [parameter.multi ? 'unrecognized-value' : 'bad-value']
      return parameter.deprecated_values?.includes(text) ? ['deprecated-value'] : []
    case 'int':
      return asNumber(text) === null ? ['bad-integer'] : []
    case 'limit':
      return faultsOfLimit(text, context)
    case 'ns': {
      const namespace = asNumber(text)
      const isKnown = namespace !== null && (namespace >= 0 || parameter.extra_namespaces?.includes(namespace))
      return isKnown ? [] : ['bad-namespace']
    }
    case 'user':
      return text === '' || parameter.subtypes?.includes(subtypeOf(text)) ? [] : ['user-subtype']
    case 'ts':
      return !isTimestamp(text) ? ['bad-timestamp'] : isUnlikely(text) ? ['unlikely-timestamp'] : []
    case 'bool':
      return /^(?:0|false|no|off)$/i.test(text) ? ['looks-false'] : []
    case 'str':
    case 'title':
      return []
  }
}

function faultsOfLimit(text: string, { knowledge, limits }: CheckContext): RuleName[] {
  if (text === highestLimit) return []
  const limit = asNumber(text)
  if (limit === null) return ['bad-integer']
  if (limit < knowledge.limit.min || limit > topLimit({ knowledge, limits })) return ['limit-range']
  return limits === 'any' && limit > knowledge.limit.normal ? ['needs-high-limit'] : []
}

/** The highest limit that is not clamped. */
export const topLimit = ({ knowledge, limits }: Pick<CheckContext, 'knowledge' | 'limits'>): number =>
  limits === 'normal' ? knowledge.limit.normal : knowledge.limit.high

/** The integer that a text is, or null. */
export function asNumber(text: string): number | null {
  if (!/^[+-]?\d+$/.test(text)) return null
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : null
}

const isNumeric = ({ type }: KnownParameter): boolean => type === 'int' || type === 'ns' || type === 'limit'
