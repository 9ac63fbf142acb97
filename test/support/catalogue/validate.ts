// The validator with the built catalogue, for tests.
import { buildCatalogue } from '../../../catalogue/build/build-catalogue.ts'
import { compactCatalogue } from '../../../catalogue/build/compact.ts'
import { readSource } from '../../../catalogue/build/source.ts'
import type { Finding, Report } from '../../../catalogue/report.ts'
import type { Limits } from '../../../catalogue/validate/finding.ts'
import { openKnowledge } from '../../../catalogue/validate/knowledge.ts'
import { editQuery } from '../../../catalogue/validate/text/edits.ts'
import { validateQuery } from '../../../catalogue/validate/validate.ts'

export const compact = compactCatalogue(buildCatalogue(readSource()))
export const knowledge = openKnowledge(compact)

export function validate(query: string, limits: Limits = 'any'): Report {
  return validateQuery(query, limits, knowledge).report
}

/** The rules that a query breaks, in the report's order. */
export function rulesOf(query: string, limits: Limits = 'any'): string[] {
  return validate(query, limits).findings.map(({ rule }) => rule)
}

/** The first finding of a rule. @throws without one */
export function findingOf(query: string, rule: string, limits: Limits = 'any'): Finding {
  const finding = validate(query, limits).findings.find(each => each.rule === rule)
  if (!finding) throw new Error(`${query}: no ${rule}`)
  return finding
}

/** The query after the first suggestion for the first finding of a rule. */
export function mend(query: string, rule: string, limits: Limits = 'any'): string | null {
  const [suggestion] = findingOf(query, rule, limits).suggestions
  return suggestion ? editQuery(query, suggestion.edits) : null
}
