import { afterAll, test } from 'vitest'
import { makeEachOnce } from '../support/once.ts'
import { pairs } from './account-scenarios.ts'
import { AccountSystem, prepare } from './account-system.ts'
import { explore } from './explore.ts'

/** The model of accounts for each pair of deeds: one happens at once, before, between or after the calls of the other. */

makeEachOnce()

let [states, runs] = [0, 0]
afterAll(() => process.stdout.write(`Pairs of deeds have ${states} states, in ${runs} runs.\n`))

test.each(pairs)('%s: %s meets everybody', async (_, __, scenarios) => {
  for (const scenario of scenarios) {
    const begins = await prepare(scenario)
    const extent = await explore(() => new AccountSystem(scenario, begins), { faults: 0 })
    states += extent.states
    runs += extent.runs
  }
})

test.each(pairs.map(([scene, first, [scenario]]) => [scene, first, scenario] as const))(
  '%s: %s dies, fails or is sent twice at each call, and comes again',
  async (_, first, scenario) => {
    const begins = await prepare(scenario ?? { scripts: {} })
    const again = { ...scenario, scripts: { owner: [first, first] } }
    const extent = await explore(() => new AccountSystem(again, begins), { faults: 1 })
    states += extent.states
    runs += extent.runs
  },
)
