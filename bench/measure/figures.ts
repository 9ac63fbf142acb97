/** Rounds to about three significant digits. */
export function rounded(figure: number): string {
  const size = Math.abs(figure)
  return figure.toFixed(size >= 100 || Number.isInteger(figure) ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 4)
}

export function medianOf(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** The median of the rounds' ratios: a slow round slows both alike. */
export const medianRatio = (ours: readonly number[], theirs: readonly number[]): number =>
  medianOf(ours.map((figure, i) => figure / (theirs[i] ?? Number.NaN)))

/** Milliseconds of CPU of some work, on all threads of this process. */
export async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The CPU time of a call in µs: the median of 15 rounds. @param calls in a round */
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
