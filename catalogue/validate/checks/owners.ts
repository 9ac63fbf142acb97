import { holdersOf, isChosen, rightTarget } from '../chosen.ts'
import type { Found, Reading } from '../finding.ts'
import { type Target, wireName } from '../knowledge.ts'
import { severityOf } from '../rules.ts'
import type { Pair } from '../text/pairs.ts'
import { findInValue } from './parameters.ts'

/** The meaning of a wrong name. */
export type Interpretation = {
  /** The rule that it breaks. */
  rule: Found['rule']
  /** The right name, likely meant. */
  meant?: string
  /** The parameter with this wire name, if its module is not chosen. */
  owner?: Target
}

/** Interprets a parameter's wire name whose module is not chosen, or not in that role. */
export function interpretWire(pair: Pair, owner: Target, reading: Reading): Interpretation {
  const { module, role, parameter, wire } = owner
  if (role === 'generator') {
    const isInItsGroup = isChosen(reading, { module, role: module.group })
    return { rule: 'generator-prefix-unused', owner, ...(isInItsGroup && { meant: wire.slice(1) }) }
  }
  if (isChosen(reading, { module, role: 'generator' })) return { rule: 'generator-prefix-missing', meant: `g${wire}` }
  const [holder] = holdersOf(parameter.name, reading)
  const meant =
    holder && reading.chosen.length === 1 ? rightTarget(wireName(holder, parameter.name), reading) : undefined
  return meant && findInValue(pair, meant, reading).every(({ rule }) => severityOf(rule) !== 'error')
    ? { rule: 'wrong-prefix', meant: meant.wire }
    : { rule: 'module-not-requested', owner }
}
