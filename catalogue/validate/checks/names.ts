// The meaning of each name in a query: the parameter of that name, or the one most likely meant.
import { findClear, findNear, findWithin } from '../../nearest.ts'
import type { Suggestion } from '../../report.ts'
import { holdersOf, ownWires, rightTarget } from '../chosen.ts'
import type { Examined, Found, NamedPair, Reading } from '../finding.ts'
import { choosing, queryLevel, wireName } from '../knowledge.ts'
import { asChoice, likeliest, type RuleText, remove, rename, replace } from '../rule-texts/fixes.ts'
import { list, quote, short } from '../rule-texts/phrases.ts'
import { type Pair, readParts } from '../text/pairs.ts'
import { extensionModuleOf, extensionOf, parameterWords } from '../words.ts'
import { advice, type Interpretation, interpretWire, renaming } from './owners.ts'
import { comparedNames, isPrefixed, queryNameOf } from './query-names.ts'

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

/** The modules of extensions in a query. */
const askedExtensions = ({ names }: Pick<Reading, 'names'>): string[] =>
  choosing.flatMap(key => {
    const pair = names.get(key)
    return pair ? readParts(pair).flatMap(({ text }) => (extensionOf(text) ? text : [])) : []
  })

/** The message and suggestions of each rule. */
export const nameTexts = {
  'name-case': {
    message: found => `Names are in lower case, and ${quote(found.name)} is ignored: ${advice(found)}.`,
    fixes: renaming,
  },
  'extension-parameter': {
    message: ({ name }, examined) => {
      const module = extensionModuleOf(name, askedExtensions(examined)) ?? ''
      return `${short(name)} belongs to ${module} of the extension ${extensionOf(module)}, which is not among the ${examined.knowledge.modules.size} modules of this catalogue, and is not checked.`
    },
    fixes: () => [],
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
      const { chosen, namedPairs } = examined
      if (found.names && brackets.test(name)) return [...joinedLists(name, examined), remove(name)]
      if (found.names) return [...renaming(found, examined), remove(name)]
      const own = ownWires(chosen)
      const common = findWithin(nearestDistance, name, queryLevel).filter(
        wire => !chosen.some(each => isPrefixed(name, each, wire)),
      )
      const near = findWithin(nearestDistance, name, own)
      const clear = findClear(name, near)
      const isClear = clear !== undefined && findNear(name, [clear]).distance <= findNear(name, common).distance
      const ordered = [...new Set([...(isClear ? [clear] : []), ...near, ...common])]
      const free = ordered.filter(wire => !namedPairs.has(wire))
      return [
        ...likeliest(
          free.map(wire => rename(name, wire)),
          isClear && free[0] === clear,
        ),
        ...uncut(found, examined),
        remove(name),
      ]
    },
  },
} as const satisfies Record<string, RuleText>

/** Letters by which a mistyped name differs. */
const nearestDistance = 2

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

/** Words of a value cut by an `&`: nobody writes more. */
const mostCut = 5

/** The value that an `&` cut, as in `titles=AT&T`: its further words are names without a value. */
function uncut({ pair }: Found, { pairs, namedPairs, chosen }: Examined): Suggestion[] {
  const prefixes = chosen.map(each => wireName(each, '')).filter(Boolean)
  const isName = ({ name }: Pair) => namedPairs.has(name) || prefixes.some(prefix => name.startsWith(prefix))
  const isWord = (each?: Pair) => each?.rawValue === null && !isName(each)
  let first = pair ? pairs.indexOf(pair) : 0
  let end = first + 1
  while (isWord(pairs[first])) first--
  while (isWord(pairs[end])) end++
  const [before, ...words] = pairs.slice(Math.max(0, first), end)
  if (!before || words.length === 0 || words.length > mostCut) return []
  const target = [...namedPairs.values()].find(named => named.pair === before)?.target
  const type = target?.parameter.type ?? (before.name === 'titles' ? 'title' : undefined)
  if (type !== 'str' && type !== 'title' && type !== 'user') return []
  const value = words.reduce((text, { name, start }, at) => {
    const last = at === 0 ? before.spans.value : words[at - 1]?.spans.name
    return `${text}${start - (last?.[1] ?? start) > 1 ? ' & ' : '&'}${name}`
  }, before.value)
  const removed = words.map(({ name }) => ({ op: 'remove' as const, name }))
  const label = `Write ${short(`${before.name}=${value.replaceAll('&', '%26')}`)}`
  return [asChoice({ label, edits: [...replace(before.name, value).edits, ...removed] })]
}
