import { afterAll, expect, test } from 'vitest'
import { explore, type System } from './explore.ts'

/** What is explored, and how many faults one run may have. */
export type Scenarios<Name extends string, Scenario> = Record<Name, readonly [Scenario, faults: number]>

/** A rule that is broken on purpose, the scenario that has to notice, and what it says. */
export type Breach<Name extends string, Mutation> = readonly [string, Mutation, Name, broken: RegExp]

/** The tests of a model: its laws hold in every scenario, and each of them notices the code that breaks it. */
export function testLaws<Name extends string, Scenario, Mutation>(
  subject: string,
  system: (scenario: Scenario, mutation?: Mutation) => System,
  scenarios: Scenarios<Name, Scenario>,
  breaches: readonly Breach<Name, Mutation>[],
  /** Each scenario has more states. */
  fewest: number,
): void {
  let explored = 0
  afterAll(() => process.stdout.write(`The model of ${subject} has ${explored.toLocaleString('en')} states.\n`))

  test.each(Object.entries<readonly [Scenario, number]>(scenarios))(
    `the laws of ${subject} hold for %s`,
    async (_, [scenario, faults]) => {
      const { states } = await explore(() => system(scenario), { faults })
      explored += states
      expect(states).toBeGreaterThan(fewest)
    },
  )

  test.each(breaches)('%s breaks a law', async (_, mutation, name, broken) => {
    const [scenario, faults] = scenarios[name]
    await expect(explore(() => system(scenario, mutation), { faults })).rejects.toThrow(broken)
  })
}
