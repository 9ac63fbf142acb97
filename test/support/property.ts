import fc from 'fast-check'

/**
 * Where the random begins: the same at every run, until `SEED` says otherwise. A failure prints it, and the smallest
 * example that fails.
 */
export const seed = Number(process.env.SEED ?? 4)

/** Tries a property of requests so many times. */
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
