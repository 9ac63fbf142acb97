// Values that a parameter does not take, or that do less than they say.
import { subtypeOf, timeOf } from '../checks/text-forms.ts'
import { asNumber, highestLimit, selectsAll, splitAsMeant, topLimit, usersAsMeant } from '../checks/values.ts'
import type { Examined, Found } from '../finding.ts'
import { joinValues, readParts } from '../text/pairs.ts'
import { valueMeant } from '../words.ts'
import {
  choosing,
  drop,
  likeliest,
  losing,
  type RuleText,
  remove,
  removeOptional,
  replace,
  rewrite,
  swapPart,
} from './fixes.ts'
import { inItsPlace, inPlace, textsIn, valueIn, wordIn } from './meant.ts'
import { list, quote, short } from './phrases.ts'
import { timestampsMeant } from './timestamps.ts'

export const values = {
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
        : [highestLimit, String(knowledge.limit.normal)].map(value => choosing(replace(name, value))),
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
    fixes: found => timestampsMeant(valueIn(found)).map(time => choosing(replace(found.name, time))),
  },
  'unlikely-name': {
    message: found =>
      `${quote(valueIn(found))} is read as the name of one user: join the names of several by | in ${short(found.name)}.`,
    fixes: ({ name, pair, target }) => {
      const users = pair && target && usersAsMeant(pair, target)
      return users ? [choosing(replace(name, users.join('|')))] : []
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
