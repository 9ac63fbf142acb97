import type { Finding, Report } from '../../../shared/catalogue/report.ts'
import { type Severity, severities, subjectOf } from '../../../shared/catalogue/validate/rules.ts'
import type { Span } from '../../../shared/catalogue/validate/text/object.ts'

/** A part of the text, with the gravest severity among its findings. */
type Stretch = { text: string; severity?: Severity; isChanged?: true }

const pairEnd = ({ name, value }: NonNullable<Finding['span']>): number => Math.max(name[1], value[1])

/** The part of the text to underline for a finding: none if it is about something absent. */
export function spanOf({ rule, span }: Finding): Span | undefined {
  if (!span) return undefined
  const { name, value } = span
  const whole: Span = [name[0], pairEnd(span)]
  const about = { name, value, pair: whole }[subjectOf(rule)]
  // An empty part cannot be underlined.
  return about[0] < about[1] ? about : whole
}

/** The text in stretches: joined they are the text, and one begins or ends wherever a finding does. */
export const underline = (text: string, findings: readonly Finding[]): Stretch[] => mark(text, findings, [])

/** The same, and one begins or ends wherever a change does. */
export function mark(text: string, findings: readonly Finding[], changed: readonly Span[]): Stretch[] {
  const spans = findings.flatMap(finding => {
    const span = spanOf(finding)
    return span ? [{ span, severity: finding.severity }] : []
  })
  const bounds = new Set([0, ...spans.flatMap(({ span }) => span), ...changed.flat(), text.length])
  const sorted = [...bounds].filter(bound => bound <= text.length).sort((a, b) => a - b)
  return sorted.slice(1).map((end, at) => {
    const start = sorted[at] ?? 0
    const covering = spans.filter(({ span }) => span[0] <= start && end <= span[1])
    const severity = severities.find(each => covering.some(other => other.severity === each))
    const isChanged = changed.some(span => span[0] <= start && end <= span[1])
    return { text: text.slice(start, end), ...(severity && { severity }), ...(isChanged && { isChanged }) }
  })
}

/** A report without what is absent, and without the pair at a caret: somebody is writing them. */
export function withoutPairAt(caret: number, report: Report): Report {
  const counts = { ...report.counts }
  const findings = report.findings.filter(({ span, severity }) => {
    const isWritten = span && (caret < span.name[0] || caret > pairEnd(span))
    if (!isWritten) counts[severity]--
    return isWritten
  })
  return findings.length === report.findings.length ? report : { ...report, findings, counts }
}

/** The finding that a caret stands on or at, the narrowest of several. @param caret in UTF-16 units */
export function findingAt(caret: number, findings: readonly Finding[]): Finding | undefined {
  let best: Finding | undefined
  let narrowest = Number.POSITIVE_INFINITY
  for (const finding of findings) {
    const [start, end] = spanOf(finding) ?? [1, 0]
    if (start > caret || caret > end || end - start >= narrowest) continue
    best = finding
    narrowest = end - start
  }
  return best
}
