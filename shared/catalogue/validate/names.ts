// What each name of a query stands for: as it is, or as what it was most likely meant for.
import type { Found, Given, Reading } from './finding.ts'
import { type Chosen, queryLevel, type Target, wireName } from './knowledge.ts'
import type { Pair } from './pairs.ts'
import { severityOf } from './rules.ts'
import { findInValue } from './values.ts'

/** Right names come first; of those that are not, the first to mean a parameter is taken for it. */
export function readNames(reading: Reading): { given: Map<string, Given>; found: Found[] } {
  const { names } = reading
  const given = new Map<string, Given>()
  const found: Found[] = []
  const others: { pair: Pair; order: number }[] = []
  let order = 0
  for (const [name, pair] of names) {
    const target = rightTarget(name, reading)
    if (target) given.set(name, { pair, order, target })
    else if (queryLevel.has(name)) given.set(name, { pair, order })
    else others.push({ pair, order })
    order++
  }
  const isFree = (name: string) => !names.has(name) && !given.has(name)
  for (const { pair, order } of others) {
    const { rule, meant } = interpret(pair, reading, isFree)
    const target = meant && rightTarget(meant, reading)
    const isTaken = meant !== undefined && isFree(meant)
    if (isTaken) given.set(meant, { pair, order, ...(target && { target }) })
    found.push({
      rule,
      name: pair.name,
      pair,
      ...(target ? { target, module: target.module } : belongingTo(pair.name, reading)),
      ...(meant !== undefined && { names: [meant] }),
      ...(meant !== undefined && !isTaken && { isExtra: true }),
    })
  }
  return { given, found }
}

/** The parameter that a name stands for, if its module is chosen in that role. */
export function rightTarget(
  name: string,
  { knowledge, chosen }: Pick<Reading, 'knowledge' | 'chosen'>,
): Target | undefined {
  const target = knowledge.wires.get(name)
  return target && isChosen(chosen, target) ? target : undefined
}

export function isChosen(chosen: readonly Chosen[], { module, role }: Chosen): boolean {
  return chosen.some(known => known.module === module && known.role === role)
}

/** Which rule a name that is not right falls under, and the one right name that it was likely meant for. */
function interpret(
  pair: Pair,
  reading: Reading,
  isFree: (name: string) => boolean,
): { rule: Found['rule']; meant?: string } {
  const { knowledge, chosen } = reading
  const { name } = pair
  const target = knowledge.wires.get(name)
  if (target) return interpretWire(pair, target, reading)

  const wires = holdersOf(name, chosen).map(holder => wireName(holder, name))
  const [first] = wires
  if (first) return { rule: 'missing-prefix', meant: wires.find(isFree) ?? first }

  const lower = name.toLowerCase()
  const isRight = lower !== name && (rightTarget(lower, reading) !== undefined || queryLevel.has(lower))
  return isRight ? { rule: 'name-case', meant: lower } : { rule: 'unknown-parameter' }
}

/** The wire name of a parameter whose module is not chosen, or not in that role. */
function interpretWire(pair: Pair, target: Target, reading: Reading): { rule: Found['rule']; meant?: string } {
  const { module, role, parameter, wire } = target
  const { chosen } = reading
  if (role === 'generator') {
    const isOtherwise = isChosen(chosen, { module, role: module.group })
    return { rule: 'generator-prefix-unused', ...(isOtherwise && { meant: wire.slice(1) }) }
  }
  if (isChosen(chosen, { module, role: 'generator' })) return { rule: 'generator-prefix-missing', meant: `g${wire}` }
  const [holder, ...more] = holdersOf(parameter.name, chosen)
  const meant = holder && more.length === 0 ? rightTarget(wireName(holder, parameter.name), reading) : undefined
  return meant && findInValue(pair, meant, reading).every(({ rule }) => severityOf(rule) !== 'error')
    ? { rule: 'wrong-prefix', meant: meant.wire }
    : { rule: 'module-not-requested' }
}

/** The chosen modules that have a parameter of this bare name, in each of their roles. */
export function holdersOf(parameter: string, chosen: readonly Chosen[]): Chosen[] {
  return chosen.filter(({ module }) => module.parameters.has(parameter))
}

/** Whose name it is, though it is not asked for. */
function belongingTo(name: string, { knowledge }: Reading): Pick<Found, 'module' | 'target'> {
  const target = knowledge.wires.get(name)
  return target ? { module: target.module, target } : {}
}
