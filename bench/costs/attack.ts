import { table } from '../../docs/write/table.ts'
import { quotas, throttlesFor } from '../../infra/constructs/throttles.ts'
import { settingsTable } from '../../infra/settings/settings.ts'
import { isHashing, memory, rows } from '../../shared/api/needs.ts'
import { functionNames } from '../../shared/api/route-keys.ts'
import type { FunctionName } from '../../shared/api/routes.ts'
import type { Journeys } from './journeys.ts'
import { costOf, cpu, cpuOf, dollars, sumOf } from './prices.ts'

/** What an attack costs that uses up the throttles for a day, from the recorded journeys. */

/** The default of `EXPECTED_ACCOUNTS`. */
export const defaultAccounts = Number(settingsTable.EXPECTED_ACCOUNTS.fallback)

/**
 * Dollars for a million invocations, as expensive as in any journey. A route that no journey takes is taken to cost as much as
 * a changed password, which calls the most and hashes twice.
 */
function costliest(journeys: Journeys, name: FunctionName, milliseconds: number): number {
  const costs = [...journeys.values()].flatMap(journey => {
    const ran = journey.get(name)
    return ran && ran.invocations > 0 ? [sumOf(costOf(name, milliseconds, ran)) / ran.invocations] : []
  })
  if (costs.length > 0) return Math.max(...costs) * 1e6
  return costliest(journeys, 'change-password', cpuOf('change-password', 'most'))
}

/** 130 ms of a full vCPU, of which a function without a hash has a part. */
const validation = (130 * memory.fullCpu) / memory.usual

/** What an attack costs in a day that uses up the throttles of `EXPECTED_ACCOUNTS`, by throttle. */
function attacks(journeys: Journeys): { what: string; rate: number; each: number }[] {
  const throttles = throttlesFor(defaultAccounts, quotas.usual)
  const rateOf = (name: FunctionName | 'stage') => throttles.get(name)?.rate ?? 0
  const hashing = functionNames
    .filter(name => isHashing(rows[name]) && name !== 'login')
    .map(name => ({ rate: rateOf(name), each: costliest(journeys, name, cpuOf(name, 'most')) }))
  const together = hashing.reduce((sum, { rate }) => sum + rate, 0)
  return [
    { what: 'Login', rate: rateOf('login'), each: costliest(journeys, 'login', cpuOf('login', 'most')) },
    {
      what: 'The other routes that hash, together',
      rate: together,
      each: hashing.reduce((sum, { rate, each }) => sum + rate * each, 0) / together,
    },
    { what: 'Profile reads', rate: rateOf('get-me'), each: costliest(journeys, 'get-me', cpu.other) },
    {
      what: "Each of the catalogue's two",
      rate: rateOf('catalogue'),
      each: costliest(journeys, 'catalogue', validation),
    },
    { what: 'Each other route', rate: rateOf('stage'), each: costliest(journeys, 'forgot-password', cpu.other) },
  ]
}

/** Dollars a day, and how many millions of requests they are for. */
function perDay({ rate, each }: { rate: number; each: number }): { millions: number; cost: number } {
  const millions = (rate * 24 * 60 * 60) / 1e6
  return { millions, cost: millions * each }
}

/** With what an attack on all routes that hash costs, to one digit: the prices are no more certain than that. */
export function attackTable(journeys: Journeys): string {
  const all = attacks(journeys)
  const hashing = all.slice(0, 2).reduce((sum, attack) => sum + perDay(attack).cost, 0)
  const rows = all.map(({ what, rate, each }) => {
    const { millions, cost } = perDay({ rate, each })
    return [what, String(rate), millions.toFixed(2), dollars(each), dollars(cost)]
  })
  const head = ['Throttle', 'Requests a second', 'Millions a day', 'Dollars per million', 'Dollars a day']
  return [
    `An attack that uses up the throttles of all routes that hash for a whole day costs about ${Number(hashing.toPrecision(1))} dollars.`,
    table(head, rows, 4),
  ].join('\n\n')
}
