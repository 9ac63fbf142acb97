// Checks a state: gives the report and the corrected query.
import type { Report } from '../../../report.ts'
import { validateQuery } from '../../../validate/validate.ts'
import { knowledge } from '../knowledge.ts'
import { type Correction, correct, startCorrection } from './correct.ts'
import type { State } from './state.ts'

export type Checked = {
  of: State
  report: Report
  correction: Correction
  /** The report on the corrected query, once the correction is done and has changed something. */
  after?: Report
}

/** ms of correcting at a time: together with the report and the rendering it fits into a frame. */
const slice = 6

/** Gives the report, and as much of the correction as fits into one slice. */
export function check(state: State): Checked {
  return continueCorrection({ of: state, report: report(state), correction: startCorrection(state.text) })
}

/** Corrects for one more slice. */
export function continueCorrection(checked: Checked): Checked {
  const { of } = checked
  const end = performance.now() + slice
  const correction = correct(checked.correction, of.limits, knowledge, () => performance.now() > end)
  const isOther = correction.isDone && correction.changes.length > 0
  return { ...checked, correction, ...(isOther && { after: report({ ...of, text: correction.text }) }) }
}

function report({ text, limits }: State): Report {
  return validateQuery(text, limits, knowledge).report
}
