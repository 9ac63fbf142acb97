// Selects the findings to show while somebody types: none that the next letters can fix.
import { bareName } from '../../../addresses.ts'
import type { Finding, Report } from '../../../report.ts'
import type { Limits } from '../../../validate/finding.ts'
import { type Knowledge, queryLevel, wireName } from '../../../validate/knowledge.ts'
import { decode } from '../../../validate/text/encoding.ts'
import type { Pair } from '../../../validate/text/pairs.ts'
import { plainText, readPairs } from '../../../validate/text/query.ts'
import { validateQuery } from '../../../validate/validate.ts'

/** The text after a letter was typed at `caret`. `hasPaused`: no letter followed for a while. */
export type Writing = { text: string; caret: number; hasPaused: boolean }

type Judged = { text: string; limits: Limits; report: Report; caret: number }

/**
 * The report to show for a text. While somebody types it omits the pair at the caret, and everything absent. After a
 * pause it omits a pair that is the beginning of a right one.
 */
export function judge(judged: Judged, writing: Writing | null, knowledge: Knowledge): Report {
  const { text, report, caret } = judged
  if (writing?.text !== text) return report
  const isAt = ({ span }: Finding) => span !== undefined && span.name[0] <= caret && caret <= pairEnd(span)
  const elsewhere = findElsewhere(judged, knowledge)
  /** At the caret's pair, or only because of it. */
  const isOfPair = (finding: Finding) =>
    finding.span !== undefined && (isAt(finding) || elsewhere?.has(keyOf(finding)) === false)
  if (!writing.hasPaused) return withoutFindings(report, finding => !finding.span || isOfPair(finding))
  if (writing.caret !== caret || !report.findings.some(isOfPair) || !isBegun(judged, knowledge)) return report
  return withoutFindings(report, isOfPair)
}

/** The findings that there are without the pair at the caret; undefined where the text is too long or has none there. */
function findElsewhere({ text, limits, report, caret }: Judged, knowledge: Knowledge): Set<string> | undefined {
  if (report.findings.length === 0 || text.length > longestTried || plainText(text) !== text) return undefined
  const pair = readPairs(text).find(({ spans }) => spans.name[0] <= caret && caret <= pairEnd(spans))
  if (!pair) return undefined
  const [start, end] = [pair.spans.name[0], pairEnd(pair.spans)]
  // Empty pairs in its place: no other one moves.
  const without = text.slice(0, start) + '&'.repeat(end - start) + text.slice(end)
  return new Set(validateQuery(without, limits, knowledge).report.findings.map(keyOf))
}

const keyOf = ({ rule, span }: Finding): string => `${rule} ${span?.name} ${span?.value}`

const pairEnd = ({ name, value }: Pick<Pair, 'spans'>['spans']): number => Math.max(name[1], value[1])

function withoutFindings(report: Report, isHidden: (finding: Finding) => boolean): Report {
  const counts = { ...report.counts }
  const findings = report.findings.filter(finding => {
    if (isHidden(finding)) counts[finding.severity]--
    return !isHidden(finding)
  })
  return findings.length === report.findings.length ? report : { ...report, findings, counts }
}

/** UTF-16 units. Each trial checks the whole text; a longer text is judged after the pause. */
const longestTried = 2000

/** Whether further letters can make the pair at the caret right. */
function isBegun({ text, limits, report, caret }: Judged, knowledge: Knowledge): boolean {
  const pair = readPairs(text).find(({ spans }) => pairEnd(spans) === caret)
  if (!pair || text.length > longestTried || plainText(text) !== text) return false
  if (pair.rawValue === null) return namesIn(report, knowledge).some(name => name.startsWith(pair.name))
  const [from] = pair.spans.value
  const value = text.slice(from, caret).replace(cutEscape, '')
  const last = decode(value).text.split('|').at(-1) ?? ''
  /** The gravest severity in the pair; the last one without errors and warnings. */
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

/** Escapes at the end of a value: an incomplete one, or an incomplete character. */
const cutEscape = /(?:%[89a-f][\da-f])*(?:%[\da-f]?)?$/i

/** The valid names in a query; those of all modules if it names none. */
function namesIn({ modules }: Report, { modules: known, wires }: Knowledge): string[] {
  const ofModules = modules.flatMap(({ path, role }) => {
    const module = known.get(bareName(path))
    return module ? [...module.parameters.keys()].map(name => wireName({ module, role }, name)) : []
  })
  return [...queryLevel, ...(modules.length > 0 ? ofModules : wires.keys())]
}

/** Valid values of each form, of which the text may be the beginning. */
const forms = ['2001-01-15T14:56:00Z', '2001-01-15 14:56:00', '20010115T145600Z', '20010115145600', 'now', 'max']

/** Maximum values to try, the same for many parameters: what fits into a frame. */
const mostTried = 10

/** Possible endings of a value: of an existing value, a timestamp or a limit; a namespace's end; any letter or digit. */
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
