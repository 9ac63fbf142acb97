// The meaning of each name in a query: the parameter of that name, or the one most likely meant.
import type { Suggestion } from '../../report.ts'
import { holdersOf, rightTarget } from '../chosen.ts'
import type { Examined, Found, NamedPair, Reading } from '../finding.ts'
import { queryLevel, wireName } from '../knowledge.ts'
import { type RuleText, remove, replace } from '../rule-texts/fixes.ts'
import { list, quote, short } from '../rule-texts/phrases.ts'
import type { Pair } from '../text/pairs.ts'
import { extensionModuleOf, parameterWords } from '../words.ts'
import { askedExtensions } from './modules.ts'
import { advice, type Interpretation, interpretWire, renaming } from './owners.ts'
import { comparedNames, queryNameOf } from './query-names.ts'
import { namesMeant } from './unknown.ts'

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

/** The message and suggestions of each rule. */
export const nameTexts = {
  'name-case': {
    message: found => `Names are in lower case, and ${quote(found.name)} is ignored: ${advice(found)}.`,
    fixes: renaming,
  },
  'unknown-parameter': {
    message: (found, _, suggestions = []) => {
      if (brackets.test(found.name) && found.names)
        return `${short(found.name)} is ignored, because the API has no lists in brackets: join the values of ${found.names[0]} with |.`
      const says = `No module that the query asks for has a parameter ${quote(found.name)}, though an extension of the wiki may`
      const near = suggestions.flatMap(({ edits: [edit] }) => (edit?.op === 'rename' ? edit.to : []))
      if (found.names) return `${says}: ${advice(found)}.`
      if (suggestions[0]?.edits[0]?.op === 'replace') return `${says}: write & in a value as %26.`
      return near.length === 0 ? `${says}.` : `${says}: write ${list([...new Set(near)], 'or')}.`
    },
    compared: (_, { chosen }) => chosen.reduce((sum, { module }) => sum + module.parameters.size, 0),
    fixes: (found, examined) => {
      const { name } = found
      if (found.names && brackets.test(name)) return [...joinedLists(name, examined), remove(name)]
      if (found.names) return [...renaming(found, examined), remove(name)]
      return [...namesMeant(found, examined), remove(name)]
    },
  },
} as const satisfies Record<string, RuleText>

/** All pairs of a name's PHP lists, joined. */
function joinedLists(name: string, { pairs, namedPairs }: Examined): Suggestion[] {
  const bare = name.replace(brackets, '')
  const listed = pairs.filter(pair => brackets.test(pair.name) && pair.name.replace(brackets, '') === bare)
  const right = pairs.filter(pair => pair.name === bare)
  const value = [...new Set([...right, ...listed].flatMap(pair => pair.value.split('|')))].join('|')
  const [first, ...others] = [...new Set(listed.map(pair => pair.name))]
  if (first === undefined || namedPairs.get(bare)?.pair.isOpen) return []
  const kept: Suggestion['edits'] =
    right.length > 0 ? [{ op: 'remove', name: first }] : [{ op: 'rename', from: first, to: bare }]
  const removed = others.map(other => ({ op: 'remove' as const, name: other }))
  return [{ ...replace(bare, value), edits: [...kept, ...removed, { op: 'replace', name: bare, value }] }]
}
