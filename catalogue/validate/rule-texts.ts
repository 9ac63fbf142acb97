// The text and the suggestions of each rule: here those of examine.ts, all others in checks/.
import { findClear } from '../nearest.ts'
import type { Edit } from '../report.ts'
import { conditionTexts } from './checks/conditions.ts'
import { moduleTexts } from './checks/modules.ts'
import { brackets, nameTexts } from './checks/names.ts'
import { ownerTexts } from './checks/owners.ts'
import { pageSetTexts } from './checks/page-set.ts'
import { parameterTexts } from './checks/parameters.ts'
import { relationTexts } from './checks/relations.ts'
import { severalTexts } from './checks/several-values.ts'
import { valueTexts } from './checks/values.ts'
import type { Examined } from './finding.ts'
import { pageSets } from './knowledge.ts'
import {
  asChoice,
  isLong,
  longestSuggestion,
  losing,
  type RuleText,
  remove,
  replace,
  rewrite,
} from './rule-texts/fixes.ts'
import { quote, short } from './rule-texts/phrases.ts'
import type { RuleName } from './rules.ts'
import { decode, decodeAsMeant } from './text/encoding.ts'
import { hasUnitSeparator, isSensitive } from './text/pairs.ts'

/** How the query is written. */
const writing = {
  'malformed-encoding': {
    message: ({ name, pair }) => {
      if (pair?.slip)
        return 'The query is percent-encoded as a whole, and so it is one name: write it with its own & and =.'
      if (pair && !pair.isMalformed)
        return `${short(name)} is percent-encoded twice, and no title holds the escapes that are left: write ${quote(decode(pair.value).text)}.`
      const read = isSensitive(name) ? '' : `, and is read as ${quote(`${name}=${pair?.value}`)}`
      return `${short(name)} is not percent-encoded UTF-8${read}: write % itself as %25, and other characters in UTF-8.`
    },
    fixes: ({ name, pair: slipped }, { names }) => {
      const pair = names.get(name)
      if (slipped?.slip && !isLong(slipped)) return [rewrite(slipped, 'Write its & and =')]
      if (!pair || isLong(pair)) return [remove(name)]
      const isTwice = slipped?.isMalformed === false
      const meant = pair.isMalformed
        ? decodeAsMeant(pair.rawValue ?? '')
        : isTwice
          ? decode(pair.value).text
          : pair.value
      return [replace(name, meant), remove(name)]
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

export const texts: Record<RuleName, RuleText> = {
  ...writing,
  ...moduleTexts,
  ...pageSetTexts,
  ...nameTexts,
  ...ownerTexts,
  ...parameterTexts,
  ...severalTexts,
  ...valueTexts,
  ...conditionTexts,
  ...relationTexts,
}
