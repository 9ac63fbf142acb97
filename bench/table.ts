// Figures beside their targets, and the two measures behind them.

/** One measured figure; it is met when it is not above its target. Without a target it is there to be known. */
export type Figure = { what: string; figure: number; unit: string; target?: number }

/** Prints the figures; a missed target makes the process fail. */
export function printFigures(title: string, figures: Figure[]): void {
  console.log(`\n${title}`)
  const width = Math.max(...figures.map(({ what }) => what.length))
  for (const { what, figure, unit, target } of figures) {
    const missed = target !== undefined && figure > target
    if (missed) process.exitCode = 1
    const beside = target === undefined ? '' : `  at most ${target} ${unit}${missed ? '  MISSED' : ''}`
    console.log(`  ${what.padEnd(width)}  ${figure.toFixed(figure < 10 ? 3 : 1).padStart(9)} ${unit}${beside}`)
  }
}

export function medianOf(figures: number[]): number {
  const sorted = figures.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** The CPU time of one call in µs: the median of 15 rounds of so many calls. */
export async function measureCall(call: () => Promise<unknown>, calls = 2000): Promise<number> {
  const rounds: number[] = []
  for (let round = 0; round < 15; round++) {
    const start = process.cpuUsage()
    for (let count = 0; count < calls; count++) await call()
    const { user, system } = process.cpuUsage(start)
    rounds.push((user + system) / calls)
  }
  return medianOf(rounds)
}
