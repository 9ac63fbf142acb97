import { table } from '../../docs/write/markdown-table.ts'
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

/** Each throttle of `EXPECTED_ACCOUNTS`, and dollars for a million requests that use it up. */
function attacks(journeys: Journeys): [what: string, rate: number, million: number][] {
  const throttles = throttlesFor(defaultAccounts, quotas.usual)
  const rateOf = (name: FunctionName | 'stage') => throttles.get(name)?.rate ?? 0
  const most = (name: FunctionName) => costliest(journeys, name, cpuOf(name, 'most'))
  const hashing = functionNames.filter(name => isHashing(rows[name]) && name !== 'login')
  const together = hashing.reduce((sum, name) => sum + rateOf(name), 0)
  const mean = hashing.reduce((sum, name) => sum + rateOf(name) * most(name), 0) / together
  return [
    ['Login', rateOf('login'), most('login')],
    ['The other routes that hash, together', together, mean],
    ['Profile reads', rateOf('get-me'), costliest(journeys, 'get-me', cpu.other)],
    ['Refreshes', rateOf('refresh'), costliest(journeys, 'refresh', cpu.other)],
    ["Each of the catalogue's two", rateOf('catalogue'), costliest(journeys, 'catalogue', validation)],
    ['Each other route', rateOf('stage'), costliest(journeys, 'forgot-password', cpu.other)],
  ]
}

/** With what an attack on all routes that hash costs, to one digit: the prices are no more certain than that. */
export function attackTable(journeys: Journeys): string {
  const days = attacks(journeys).map(([what, rate, million]) => {
    const millions = (rate * 24 * 60 * 60) / 1e6
    return { what, rate, millions, million, cost: millions * million }
  })
  const hashing = days.slice(0, 2).reduce((sum, { cost }) => sum + cost, 0)
  return [
    `An attack that uses up the throttles of all routes that hash for a whole day costs about ${Number(hashing.toPrecision(1))} dollars.`,
    table(
      ['Throttle', 'Requests a second', 'Millions a day', 'Dollars per million', 'Dollars a day'],
      days.map(({ what, rate, millions, million, cost }) => [
        what,
        String(rate),
        ...[millions, million, cost].map(dollars),
      ]),
      4,
    ),
  ].join('\n\n')
}
