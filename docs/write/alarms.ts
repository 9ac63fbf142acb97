import { defaultAccounts } from '../../bench/costs/attack.ts'
import { floodsFor, tooManyRequestsFor } from '../../infra/monitoring/events.ts'
import { runbooks } from '../../infra/monitoring/runbooks.ts'
import { code, table } from './table.ts'

export const runbookTable = (): string =>
  table(
    ['Runbook', 'What its alarms mean', 'What to do first'],
    Object.entries(runbooks).map(([name, [meaning, firstAid]]) => [`[${name}](#${name})`, meaning, firstAid]),
  )

/** The thresholds of floods of events, which follow `EXPECTED_ACCOUNTS`. */
export function floodTable(): string {
  const row = (what: string, threshold: number, runbook: string) => [
    what,
    threshold.toLocaleString('en'),
    `[${runbook}](#${runbook})`,
  ]
  return table(
    ['Event', `In five minutes, for ${defaultAccounts.toLocaleString('en')} accounts`, 'Runbook'],
    [
      row('Requests answered 429', tooManyRequestsFor(defaultAccounts), 'too-many-requests'),
      ...floodsFor(defaultAccounts).map(({ event, threshold, runbook }) => row(code(event), threshold, runbook)),
    ],
  )
}
