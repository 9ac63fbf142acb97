import { makeEachOnce } from '../support/once.ts'
import { breaches, scenarios } from './account-scenarios.ts'
import { AccountSystem, prepare, type Scenario } from './account-system.ts'
import type { Mutation } from './account-world.ts'
import { testInvariants } from './campaign.ts'

/**
 * Accounts by id, and everybody who can touch them: an owner, a thief with the password, one who reads the mailbox, strangers,
 * operators and the worker. Each call to AWS is a step, each process may die before and after each of its steps, each write is
 * sent twice, and calls fail.
 *
 * The domain's own code runs with the product's own writes, over tables that another test compares with the real ones.
 */

makeEachOnce()

const kept = new Map<Scenario, Awaited<ReturnType<typeof prepare>>>()
for (const [scenario] of Object.values(scenarios)) kept.set(scenario, await prepare(scenario))

const systemOf = (scenario: Scenario, mutation?: () => Mutation) => {
  const begins = kept.get(scenario)
  if (begins === undefined) throw new Error('this scenario is not prepared')
  return new AccountSystem(scenario, begins, mutation?.())
}

testInvariants('accounts', systemOf, scenarios, breaches, 10)
