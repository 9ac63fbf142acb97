import { useMemo } from 'preact/hooks'
import type { Finding, Report } from '../../../report.ts'
import { knowledge } from '../knowledge.ts'
import type { Session } from '../session/session.ts'
import { longestText } from '../session/state.ts'
import { countsOf, severityNames } from './findings.tsx'
import { judge, type Writing } from './judged.ts'
import { findingAt } from './underlines.ts'

type Judged = {
  /** The report to show while somebody types. */
  judged: Report
  /** The findings of the present text. */
  findings: readonly Finding[]
  /** The finding at the caret. */
  current: Finding | undefined
  /** The announcement for the whole query, or empty. */
  said: string
  /** The line below the query. */
  status: string
}

/** The shown and spoken results of the check. @param at the field's caret now; `caret`: the last one shown */
export function useJudged(
  session: Session,
  writing: Writing | null,
  { caret, at }: { caret: number; at: number },
): Judged {
  const { state, checked, isChecking, isTooLong } = session
  const { report } = checked
  const isEmpty = state.text.trim() === ''
  const judged = useMemo(
    () => judge({ text: checked.of.text, limits: checked.of.limits, report, caret: at }, writing, knowledge),
    [checked, writing, writing?.text === state.text ? at : -1],
  )
  const findings = isChecking || isEmpty ? [] : judged.findings
  const current = findingAt(caret, findings)
  const said = () => {
    if (isEmpty) return ''
    if (isTooLong) return `Longer than ${longestText.toLocaleString('en')} characters: that is more than is checked.`
    if (isChecking) return 'Checking…'
    return judged === report ? countsOf(report) : ''
  }
  return { judged, findings, current, said: said(), status: statusOf(current, findings.length, said()) }
}

function statusOf(current: Finding | undefined, count: number, said: string): string {
  if (!current) return said || 'Nothing you type leaves this page.'
  const all = count > 1 && said ? ` In all: ${said}.` : ''
  return `${severityNames[current.severity]}: ${current.message}${all}`
}
