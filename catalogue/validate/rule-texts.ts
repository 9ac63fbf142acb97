// The text and the suggestions of each rule: here those of examine.ts, all others in checks/.
import type { Edit } from '../report.ts'
import { conditionTexts } from './checks/conditions.ts'
import { moduleTexts } from './checks/modules.ts'
import { brackets } from './checks/names.ts'
import { pageSetTexts } from './checks/page-set.ts'
import { parameterTexts } from './checks/parameters.ts'
import { relationTexts } from './checks/relations.ts'
import { severalTexts } from './checks/several-values.ts'
import { type UnknownRule, unknownText } from './checks/unknown.ts'
import { valueTexts } from './checks/values.ts'
import type { Examined } from './finding.ts'
import { pageSets } from './knowledge.ts'
import { asChoice, longestSuggestion, losing, type RuleText, replace, rewrite } from './rule-texts/fixes.ts'
import { short } from './rule-texts/phrases.ts'
import type { RuleName } from './rules.ts'
import { hasUnitSeparator } from './text/pairs.ts'

/** How the query is written. */
const writing = {
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
  'unread-code': {
    message: ({ name, pair }) =>
      pair
        ? `${short(name)} looks like a part of the query and cannot be read: the rest is checked without it.`
        : 'This is code, and no query can be read from it: paste the address that it requests, or the object or list that holds the query.',
    fixes: () => [],
  },
  'cut-fragment': {
    message: ({ name, pair }) =>
      pair?.slip?.kind === 'hash'
        ? 'The query stands behind #, and a browser sends nothing from there on: write ? in its place.'
        : `All from # on is not sent: ${short(name)} ends there, and what follows is lost. Write %23 for a # that is meant.`,
    fixes: ({ name, pair }, examined) => {
      if (!pair?.slip) return []
      if (pair.slip.kind !== 'cut') return [rewrite(pair, 'Write ? in place of #')]
      const [whole, ...others] = pair.slip.rest
      const added = others.filter(other => !examined.names.has(other.name))
      const edits: Edit[] = added.map(({ name, value }) => ({ op: 'add', name, value }))
      const kept = replace(name, whole?.value ?? pair.value)
      const all = asChoice({ ...kept, edits: [...kept.edits, ...edits], label: `Write %23, and keep what follows` })
      return [
        added.length < others.length ? losing(all) : all,
        asChoice({ ...rewrite(pair, 'Leave out what follows #'), loses: true }),
      ]
    },
  },
} as const satisfies Record<string, RuleText>

/** Whether a name takes several values, so that its pairs can be joined. */
function takesSeveral(written: string, { knowledge }: Examined): boolean {
  const name = written.replace(brackets, '')
  return ['list', 'prop', 'meta', ...pageSets].includes(name) || knowledge.wires.get(name)?.parameter.multi === true
}

const texts = {
  ...writing,
  ...moduleTexts,
  ...pageSetTexts,
  ...parameterTexts,
  ...severalTexts,
  ...valueTexts,
  ...conditionTexts,
  ...relationTexts,
} as const satisfies Record<Exclude<RuleName, UnknownRule>, RuleText>

const isHere = (rule: RuleName): rule is keyof typeof texts => Object.hasOwn(texts, rule)

export const textOf = (rule: RuleName): RuleText => (isHere(rule) ? texts[rule] : unknownText(rule))
