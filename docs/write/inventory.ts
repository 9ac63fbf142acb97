import { needsOf, rows } from '../../shared/api/needs.ts'
import { functionNames } from '../../shared/api/route-keys.ts'
import { eventNames } from '../../shared/base/system.ts'
import { code, table } from './table.ts'

/** What the inventory for security reviews repeats. */

export const eventList = (): string => `${eventNames.map(code).join(', ')}.`

/** The calls to AWS that each function may make, by its row. */
export const outboundTable = (): string =>
  table(
    ['Function', 'May call'],
    functionNames.flatMap(name => {
      const calls = Object.entries(needsOf(rows[name]).may)
      const of = ([resource, actions]: [string, readonly string[]]) => `${code(resource)}: ${actions.join(', ')}`
      return calls.length > 0 ? [[code(name), calls.map(of).join('; ')]] : []
    }),
  )
