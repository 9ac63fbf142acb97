// Which findings are shown while somebody writes: none that the next letters can mend.
import { bareName } from '../../../addresses.ts'
import type { Finding, Report } from '../../../report.ts'
import type { Limits } from '../../../validate/finding.ts'
import { type Knowledge, queryLevel, wireName } from '../../../validate/knowledge.ts'
import { decode } from '../../../validate/text/encoding.ts'
import type { Pair } from '../../../validate/text/pairs.ts'
import { plainText, readPairs } from '../../../validate/text/query.ts'
import { validateQuery } from '../../../validate/validate.ts'

/** The text to which somebody has just added a letter at `caret`. `hasPaused`: no further letter came for a while. */
export type Writing = { text: string; caret: number; hasPaused: boolean }

type Judged = { text: string; limits: Limits; report: Report; caret: number }

/**
 * The report on a text as it is to be shown. While somebody writes it has nothing on the pair at the caret, and nothing on
 * what is absent. After a pause it has nothing on a pair that is the beginning of a right one.
 */
export function judge(judged: Judged, writing: Writing | null, knowledge: Knowledge): Report {
  const { text, report, caret } = judged
  if (writing?.text !== text) return report
  const isAt = ({ span }: Finding) => span !== undefined && span.name[0] <= caret && caret <= pairEnd(span)
  if (!writing.hasPaused) return without(report, finding => !finding.span || isAt(finding))
  if (writing.caret !== caret || !report.findings.some(isAt) || !isBegun(judged, knowledge)) return report
  return without(report, isAt)
}

const pairEnd = ({ name, value }: Pick<Pair, 'spans'>['spans']): number => Math.max(name[1], value[1])

function without(report: Report, isHidden: (finding: Finding) => boolean): Report {
  const counts = { ...report.counts }
  const findings = report.findings.filter(finding => {
    if (isHidden(finding)) counts[finding.severity]--
    return !isHidden(finding)
  })
  return findings.length === report.findings.length ? report : { ...report, findings, counts }
}

/** UTF-16 units. Each try checks the whole text; in a longer one, what is written is judged after the pause. */
const longestTried = 2000

/** Whether the pair that ends at the caret can become right by further letters. */
function isBegun({ text, limits, report, caret }: Judged, knowledge: Knowledge): boolean {
  const pair = readPairs(text).find(({ spans }) => pairEnd(spans) === caret)
  if (!pair || text.length > longestTried || plainText(text) !== text) return false
  if (pair.rawValue === null) return namesIn(report, knowledge).some(name => name.startsWith(pair.name))
  const [from] = pair.spans.value
  const value = text.slice(from, caret).replace(cutEscape, '')
  const last = decode(value).text.split('|').at(-1) ?? ''
  /** How grave the worst finding in the pair is; the last where there is none but notices. */
  const gravestIn = ({ findings }: Report) =>
    ['error', 'warning', undefined].findIndex(
      each => !each || findings.some(({ severity, span }) => severity === each && span?.name[0] === pair.spans.name[0]),
    )
  const written = gravestIn(report)
  const isRight = (ending: string) => {
    const tried = text.slice(0, from) + value + ending + text.slice(caret)
    return gravestIn(validateQuery(tried, limits, knowledge).report) > written
  }
  return endingsOf(last, pair, knowledge).some(isRight)
}

/** Escapes at the end of a value: one that is not complete, or some whose next may complete a character. */
const cutEscape = /(?:%[89a-f][\da-f])*(?:%[\da-f]?)?$/i

/** The names that are right in a query: while it names no module, those of all modules. */
function namesIn({ modules }: Report, { modules: known, wires }: Knowledge): string[] {
  const ofModules = modules.flatMap(({ path, role }) => {
    const module = known.get(bareName(path))
    return module ? [...module.parameters.keys()].map(name => wireName({ module, role }, name)) : []
  })
  return [...queryLevel, ...(modules.length > 0 ? ofModules : wires.keys())]
}

/** Right values of each form; what is written may be the beginning of one. */
const forms = ['2001-01-15T14:56:00Z', '2001-01-15 14:56:00', '20010115T145600Z', '20010115145600', 'now', 'max']

/** Values to try, which are the same for many parameters; no more than a frame has time for. */
const mostTried = 10

/** What may follow a value: the rest of one that there is, of a timestamp or a limit; a namespace's end; any letter or digit. */
function endingsOf(last: string, { name }: Pair, { modules, wires }: Knowledge): string[] {
  const choices = [...modules.values()].filter(each => (name === 'generator' ? each.generator : each.group === name))
  const known = [...choices.map(module => module.name), ...(wires.get(name)?.parameter.values ?? [])]
  const whole = [...known.filter(value => value.startsWith(last)).slice(0, mostTried), ...forms.filter(isAsWritten)]
  function isAsWritten(form: string): boolean {
    const shape = (text: string) => text.replace(/\d/g, '0')
    return last === '' || (last.length < form.length && shape(form).startsWith(shape(last)))
  }
  return ['', 'A', '1', ':A', ...whole.map(value => value.slice(last.length))]
}
