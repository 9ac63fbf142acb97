import fc from 'fast-check'

/** The seed of random tests: the same in every run, unless `SEED` sets another. A failure prints it with the smallest failing example. */
export const seed = Number(process.env.SEED ?? 4)

/** Checks a property with `numRuns` random values. */
export const holds = <T>(
  arbitrary: fc.Arbitrary<T>,
  law: (value: T) => Promise<unknown>,
  numRuns = 100,
): Promise<void> =>
  fc.assert(
    fc.asyncProperty(arbitrary, async value => {
      await law(value)
    }),
    { seed, numRuns },
  )
