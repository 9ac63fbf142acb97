// Mistakes in a value, by its parameter's type.
import type { CheckContext, Examined, Found } from '../finding.ts'
import type { KnownParameter } from '../knowledge.ts'
import { asChoice, drop, leftOut, type RuleText, replace, valueIn } from '../rule-texts/fixes.ts'
import { quote, short } from '../rule-texts/phrases.ts'
import type { RuleName } from '../rules.ts'
import { isTimestamp, isUnlikely, subtypeOf } from '../text/forms.ts'
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

const clamp = (found: Found, examined: Examined): number =>
  Math.min(Math.max(asNumber(valueIn(found)) ?? 0, examined.knowledge.limit.min), topLimit(examined))
