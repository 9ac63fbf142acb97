import type { Report } from '../../../report.ts'
import { validateQuery } from '../../../validate/validate.ts'
import { knowledge } from '../knowledge.ts'
import { type Correction, correct, startCorrection } from './correct.ts'
import type { State } from './state.ts'

export type Checked = { of: State; report: Report }

/** A finished correction, and the report on the corrected query. */
export type CorrectedQuery = { of: State; correction: Correction; after: Report }

/** Milliseconds without a change before the correction begins: it costs more than the check, and nobody reads it while typing. */
const pause = 150

/** Milliseconds of correcting at a time, which fit into a frame. */
const slice = 6

export const check = (state: State): Checked => ({ of: state, report: report(state) })

/** Corrects a query after the pause, slice by slice. @returns cancels it */
export function correctSoon(of: State, finish: (corrected: CorrectedQuery) => void): () => void {
  let correction = startCorrection(of.text)
  let timer = setTimeout(goOn, pause)

  function goOn() {
    const end = performance.now() + slice
    correction = correct(correction, of.limits, knowledge, () => performance.now() > end)
    if (!correction.isDone) timer = setTimeout(goOn)
    else finish({ of, correction, after: report({ ...of, text: correction.text }) })
  }
  return () => clearTimeout(timer)
}

const report = ({ text, limits }: State): Report => validateQuery(text, limits, knowledge).report
