// What the page says of a state: the report, and the query as it would be without its mistakes.
import type { Report } from '../../../report.ts'
import { validateQuery } from '../../../validate/validate.ts'
import { knowledge } from '../knowledge.ts'
import { type Correction, correct, startCorrection } from './correct.ts'
import type { State } from './state.ts'

export type Checked = {
  of: State
  report: Report
  correction: Correction
  /** The report on the corrected query, once that is done and another than the query. */
  after?: Report
}

/** ms of correcting at a time: with the report and the page it stays within a frame. */
const slice = 6

/** What is found, and as much of the correction as a letter typed may cost. */
export function check(state: State): Checked {
  return goOn({ of: state, report: report(state), correction: startCorrection(state.text) })
}

/** Some more of the correction. */
export function goOn(checked: Checked): Checked {
  const { of } = checked
  const end = performance.now() + slice
  const correction = correct(checked.correction, of.limits, knowledge, () => performance.now() > end)
  const isOther = correction.isDone && correction.changes.length > 0
  return { ...checked, correction, ...(isOther && { after: report({ ...of, text: correction.text }) }) }
}

function report({ text, limits }: State): Report {
  return validateQuery(text, limits, knowledge).report
}
