// Mistakes in a value, by its parameter's type.
import type { CheckContext, Examined, Found } from '../finding.ts'
import type { KnownParameter } from '../knowledge.ts'
import { asChoice, drop, likeliest, type RuleText, removeOptional, replace, swapPart } from '../rule-texts/fixes.ts'
import { inItsPlace, inPlace, textsIn, valueIn, wordIn } from '../rule-texts/meant.ts'
import { list, quote, short } from '../rule-texts/phrases.ts'
import { timestampsMeant } from '../rule-texts/timestamps.ts'
import type { RuleName } from '../rules.ts'
import { isTimestamp, isUnlikely, subtypeOf, timeOf } from '../text/forms.ts'
import { readParts } from '../text/pairs.ts'

/** Stands for the caller's highest limit. */
export const highestLimit = 'max'

/** The rules that a value breaks. */
export function faultsOfOne(text: string, parameter: KnownParameter, context: CheckContext): RuleName[] {
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

/** A text as an integer, or null. */
export function asNumber(text: string): number | null {
  if (!/^[+-]?\d+$/.test(text)) return null
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : null
}

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
      `${short(found.name)} can be ${examined.knowledge.limit.min} to ${topLimit(examined)}: ${short(valueIn(found))} is clamped to ${clamp(found, examined)}.`,
    fixes: (found, examined) => {
      const isAbove = clamp(found, examined) === topLimit(examined)
      return [
        replace(found.name, String(clamp(found, examined))),
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
  'looks-false': {
    message: found =>
      `${short(found.name)} is true whenever it is given, even as ${quote(valueIn(found))}: leave it out for false.`,
    fixes: ({ name }) => [drop(name), replace(name, '1')],
  },
  'deprecated-value': {
    message: found => `The value ${quote(valueIn(found))} of ${short(found.name)} is deprecated: leave it out.`,
    fixes: found => leftOut(found),
  },
} as const satisfies Record<string, RuleText>

const leftOut = (found: Found) => (found.part ? swapPart(found) : removeOptional(found))

const taken = ({ target }: Found): string =>
  short([...(target?.parameter.values ?? [])].map(value => value || '(empty)').join(', '))

const clamp = (found: Found, examined: Examined): number =>
  Math.min(Math.max(asNumber(valueIn(found)) ?? 0, examined.knowledge.limit.min), topLimit(examined))
