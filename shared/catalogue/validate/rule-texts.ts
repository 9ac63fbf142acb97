// The text and the suggestions of each rule.
import { isLong, type RuleText, remove, replace } from './rule-texts/fixes.ts'
import { modules } from './rule-texts/modules.ts'
import { names } from './rule-texts/names.ts'
import { quote, short } from './rule-texts/phrases.ts'
import { relations } from './rule-texts/relations.ts'
import { values } from './rule-texts/values.ts'
import type { RuleName } from './rules.ts'
import { decodeAsMeant } from './text/encoding.ts'
import { isSensitive } from './text/pairs.ts'

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
    fixes: ({ name, pair }, { names }) => {
      const last = names.get(name)
      return pair && last ? [replace(name, last.value), replace(name, pair.value)] : []
    },
  },
  'not-a-query': {
    message: ({ pair }) =>
      `action=${short(pair?.value ?? '')} is not a query, and the catalogue describes queries alone: write action=query.`,
    fixes: ({ name }) => [replace(name, 'query')],
  },
} as const satisfies Record<string, RuleText>

export const texts: Record<RuleName, RuleText> = { ...writing, ...modules, ...names, ...values, ...relations }
