// Cuts a report to what agents read at once.
import type { Finding, Report } from '../report.ts'
import { longestId } from './messages.ts'

/** Bytes of an answer: some 8,000 tokens of an agent's context. */
const largestAnswer = 32 * 1024

/** Bytes of an answer beside what a tool says. Each character of an id takes up to six, as `\u0000`. */
const frame = 512 + 6 * longestId

/** Bytes of a value in an answer, which has it twice: as it is, and as text in JSON. */
function cost(value: unknown): number {
  const text = `${JSON.stringify(value)},`
  return Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(text))
}

/** The report, or what of it fits. Findings that are too long for it lose their suggestions first. */
export function fitReport(report: Report): Omit<Report, 'normalized'> & Partial<Report> {
  const { normalized, modules, findings, unchecked, ...rest } = report
  let room = largestAnswer - frame
  if (cost(report) <= room) return report

  const take = <T>(items: readonly T[], shorten = (item: T) => item): T[] => {
    const taken: T[] = []
    for (const item of items) {
      const fitting = [item, shorten(item)].find(each => cost(each) <= room)
      if (fitting === undefined) break
      room -= cost(fitting)
      taken.push(fitting)
    }
    return taken
  }
  room -= cost({ ...rest, truncated: true, modules: [], normalized: '', findings: [], unchecked: [] })
  const asked = take(modules)
  // Half of the room is for what is wrong.
  const [query] = take([normalized].filter(each => cost(each) <= room / 2))
  return {
    ...rest,
    truncated: true,
    modules: asked,
    ...(query !== undefined && { normalized: query }),
    findings: take(findings, (finding): Finding => ({ ...finding, suggestions: [] })),
    unchecked: take(unchecked),
  }
}
