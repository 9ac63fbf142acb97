// Makes only suggestions that improve the query: each is tried on the validator itself.
import type { Edit, Suggestion } from '../report.ts'
import { examine } from './examine.ts'
import type { Examined, Found } from './finding.ts'
import { longestSuggestion, remove } from './rule-texts/fixes.ts'
import { textOf } from './rule-texts.ts'
import { type RuleName, severityOf } from './rules.ts'
import { applyEdits } from './text/edits.ts'
import { isSensitive, splitOtherwise } from './text/pairs.ts'

/** Of one finding. */
const mostSuggestions = 3

/**
 * A report's budget for suggestions, in steps: one for each pair, module or finding that a trial checks, before and
 * after; for each name compared with a mistyped one; and for each character of a suggestion and of its value. 80 wrong
 * pairs stay below it. It bounds time (about 600 ns a step) and size (at most 3 bytes a character) for any input.
 */
const allSteps = 80_000

/**
 * Makes suggestions for a query's findings, one by one, until the steps are used up.
 *
 * @param isSure makes only each finding's first suggestion, if it loses nothing and is no choice
 */
export function suggester(examined: Examined, { isSure = false } = {}): (found: Found) => Suggestion[] {
  const most = isSure ? 1 : mostSuggestions
  const before = countErrors(examined.found)
  let steps = allSteps
  let left = mostFurther
  let known: ReadonlySet<string> | undefined
  return found => {
    if (steps <= 0) return []
    const { fixes, compared } = textOf(found.rule)
    steps -= (found.pair?.value.length ?? 0) + (compared?.(found, examined) ?? 0)
    const marked = fixes(found, examined).map(each =>
      dropsValue(each, examined) ? { ...each, loses: true as const } : each,
    )
    const likeliestFirst = marked.sort((a, b) => Number(a.loses ?? false) - Number(b.loses ?? false))
    const made = findImprovements(found, likeliestFirst)
    return made.length === 0 && !isSure ? findImprovements(found, lastResort(found)) : made
  }

  function findImprovements(found: Found, suggestions: readonly Suggestion[]): Suggestion[] {
    const made: Suggestion[] = []
    for (const each of suggestions) {
      if (made.length === most || steps <= 0 || (isSure && (each.loses || each.choice))) break
      const suggestion = tryOut(found, each)
      if (!suggestion || (isSure && suggestion.choice)) continue
      const edits = JSON.stringify(suggestion.edits)
      if (!made.some(({ label, edits: other }) => label === suggestion.label || JSON.stringify(other) === edits))
        made.push(suggestion)
    }
    return made
  }

  /** The suggestion if it improves the query; combined with fixes of mistakes that it uncovers. */
  function tryOut(found: Found, suggestion: Suggestion): Suggestion | undefined {
    let whole = suggestion
    for (let mended = 0; ; mended++) {
      const length = JSON.stringify(whole).length
      if (length > longestSuggestion || whole.edits.some(tellsSecret)) return undefined
      const after = examine(applyEdits(examined.pairs, whole.edits), examined)
      steps -= length
      for (const { pairs, chosen, found } of [examined, after]) steps -= pairs.length + chosen.length + found.length
      if (isBetter(found, examined.found, before, after.found)) return whole
      known ??= new Set(examined.found.map(keyOf))
      const isNew = (other: Found) => severityOf(other.rule) === 'error' && !known?.has(keyOf(other))
      const next =
        whole.loses || mended === mostMended || left-- <= 0 || steps <= 0 ? undefined : after.found.find(isNew)
      const [fix] =
        (next &&
          textOf(next.rule)
            .fixes(next, after)
            .filter(({ loses }) => !loses)) ??
        []
      if (!fix) return undefined
      whole = both(whole, fix)
    }
  }
}

/** Whether a suggestion leaves away one of a name's values, whatever separates them, and writes nothing in its place. */
const dropsValue = ({ edits, loses }: Suggestion, { names }: Examined): boolean =>
  !loses &&
  edits.some(edit => {
    const given = edit.op === 'replace' ? (names.get(edit.name)?.value ?? '') : ''
    if (given.length > 3 * longestSuggestion || edit.op !== 'replace') return false
    const values = splitAll(given)
    const left = new Set(splitAll(edit.value))
    const kept = new Set(edits.flatMap(other => ('value' in other ? splitAll(other.value) : [])))
    return [...left].every(value => values.includes(value)) && !values.every(value => kept.has(value))
  })

const splitAll = (text: string): string[] => splitOtherwise(text.toLowerCase().replaceAll('|', ' '))

/** Further mistakes that a suggestion fixes, and those in all suggestions of a report. Each costs a trial. */
const mostMended = 2
const mostFurther = 20

function both(first: Suggestion, next: Suggestion): Suggestion {
  const [rename] = first.edits
  const isWithin = rename?.op === 'rename' && next.label.startsWith(`Write ${rename.to}=`)
  const label = isWithin ? next.label : `${first.label}, ${next.label.replace(/^W/, 'w')}`
  const edits = [...first.edits, ...next.edits]
  return { label, edits, ...((first.choice ?? next.choice) && { choice: true as const }) }
}

/** An otherwise unfixable error is fixed by removing its pair; but not a secret, nor text that is no query. */
const lastResort = ({ rule, name, pair }: Found): Suggestion[] =>
  pair && severityOf(rule) === 'error' && rule !== 'not-a-query' && rule !== 'unread-code' && !isSensitive(name)
    ? [remove(name)]
    : []

/** Suggesting a secret's value would reveal it. */
const tellsSecret = (edit: Edit): boolean => (edit.op === 'replace' || edit.op === 'add') && isSensitive(edit.name)

/** The finding is gone, no rule finds more errors than before, and an error's fix leaves fewer in all. */
function isBetter(found: Found, before: readonly Found[], errors: Errors, after: readonly Found[]): boolean {
  if (countSame(found, after) >= countSame(found, before)) return false
  const left = countErrors(after)
  if (severityOf(found.rule) === 'error' && left.total >= errors.total) return false
  return [...left.byRule].every(([rule, count]) => count <= (errors.byRule.get(rule) ?? 0))
}

type Errors = { total: number; byRule: Map<RuleName, number> }

function countErrors(found: readonly Found[]): Errors {
  const byRule = new Map<RuleName, number>()
  let total = 0
  for (const { rule } of found) {
    if (severityOf(rule) !== 'error') continue
    byRule.set(rule, (byRule.get(rule) ?? 0) + 1)
    total++
  }
  return { total, byRule }
}

const countSame = (finding: Found, found: readonly Found[]): number =>
  found.filter(other => isSame(finding, other)).length

/** Of the same rule, name and value. */
function isSame(finding: Found, other: Found): boolean {
  return (
    finding.rule === other.rule &&
    finding.name === other.name &&
    finding.part?.text === other.part?.text &&
    finding.pair?.value === other.pair?.value &&
    finding.target?.wire === other.target?.wire
  )
}

/** The same without the value, which may be long and occur in thousands of findings. */
const keyOf = ({ rule, name, part, target }: Found): string => [rule, name, part?.text, target?.wire].join('\n')
