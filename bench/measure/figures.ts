/** One measured figure. */
export interface Figure {
  what: string
  figure: number
  unit: string
  /** The upper bound, or both bounds. None: the figure is for information. */
  target?: number | readonly [from: number, to: number]
}

/** Prints figures as the Markdown tables of `docs/performance.md`. It marks a missed target, and does not fail. */
export function printFigures(title: string, figures: readonly Figure[]): void {
  printTable(title, ['', 'measured', 'target'], figures.map(row))
}

function row({ what, figure, unit, target }: Figure): string[] {
  const [from, to] = typeof target === 'number' ? [0, target] : (target ?? [-Infinity, Infinity])
  const isMissed = figure < from || figure > to
  const bounds = target === undefined ? '' : typeof target === 'number' ? `≤ ${target}` : `${from} to ${to}`
  return [what, `${rounded(figure)} ${unit}`.trim(), `${bounds}${isMissed ? ' **missed**' : ''}`]
}

export function printTable(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((name, i) => Math.max(name.length, ...rows.map(cells => cells[i]?.length ?? 0)))
  const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  const rule = widths.map(width => '-'.repeat(Math.max(3, width)))
  console.log(`\n### ${title}\n\n${[line(head), line(rule), ...rows.map(line)].join('\n')}`)
}

/** Rounds to about three significant digits. */
export function rounded(figure: number): string {
  const size = Math.abs(figure)
  return figure.toFixed(size >= 100 || Number.isInteger(figure) ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 4)
}

/** @param share 0.5: the median */
export function quantile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const medianOf = (figures: readonly number[]): number => quantile(figures, 0.5)

/** Milliseconds of CPU that all threads of this process spend on something. */
export async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The CPU time of one call in µs: the median of 15 rounds. @param calls in a round */
export async function measureCall(call: () => Promise<unknown>, calls = 2000): Promise<number> {
  const rounds: number[] = []
  for (let round = 0; round < 15; round++) {
    const spent = await cpuOf(async () => {
      for (let count = 0; count < calls; count++) await call()
    })
    rounds.push((spent * 1000) / calls)
  }
  return medianOf(rounds)
}
