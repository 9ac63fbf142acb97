// What each name of a query stands for: the parameter of that name, or the one that was most likely meant.

import { findNear } from '../../nearest.ts'
import { holdersOf, isChosen } from '../chosen.ts'
import type { Found, NamedPair, Reading } from '../finding.ts'
import { type Chosen, choosing, queryLevel, type Target, wireName } from '../knowledge.ts'
import { severityOf } from '../rules.ts'
import { type Pair, readParts } from '../text/pairs.ts'
import { extensionModuleOf, extensionOf, parameterWords, queryNameMeant } from '../words.ts'
import { findInValue } from './values.ts'

/** Reads right names first. If several wrong names mean the same parameter, the first of them counts as it. */
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
  const asked = askedExtensions(reading)
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

/** The parameter that a name stands for, if its module is chosen in that role. */
function rightTarget(name: string, reading: Pick<Reading, 'knowledge' | 'roles'>): Target | undefined {
  const target = reading.knowledge.wires.get(name)
  return target && isChosen(reading, target) ? target : undefined
}

/** Of the names that are not known, so many are compared with those of the query as a whole. No person writes more. */
export const comparedNames = 50

type Interpretation = {
  /** The rule that the name breaks. */
  rule: Found['rule']
  /** The right name that was likely meant. */
  meant?: string
  /** The parameter that has this wire name, where its module is not chosen. */
  owner?: Target
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

/** The parameter of a chosen module that an everyday word stands for, with its prefix or without. */
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

/** The wire names of what a query chooses. */
export const ownWires = (chosen: readonly Chosen[]): string[] =>
  chosen.flatMap(each => [...each.module.parameters.keys()].map(parameter => wireName(each, parameter)))

/**
 * The name of the query as a whole that was surely meant: no name of a chosen module comes as near, and it comes no nearer
 * without the prefix of one.
 */
export function queryNameOf(
  pair: Pair,
  { remember }: Pick<Reading, 'remember'>,
  chosen: () => readonly Chosen[],
): string | undefined {
  const { name } = pair
  const { word, nearest, distance } = remember(pair, 'name of the query', () => ({
    word: queryNameMeant(name),
    ...findNear(name, queryLevel),
  }))
  const [meant, ...others] = nearest
  if (word !== undefined || meant === undefined || others.length > 0) return word
  const own = chosen()
  // Trials of suggestions ask the same again.
  const isOwn = remember(pair, `own beside ${own.map(each => wireName(each, '')).join()}`, () => {
    const isWithPrefix = own.some(each => isPrefixed(name, each, meant))
    return isWithPrefix || findNear(name, ownWires(own)).distance <= distance
  })
  return isOwn ? undefined : meant
}

/** Whether a name of the query as a whole was written with a module's prefix, as if it were its parameter. */
export function isPrefixed(name: string, chosen: Chosen, meant: string): boolean {
  const prefix = wireName(chosen, '')
  if (prefix === '' || !name.startsWith(prefix)) return false
  return findNear(name.slice(prefix.length), [meant]).distance < findNear(name, [meant]).distance
}

/** The modules of extensions that a query asks for. */
export const askedExtensions = ({ names }: Pick<Reading, 'names'>): string[] =>
  choosing.flatMap(key => {
    const pair = names.get(key)
    return pair ? readParts(pair).flatMap(({ text }) => (extensionOf(text) ? text : [])) : []
  })

/** Interprets the wire name of a parameter whose module is not chosen, or not in that role. */
function interpretWire(pair: Pair, owner: Target, reading: Reading): Interpretation {
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
