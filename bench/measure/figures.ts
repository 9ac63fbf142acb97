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

/**
 * The Mann–Whitney test (Mann and Whitney, 1947) by its normal approximation, with the correction for ties. For samples of
 * hundreds it is practically exact.
 */
export function compareByRank(first: readonly number[], second: readonly number[]) {
  const [n, m] = [first.length, second.length]
  const all = [...first.map(value => ({ value, isFirst: true })), ...second.map(value => ({ value, isFirst: false }))]
  all.sort((a, b) => a.value - b.value)
  let rankSum = 0
  let ties = 0
  for (let start = 0; start < all.length; ) {
    let end = start
    while (end < all.length && all[end]?.value === all[start]?.value) end++
    const rank = (start + 1 + end) / 2
    rankSum += rank * all.slice(start, end).filter(({ isFirst }) => isFirst).length
    ties += (end - start) ** 3 - (end - start)
    start = end
  }
  const u = rankSum - (n * (n + 1)) / 2
  const variance = ((n * m) / 12) * (n + m + 1 - ties / ((n + m) * (n + m - 1)))
  const z = Math.max(0, Math.abs(u - (n * m) / 2) - 0.5) / Math.sqrt(variance)
  return {
    /** The probability that a value of the first sample is larger than one of the second, ties counting half. 0.5: equal. */
    superiority: u / (n * m),
    /** Two-sided: the probability of at least this difference if the samples have the same distribution. */
    p: Math.min(1, 2 * upperTail(z)),
  }
}

/** The normal distribution above `z` ≥ 0 (Abramowitz and Stegun, 26.2.17; error below 7.5e-8). */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z)
  const terms = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429]
  const sum = terms.reduceRight((rest, term) => (rest + term) * t, 0)
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum
}
