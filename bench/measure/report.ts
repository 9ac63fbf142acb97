import { table } from '../../docs/write/markdown.ts'
import { medianOf, rounded } from './figures.ts'

/** A measured figure. */
export interface Measured {
  figure: number
  unit: string
  /** The upper bound, or both bounds. None: the figure is for information. */
  target?: number | readonly [from: number, to: number]
}

/** What a section measured, as a table of `docs/performance.md`. */
export interface Table {
  title: string
  head: readonly string[]
  rows: readonly (readonly (string | Measured)[])[]
}

/** Gives a table to `bench/run.ts`, or prints it when the section runs by itself. */
export function report(title: string, head: readonly string[], rows: Table['rows']): void {
  const measured: Table = { title, head, rows }
  if (process.send) process.send(measured)
  else console.log(`\n${inMarkdown(measured)}`)
}

/** A table of one figure each. */
export const reportFigures = (title: string, figures: readonly (Measured & { what: string })[]): void =>
  report(
    title,
    ['', 'measured'],
    figures.map(({ what, ...measured }) => [what, measured]),
  )

/** Marks missed targets; no benchmark fails. */
export const inMarkdown = ({ title, head, rows }: Table): string =>
  `### ${title}\n\n${table(
    head,
    rows.map(row => row.map(inText)),
  )}`

function inText(cell: string | Measured): string {
  if (typeof cell === 'string') return cell
  const { figure, unit, target } = cell
  const shown = `${rounded(figure)} ${unit}`.trim()
  if (target === undefined) return shown
  const [from, to] = typeof target === 'number' ? [0, target] : target
  // Judged as it is shown, so that 1.03 does not miss 1.03.
  const isMissed = Number(rounded(figure)) < from || Number(rounded(figure)) > to
  const bounds = typeof target === 'number' ? `≤ ${target}` : `${from} to ${to}`
  return `${shown} (${bounds}${isMissed ? ', **missed**' : ''})`
}

/** The figures of one cell in every run; none for a text. */
const figuresOf = (runs: readonly Table[], y: number, x: number): number[] =>
  runs.flatMap(({ rows }) => {
    const cell = rows[y]?.[x]
    return cell === undefined || typeof cell === 'string' ? [] : [cell.figure]
  })

/** A table with the median of each figure. @param runs the same table of each run */
export function medianTable(runs: readonly Table[]): Table {
  const [first] = runs
  if (!first) throw new Error('nothing was measured')
  const rows = first.rows.map((row, y) =>
    row.map((cell, x) => (typeof cell === 'string' ? cell : { ...cell, figure: medianOf(figuresOf(runs, y, x)) })),
  )
  return { ...first, rows }
}

/** How far the runs lie apart, over the median: of each figure of a table. */
export const spreadsOf = (runs: readonly Table[]): number[] =>
  (runs[0]?.rows ?? []).flatMap((row, y) =>
    row.flatMap((_, x) => {
      const figures = figuresOf(runs, y, x)
      const middle = medianOf(figures)
      return middle > 0 ? [(Math.max(...figures) - Math.min(...figures)) / middle] : []
    }),
  )
