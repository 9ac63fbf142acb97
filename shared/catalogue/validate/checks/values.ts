// What is wrong with the value of one parameter, by its type.
import type { CheckContext, Examined, Found } from '../finding.ts'
import type { KnownParameter, Target } from '../knowledge.ts'
import {
  asChoice,
  drop,
  likeliest,
  losing,
  type RuleText,
  remove,
  removeOptional,
  replace,
  rewrite,
  swapPart,
} from '../rule-texts/fixes.ts'
import { inItsPlace, inPlace, textsIn, valueIn, wordIn } from '../rule-texts/meant.ts'
import { list, quote, short } from '../rule-texts/phrases.ts'
import { timestampsMeant } from '../rule-texts/timestamps.ts'
import { type RuleName, severityOf } from '../rules.ts'
import { isTimestamp, isUnlikely, subtypeOf, timeOf } from '../text/forms.ts'
import { isSensitive, isSeveral, joinValues, type Pair, type Part, readParts, splitOtherwise } from '../text/pairs.ts'
import { valueMeant } from '../words.ts'

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

/** The message and suggestions of each rule. */
export const valueTexts = {
  'bad-integer': {
    message: found => {
      const kinds = found.target?.parameter.type === 'limit' ? `an integer or ${highestLimit}` : 'an integer'
      return `${short(found.name)} takes ${kinds}, and ${quote(valueIn(found))} is none.`
    },
    fixes: found => {
      const digits = valueIn(found).replaceAll(/[\s,_']|\.0*$/g, '')
      const numbers = asNumber(digits) === null ? [] : [digits]
      const isHighest = found.target?.parameter.type === 'limit' && valueIn(found).toLowerCase() === highestLimit
      const word = isHighest ? highestLimit : wordIn(found)
      return [...(word === undefined ? numbers : [word]).flatMap(value => inPlace(found, value)), ...leftOut(found)]
    },
  },
  'limit-range': {
    message: (found, examined) =>
      `${short(found.name)} can be ${examined.knowledge.limit.min} to ${topLimit(examined)}: ${short(valueIn(found))} is clamped to ${clamped(found, examined)}.`,
    fixes: (found, examined) => {
      const isAbove = clamped(found, examined) === topLimit(examined)
      return [
        replace(found.name, String(clamped(found, examined))),
        ...(isAbove ? [replace(found.name, highestLimit)] : []),
      ]
    },
  },
  'needs-high-limit': {
    message: ({ name, pair, target }, { knowledge }) =>
      target?.parameter.multi
        ? `${short(name)} has ${pair ? readParts(pair).length : 0} values, and only callers with the high limit may send more than ${knowledge.values.normal}.`
        : `Only callers with the high limit get more than ${knowledge.limit.normal} by ${short(name)}: for others it is clamped.`,
    fixes: ({ name, target }, { knowledge }) =>
      target?.parameter.multi
        ? []
        : [highestLimit, String(knowledge.limit.normal)].map(value => asChoice(replace(name, value))),
  },
  'bad-value': {
    message: found => `${short(found.name)} cannot be ${quote(valueIn(found))}: it takes one of ${taken(found)}.`,
    compared: found => found.target?.parameter.values?.size ?? 0,
    fixes: found => [...inItsPlace(found), ...removeOptional(found)],
  },
  'unrecognized-value': {
    message: found =>
      `${short(found.name)} has no value ${quote(valueIn(found))}, and drops it: it takes ${taken(found)}.`,
    compared: found => (found.target?.parameter.values?.size ?? 0) * (1 + textsIn(found).length),
    fixes: found => [...inItsPlace(found), ...swapPart(found)],
  },
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
  'bad-namespace': {
    message: found => {
      const { extra_namespaces: extra = [] } = found.target?.parameter ?? {}
      const kinds = ['integers from 0', ...extra.map(String)]
      return `${quote(valueIn(found))} is no namespace: ${short(found.name)} takes ${list(kinds)}.`
    },
    fixes: found => [...inItsPlace(found), ...leftOut(found)],
  },
  'user-subtype': {
    message: found => {
      const subtypes = list(found.target?.parameter.subtypes ?? [], 'or')
      return `${quote(valueIn(found))} reads as a user's ${subtypeOf(valueIn(found))}, and ${short(found.name)} takes ${subtypes}.`
    },
    fixes: found => leftOut(found),
  },
  'bad-timestamp': {
    message: found =>
      `${quote(valueIn(found))} is no timestamp that ${short(found.name)} takes: write one like 2026-01-31T12:00:00Z.`,
    fixes: found => {
      const meant = timestampsMeant(valueIn(found))
      const readings = meant.map(time => replace(found.name, time))
      const isClear = meant.length === 1 && !/^\d+$/.test(valueIn(found))
      return [...likeliest(readings, isClear), ...(meant.length > 1 ? [] : removeOptional(found))]
    },
  },
  'unlikely-timestamp': {
    message: found => {
      const says = `${quote(valueIn(found))} is read as seconds since 1970, which is ${new Date(timeOf(valueIn(found))).toISOString().replace('.000', '')}`
      return `${says}: write ${short(found.name)} like 2026-01-31T12:00:00Z.`
    },
    fixes: found => timestampsMeant(valueIn(found)).map(time => asChoice(replace(found.name, time))),
  },
  'unlikely-name': {
    message: found =>
      `${quote(valueIn(found))} is read as the name of one user: join the names of several by | in ${short(found.name)}.`,
    fixes: ({ name, pair, target }) => {
      const users = pair && target && usersAsMeant(pair, target)
      return users ? [asChoice(replace(name, users.join('|')))] : []
    },
  },
  'missing-namespace': {
    message: found =>
      `${short(found.name)} takes the title of a category with its prefix, and ${quote(valueIn(found))} is refused: write Category:${short(valueIn(found))}.`,
    fixes: found => inPlace(found, `Category:${valueIn(found).trim()}`),
  },
  'looks-false': {
    message: found =>
      `${short(found.name)} is true whenever it is given, even as ${quote(valueIn(found))}: leave it out for false.`,
    fixes: ({ name }) => [drop(name), replace(name, '1')],
  },
  'deprecated-parameter': {
    message: ({ name }) => `${short(name)} is deprecated: it works for now, and may be taken away.`,
    fixes: () => [],
  },
  'deprecated-value': {
    message: found => `The value ${quote(valueIn(found))} of ${short(found.name)} is deprecated: leave it out.`,
    fixes: found => leftOut(found),
  },
  'sensitive-in-url': {
    message: ({ name }) =>
      `${short(name)} is a secret, and URLs are kept in logs and histories: send it in the body of a POST.`,
    fixes: () => [],
  },
  'equals-default': {
    message: found => `${quote(valueIn(found))} is the default of ${short(found.name)}: leave it out.`,
    fixes: ({ name }) => [remove(name)],
  },
} as const satisfies Record<string, RuleText>

const leftOut = (found: Found) => (found.part ? swapPart(found) : removeOptional(found))

const taken = ({ target }: Found): string =>
  short([...(target?.parameter.values ?? [])].map(value => value || '(empty)').join(', '))

const clamped = (found: Found, examined: Examined): number =>
  Math.min(Math.max(asNumber(valueIn(found)) ?? 0, examined.knowledge.limit.min), topLimit(examined))

/** Those of a filter contradict each other: `redirect` and `!redirect`. */
function writtenOut({ name, target }: Found) {
  const { values = new Set<string>(), deprecated_values: outdated = [] } = target?.parameter ?? {}
  const all = [...values].filter(value => !outdated.includes(value))
  return all.some(value => value.startsWith('!')) ? [] : [replace(name, all.join('|'))]
}
