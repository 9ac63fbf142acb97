import type { Finding } from '../../../report.ts'
import { type Severity, severities, subjectOf } from '../../../validate/rules.ts'
import type { Span } from '../../../validate/text/literal.ts'

/** A part of the text, with the gravest severity of its findings. */
type Stretch = { text: string; severity?: Severity; isChanged?: true }

type Kind = Severity | 'changed'
const kinds: readonly Kind[] = [...severities, 'changed']

const pairEnd = ({ name, value }: NonNullable<Finding['span']>): number => Math.max(name[1], value[1])

/** The part of the text to underline for a finding; none for an absence. */
export function spanOf({ rule, span }: Finding): Span | undefined {
  if (!span) return undefined
  const { name, value } = span
  const whole: Span = [name[0], pairEnd(span)]
  const about = { name, value, pair: whole }[subjectOf(rule)]
  // An empty part cannot be underlined.
  return about[0] < about[1] ? about : whole
}

/** The text in stretches, which begin and end at findings; joined they are the text. */
export const underline = (text: string, findings: readonly Finding[]): Stretch[] => mark(text, findings, [])

/** The same, also split at changes. Linear in the spans. */
export function mark(text: string, findings: readonly Finding[], changed: readonly Span[]): Stretch[] {
  /** By place, the number of spans of each kind that begin there, less those that end. */
  const turns = new Map<number, Partial<Record<Kind, number>>>()
  const turn = (place: number, kind: Kind, by: number) => {
    const turned = turns.get(place) ?? {}
    turns.set(place, { ...turned, [kind]: (turned[kind] ?? 0) + by })
  }
  const cover = ([start, end]: Span, kind: Kind) => {
    turn(start, kind, 1)
    turn(end, kind, -1)
  }
  for (const finding of findings) {
    const span = spanOf(finding)
    if (span) cover(span, finding.severity)
  }
  for (const span of changed) cover(span, 'changed')

  const bounds = [...new Set([0, ...turns.keys(), text.length])].filter(bound => bound <= text.length)
  const sorted = bounds.sort((a, b) => a - b)
  const open: Record<Kind, number> = { error: 0, warning: 0, notice: 0, changed: 0 }
  return sorted.slice(1).map((end, at) => {
    const start = sorted[at] ?? 0
    for (const kind of kinds) open[kind] += turns.get(start)?.[kind] ?? 0
    const severity = severities.find(each => open[each] > 0)
    return { text: text.slice(start, end), ...(severity && { severity }), ...(open.changed > 0 && { isChanged: true }) }
  })
}

/** The narrowest finding at a caret. @param caret in UTF-16 units */
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
