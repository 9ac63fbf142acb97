import { afterAll, expect, test } from 'vitest'
import { explore, type System } from './explore.ts'

/** The explored scenarios, with the maximum faults of a run. */
export type Scenarios<Name extends string, Scenario> = Record<Name, readonly [Scenario, faults: number]>

/** A rule broken on purpose, the scenario that must detect it, and the message. */
export type Breach<Name extends string, Mutation> = readonly [string, Mutation, Name, broken: RegExp]

/** The tests of a model: its invariants hold in every scenario, and each detects the code that breaks it. */
export function testInvariants<Name extends string, Scenario, Mutation>(
  subject: string,
  system: (scenario: Scenario, mutation?: Mutation) => System,
  scenarios: Scenarios<Name, Scenario>,
  breaches: readonly Breach<Name, Mutation>[],
  /** The minimum of states of each scenario. */
  fewest: number,
): void {
  let explored = 0
  afterAll(() => process.stdout.write(`The model of ${subject} has ${explored.toLocaleString('en')} states.\n`))

  test.each(Object.entries<readonly [Scenario, number]>(scenarios))(
    `the invariants of ${subject} hold for %s`,
    async (_, [scenario, faults]) => {
      const { states } = await explore(() => system(scenario), { faults })
      explored += states
      expect(states).toBeGreaterThan(fewest)
    },
  )

  test.each(breaches)('%s breaks an invariant', async (_, mutation, name, broken) => {
    const [scenario, faults] = scenarios[name]
    await expect(explore(() => system(scenario, mutation), { faults })).rejects.toThrow(broken)
  })
}
