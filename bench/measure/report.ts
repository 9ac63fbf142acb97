import { medianOf, rounded } from './figures.ts'

/** A measured figure. */
export interface Measured {
  figure: number
  unit: string
  /** The upper bound, or both bounds. Without one, the figure is for information. */
  target?: number | readonly [from: number, to: number]
}

/** A section's measurements. */
export interface Table {
  title: string
  head: readonly string[]
  rows: readonly (readonly (string | Measured)[])[]
}

/** Passes a table to `bench/run.ts`, or prints it if the section runs alone. */
export function report(title: string, head: readonly string[], rows: Table['rows']): void {
  const measured: Table = { title, head, rows }
  if (process.send) process.send(measured)
  else console.log(printed(inTexts(measured)))
}

/** A table of one figure each. */
export const reportFigures = (title: string, figures: readonly (Measured & { what: string })[]): void =>
  report(
    title,
    ['', 'measured'],
    figures.map(({ what, ...measured }) => [what, measured]),
  )

/** A table as printed and saved: figures with units and bounds. A missed bound is marked, and fails nothing. */
export interface ShownTable {
  title: string
  head: readonly string[]
  rows: readonly (readonly string[])[]
}

export const inTexts = ({ title, head, rows }: Table): ShownTable => ({
  title,
  head,
  rows: rows.map(row => row.map(inText)),
})

/** In columns, below its title. */
export function printed({ title, head, rows }: ShownTable): string {
  const widths = head.map((_, x) => Math.max(...[head, ...rows].map(cells => cells[x]?.length ?? 0)))
  const line = (cells: readonly string[]) => cells.map((cell, x) => cell.padEnd(widths[x] ?? 0)).join('  ')
  return [`\n${title}`, ...[head, ...rows].map(line)].join('\n')
}

function inText(cell: string | Measured): string {
  if (typeof cell === 'string') return cell
  const { figure, unit, target } = cell
  const shown = `${rounded(figure)} ${unit}`.trim()
  if (target === undefined) return shown
  const [from, to] = typeof target === 'number' ? [0, target] : target
  // Compared as printed, so that 1.03 does not miss 1.03.
  const isMissed = Number(rounded(figure)) < from || Number(rounded(figure)) > to
  const bounds = typeof target === 'number' ? `≤ ${target}` : `${from} to ${to}`
  return `${shown} (${bounds}${isMissed ? ', missed' : ''})`
}

/** A table with the median of each figure. @param runs one table per run */
export function medianTable(runs: readonly Table[]): Table {
  const [first] = runs
  if (!first) throw new Error('nothing was measured')
  const medianAt = (y: number, x: number) =>
    medianOf(runs.flatMap(({ rows }) => (rows[y]?.[x] as Measured | undefined)?.figure ?? []))
  const rows = first.rows.map((row, y) =>
    row.map((cell, x) => (typeof cell === 'string' ? cell : { ...cell, figure: medianAt(y, x) })),
  )
  return { ...first, rows }
}
