// What each name of a query stands for: the parameter of that name, or the one that was most likely meant.
import { findClear, findNear, findWithin } from '../../nearest.ts'
import type { Suggestion } from '../../report.ts'
import { holdersOf, isChosen } from '../chosen.ts'
import type { Examined, Found, NamedPair, Reading } from '../finding.ts'
import { type Chosen, choosing, type KnownModule, queryLevel, type Role, type Target, wireName } from '../knowledge.ts'
import { asChoice, asking, drop, likeliest, type RuleText, remove, rename, replace } from '../rule-texts/fixes.ts'
import { list, quote, short } from '../rule-texts/phrases.ts'
import { severityOf } from '../rules.ts'
import { type Pair, readParts } from '../text/pairs.ts'
import { extensionModuleOf, extensionOf, parameterWords, queryNameMeant, valueMeant } from '../words.ts'
import { findInValue, usersAsMeant, valuesAsMeant } from './values.ts'

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
const ownWires = (chosen: readonly Chosen[]): string[] =>
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
function isPrefixed(name: string, chosen: Chosen, meant: string): boolean {
  const prefix = wireName(chosen, '')
  if (prefix === '' || !name.startsWith(prefix)) return false
  return findNear(name.slice(prefix.length), [meant]).distance < findNear(name, [meant]).distance
}

/** The modules of extensions that a query asks for. */
const askedExtensions = ({ names }: Pick<Reading, 'names'>): string[] =>
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

/** The message and suggestions of each rule. */
export const nameTexts = {
  'generator-prefix-missing': {
    message: found => `${found.module?.name} is the generator here, whose parameters begin with g: ${advice(found)}.`,
    fixes: renaming,
  },
  'generator-prefix-unused': {
    message: found => {
      const what = found.names ? advice(found) : `write generator=${found.module?.name}, or leave this out`
      return `${short(found.name)} is for ${found.module?.name} as the generator, which it is not here: ${what}.`
    },
    fixes: (found, examined) => [...renaming(found, examined), ...generating(found, examined), remove(found.name)],
  },
  'wrong-prefix': {
    message: (found, { knowledge }) => {
      const owner = knowledge.wires.get(found.name)?.module.name
      return `${short(found.name)} belongs to ${owner}, which the query does not ask for: for ${found.module?.name} ${advice(found)}.`
    },
    fixes: renaming,
  },
  'module-not-requested': {
    message: ({ name, module }, examined) => {
      const adding = module && isAskedFor(module, examined) ? `add ${module.group}=${module.name}` : 'ask for that too'
      return `${short(name)} belongs to ${module?.name}, which the query does not ask for: ${adding}, or leave it out.`
    },
    fixes: ({ name, module, target }, examined) => {
      const adding =
        module && isAskedFor(module, examined)
          ? [{ label: `Add ${module.group}=${module.name}`, edits: [asking(module.group, module.name, examined)] }]
          : []
      const others = target ? holdersOf(target.parameter.name, examined) : []
      const wires = others.map(holder => wireName(holder, target?.parameter.name ?? ''))
      return [
        ...adding,
        ...wires.filter(wire => !examined.namedPairs.has(wire)).map(wire => asChoice(rename(name, wire))),
        remove(name),
      ]
    },
  },
  'missing-prefix': {
    message: found => `${short(found.name)} lacks the prefix of ${found.module?.name}: ${advice(found)}.`,
    fixes: (found, examined) => {
      const wires = holdersOf(found.name, examined).map(holder => wireName(holder, found.name))
      const others = wires.filter(wire => !found.names?.includes(wire) && !examined.namedPairs.has(wire))
      const readings = [
        ...renaming(found, examined),
        ...(found.isExtra ? [] : others.map(wire => rename(found.name, wire))),
      ]
      return readings.length > 1 ? readings.map(asChoice) : readings
    },
  },
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
      const says = `No module that the query asks for has a parameter ${quote(found.name)}, so it is ignored`
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

/** Letters in which a name that was mistyped differs. */
const nearestDistance = 2

const advice = ({ names: [meant = ''] = [], isExtra }: Found): string =>
  isExtra ? `${meant} is there too, so leave this out` : `write ${meant}`

/** All pairs of PHP's lists of one name, as one. */
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

/** Words of a value that an `&` cuts: nobody writes more. */
const mostCut = 5

/** The value that an `&` cut, in `titles=AT&T`: the words behind it are names without a value. */
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

/** Renames to the name that was meant, and joins its values with `|`; if that name is there already, removes this one. */
function renaming({ name, pair, target, names: [meant] = [], isExtra }: Found, examined: Examined): Suggestion[] {
  if (meant === undefined || !pair) return []
  if (isExtra) return [examined.names.get(meant)?.value === pair.value ? drop(name) : remove(name)]
  const joined = (values: readonly string[]): Suggestion => {
    const { label, edits } = replace(meant, [...new Set(values)].join('|'))
    return { label, edits: [...rename(name, meant).edits, ...edits] }
  }
  const values = target && valuesAsMeant(pair, target, examined)
  if (values) return [joined(values.map(value => valueMeant(value, target.parameter) ?? value))]
  const users = target && usersAsMeant(pair, target)
  return users ? [joined(users), rename(name, meant)].map(asChoice) : [rename(name, meant)]
}

/** What a parameter for another generator can become. */
function generating({ name, names: meant, module, target }: Found, examined: Examined): Suggestion[] {
  if (meant || !module || !target) return []
  const { namedPairs } = examined
  if (!namedPairs.has('generator')) {
    const edits: Suggestion['edits'] = [{ op: 'add', name: 'generator', value: module.name }]
    const adding = { label: `Add generator=${module.name}`, edits }
    return [module.group === 'list' && !isAskedFor(module, examined, 'generator') ? asChoice(adding) : adding]
  }
  return holdersOf(target.parameter.name, examined)
    .filter(holder => holder.role === 'generator')
    .map(holder => wireName(holder, target.parameter.name))
    .filter(wire => !namedPairs.has(wire))
    .map(wire => asChoice(rename(name, wire)))
}

/** Whether a query that gives a parameter of a module asks for that. One of `list` would list everything by itself. */
function isAskedFor(module: KnownModule, { names }: Examined, role: Role = module.group): boolean {
  if (module.group !== 'list') return true
  const groups = module.relations.flatMap(relation =>
    relation.kind === 'exactly-one' || relation.kind === 'at-least-one' ? relation.parameters : [],
  )
  const needed = [...groups, ...module.required.map(parameter => parameter.name)]
  return needed.some(parameter => (names.get(wireName({ module, role }, parameter))?.value ?? '') !== '')
}
