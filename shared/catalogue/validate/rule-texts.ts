// The text and the suggestions of each rule.
import { findClear } from '../nearest.ts'
import type { Examined } from './finding.ts'
import { pageSets } from './knowledge.ts'
import { isLong, longestSuggestion, losing, type RuleText, remove, replace } from './rule-texts/fixes.ts'
import { modules } from './rule-texts/modules.ts'
import { names } from './rule-texts/names.ts'
import { quote, short } from './rule-texts/phrases.ts'
import { relations } from './rule-texts/relations.ts'
import { values } from './rule-texts/values.ts'
import type { RuleName } from './rules.ts'
import { decodeAsMeant } from './text/encoding.ts'
import { hasUnitSeparator, isSensitive } from './text/pairs.ts'

/** How the query is written. */
const writing = {
  'malformed-encoding': {
    message: ({ name, pair }) => {
      const read = isSensitive(name) ? '' : `, and is read as ${quote(`${name}=${pair?.value}`)}`
      return `${short(name)} is not percent-encoded UTF-8${read}: write % itself as %25, and other characters in UTF-8.`
    },
    fixes: ({ name }, { names }) => {
      const pair = names.get(name)
      if (!pair || isLong(pair)) return [remove(name)]
      return [replace(name, pair.isMalformed ? decodeAsMeant(pair.rawValue ?? '') : pair.value), remove(name)]
    },
  },
  'duplicate-name': {
    message: ({ name }) => `${short(name)} is given more than once, and its last value alone counts: give it once.`,
    fixes: (found, examined) => {
      const { name } = found
      const values = [...new Set(examined.pairs.filter(pair => pair.name === name).map(({ value }) => value))]
      const [only = ''] = values
      if (values.length === 1) return [replace(name, only)]
      const parts = new Set(values.flatMap(value => (value === '' ? [] : value.split('|'))))
      const joined = takesSeveral(name, examined) && !values.some(hasUnitSeparator) ? [...parts].join('|') : only
      const all = joined === only || joined.length > longestSuggestion ? [] : [replace(name, joined)]
      return [...all, ...values.reverse().map(value => losing(replace(name, value)))]
    },
  },
  'not-a-query': {
    message: ({ pair }, { isPage }) =>
      isPage
        ? 'This is the address of a page, not a query: the address of a query leads to api.php.'
        : `action=${short(pair?.value ?? '')} is another action, which is not checked here: the catalogue describes action=query alone.`,
    fixes: ({ name, pair }, { isPage }) =>
      !isPage && findClear(pair?.value ?? '', ['query']) ? [replace(name, 'query')] : [],
  },
} as const satisfies Record<string, RuleText>

/** Whether a name takes several values: then its pairs can be joined. */
const takesSeveral = (name: string, { knowledge }: Examined): boolean =>
  ['list', 'prop', 'meta', ...pageSets].includes(name) || knowledge.wires.get(name)?.parameter.multi === true

export const texts: Record<RuleName, RuleText> = { ...writing, ...modules, ...names, ...values, ...relations }
