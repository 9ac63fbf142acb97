import { holdersOf, rightTarget } from '../chosen.ts'
import type { Found, NamedPair, Reading } from '../finding.ts'
import { queryLevel, wireName } from '../knowledge.ts'
import type { Pair } from '../text/pairs.ts'
import { extensionModuleOf, parameterWords } from '../words.ts'
import { askedAbsent } from './modules.ts'
import { type Interpretation, interpretWire } from './owners.ts'
import { comparedNames, queryNameOf } from './query-names.ts'

/** Reads right names first. If several wrong names mean one parameter, the first of them counts. */
export function readNames(reading: Reading): { namedPairs: Map<string, NamedPair>; found: Found[] } {
  const { names } = reading
  const namedPairs = new Map<string, NamedPair>()
  const found: Found[] = []
  const others: { pair: Pair; order: number }[] = []
  let order = 0
  for (const [name, pair] of names) {
    const target = rightTarget(name, reading)
    if (target) namedPairs.set(name, { pair, order, target })
    else if (queryLevel.has(name)) namedPairs.set(name, { pair, order })
    else others.push({ pair, order })
    order++
  }
  let compared = 0
  const asked = askedAbsent(reading)
  const isFree = (name: string) => !names.has(name) && !namedPairs.has(name)
  for (const { pair, order } of others) {
    const { rule, meant, owner } = interpret(pair, reading, { isFree, asked, isCompared: compared++ < comparedNames })
    const finding: Found = { rule, name: pair.name, pair }
    const target = meant === undefined ? owner : rightTarget(meant, reading)
    if (target) Object.assign(finding, { module: target.module, target })
    found.push(finding)
    if (meant === undefined) continue
    finding.names = [meant]
    if (isFree(meant)) namedPairs.set(meant, { pair, order, ...(target && { target }) })
    else finding.isExtra = true
  }
  return { namedPairs, found }
}

function interpret(
  pair: Pair,
  reading: Reading,
  { isFree, asked, isCompared }: { isFree: (name: string) => boolean; asked: readonly string[]; isCompared: boolean },
): Interpretation {
  const { name } = pair
  const owner = reading.knowledge.wires.get(name)
  if (owner) return interpretWire(pair, owner, reading)

  const wires = holdersOf(name, reading).map(holder => wireName(holder, name))
  const [first] = wires
  if (first) return { rule: 'missing-prefix', meant: wires.find(isFree) ?? first }

  const lower = name.toLowerCase()
  const isRight = lower !== name && (rightTarget(lower, reading) !== undefined || queryLevel.has(lower))
  if (isRight) return { rule: 'name-case', meant: lower }
  if (extensionModuleOf(name, asked)) return { rule: 'extension-parameter' }
  const common = () => parameterMeant(pair, reading) ?? queryNameOf(pair, reading, () => reading.chosen)
  const meant = inBrackets(name, reading) ?? (isCompared ? common() : undefined)
  return { rule: 'unknown-parameter', ...(meant !== undefined && { meant }) }
}

/** PHP's lists: `titles[]`, `titles[0]`. */
export const brackets = /\[\w*\]$/

function inBrackets(name: string, reading: Reading): string | undefined {
  const bare = brackets.test(name) ? name.replace(brackets, '') : ''
  return bare !== '' && (queryLevel.has(bare) || rightTarget(bare, reading)) ? bare : undefined
}

/** The chosen module's parameter that an everyday word means, with or without prefix. */
function parameterMeant(pair: Pair, { chosen, remember }: Reading): string | undefined {
  const readings = remember(pair, 'words for a parameter', () => parameterWords(pair.name))
  if (readings.length === 0) return undefined
  const wires = chosen.flatMap(each => {
    const isOf = (prefix: string) => prefix === '' || prefix === wireName(each, '')
    const found = readings.flatMap(({ prefix, names }) => (isOf(prefix) ? names : []))
    return found
      .filter(name => each.module.parameters.has(name))
      .slice(0, 1)
      .map(name => wireName(each, name))
  })
  return wires.length === 1 ? wires[0] : undefined
}
