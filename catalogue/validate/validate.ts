// Makes the report on a query: a pure function of the catalogue and the text.
import type { Finding, Report, Suggestion, Unchecked } from '../report.ts'
import { partsOf } from './checks/several-values.ts'
import { asNumber } from './checks/values.ts'
import type { CompactCatalogue } from './compact.ts'
import { examine } from './examine.ts'
import type { Examined, Found, Limits, NamedPair } from './finding.ts'
import { choosing, type Knowledge, openKnowledge, pageSets } from './knowledge.ts'
import { normalize } from './normalize.ts'
import { cut } from './rule-texts/phrases.ts'
import { textOf } from './rule-texts.ts'
import { rules, type Severity, severities, severityOf } from './rules.ts'
import { suggester } from './suggest.ts'
import { isPageAddress } from './text/frame.ts'
import { isSensitive, type Pair } from './text/pairs.ts'
import { readQuery } from './text/query.ts'
import { findUnread } from './unread.ts'

/** A report, and whether the query contains a secret: then neither may be cached. */
type Validation = { report: Report; isSensitive: boolean }

/** Maximum listed findings. 64 KiB can have 32,768, more than a Lambda function can answer. */
const listed = 200

/** A validator for any number of queries. */
export function openValidator(catalogue: CompactCatalogue): (text: string, limits: Limits) => Validation {
  const knowledge = openKnowledge(catalogue)
  return (text, limits) => validateQuery(text, limits, knowledge)
}

export function validateQuery(text: string, limits: Limits, knowledge: Knowledge): Validation {
  const examined = examineText(text, limits, knowledge)
  const found = inOrder(examined.found)
  const suggest = suggester(examined)
  const counts = countSeverities(found)
  const report: Report = {
    valid: counts.error === 0,
    catalogue_version: knowledge.version,
    counts,
    ...(found.length > listed && { truncated: true }),
    modules: examined.chosen.map(({ module, role }) => ({ path: module.path, role })),
    findings: found.slice(0, listed).map(each => describe(each, examined, suggest)),
    unchecked: listUnchecked(examined),
    normalized: normalize(examined),
  }
  return { report, isSensitive: examined.pairs.some(({ name }) => isSensitive(name)) }
}

/** A finding's first suggestion, with its kind and name. */
type Fix = Suggestion & Pick<Finding, 'name'>

/**
 * The first suggestion that loses nothing and is no choice: of a report's findings the gravest with one, and of equals
 * the first in the query. It costs a fraction of a report, which makes all suggestions.
 */
export function findFix(text: string, limits: Limits, knowledge: Knowledge): Fix | undefined {
  const examined = examineText(text, limits, knowledge)
  // A fix writes the query that was read, and so without the rest.
  if (examined.unread?.length) return undefined
  const found = inOrder(examined.found).slice(0, listed)
  const suggest = suggester(examined, { isSure: true })
  for (const severity of severities) {
    for (const each of found) {
      const [first] = severityOf(each.rule) === severity ? suggest(each) : []
      if (first) return { ...first, name: each.name }
    }
  }
  return undefined
}

function examineText(text: string, limits: Limits, knowledge: Knowledge): Examined {
  const query = readQuery(text)
  const { pairs = [], leftOut = [] } = query ?? {}
  const unread = query?.isCode ? findUnread(text, pairs, knowledge) : []
  const context = { knowledge, limits, leftOut, unread, remember: memory() }
  return examine(pairs, {
    ...context,
    ...(isPageAddress(text) && { isPage: true }),
    ...(!query && { isUnread: true }),
  })
}

function describe(found: Found, examined: Examined, suggest: (found: Found) => Suggestion[]): Finding {
  const { rule, name, pair, part, module, target } = found
  const [severity, basis] = rules[rule]
  const { message } = textOf(rule)
  const suggestions = suggest(found)
  return {
    rule,
    severity,
    basis,
    name,
    ...(pair && !isSensitive(name) && { value: cut(part?.text ?? pair.value) }),
    ...(module && { module: module.path }),
    ...(target && { parameter: target.parameter.name }),
    ...(pair && { span: { name: pair.spans.name, value: part?.span ?? pair.spans.value } }),
    message: message(found, examined, suggestions),
    suggestions,
  }
}

/** In the query's order; absences come last. */
function inOrder(found: readonly Found[]): Found[] {
  const placeOf = ({ pair, part }: Found) => (part ? part.span[0] : pair ? pair.start : Number.POSITIVE_INFINITY)
  return found
    .map(each => ({ each, place: placeOf(each) }))
    .sort((a, b) => (a.place === b.place ? 0 : a.place - b.place))
    .map(({ each }) => each)
}

function countSeverities(found: readonly Found[]): Record<Severity, number> {
  const counts = { error: 0, warning: 0, notice: 0 }
  for (const { rule } of found) counts[severityOf(rule)]++
  return counts
}

/** Caches results for each pair during one validation. */
function memory(): Examined['remember'] {
  const kept = new Map<Pair, Map<string, unknown>>()
  return <T>(pair: Pair, key: string, make: () => T): T => {
    const known = kept.get(pair) ?? new Map<string, unknown>()
    kept.set(pair, known)
    if (!known.has(key)) known.set(key, make())
    return known.get(key) as T
  }
}

/** The names whose values were not checked, or only in part. */
const listUnchecked = (examined: Examined): Unchecked[] => [
  ...examined.leftOut.map(name => ({ name, reason: 'The text does not show what it holds.' })),
  ...[...examined.namedPairs]
    .sort(([, a], [, b]) => a.order - b.order)
    .flatMap(([right, named]) => {
      const reason = reasonOf(right, named, examined)
      return reason ? [{ name: named.pair.name, reason }] : []
    }),
]

function reasonOf(right: string, { pair, target }: NamedPair, examined: Examined): string | null {
  if (pair.isOpen) return 'Its value is an expression of the program.'
  if (!target) {
    if (right === 'action' || choosing.some(name => name === right)) return null
    if (pageSets.some(name => name === right)) return 'The catalogue does not know which pages there are.'
    return 'It belongs to the query as a whole, which the catalogue does not describe.'
  }
  const { name, type } = target.parameter
  if (pair.value === '') return null
  if (name === 'continue') return 'Its value comes from an answer of the API.'
  if (type === 'str' || type === 'title') return 'It is free text.'
  const namespaces = type === 'ns' ? (target.parameter.multi ? partsOf(pair, examined) : [{ text: pair.value }]) : []
  const isNamespace = ({ text }: { text: string }) => (asNumber(text) ?? -1) >= 0
  return namespaces.some(isNamespace) ? 'The catalogue does not know which namespaces a site has.' : null
}
