// The texts of rules about names that are not right in their query, though most of them are right in another.
import { findClear, findNear, findWithin } from '../../nearest.ts'
import type { Suggestion } from '../../report.ts'
import { holdersOf, ownWires } from '../chosen.ts'
import type { Examined, Found } from '../finding.ts'
import { type KnownModule, queryLevel, type Role, wireName } from '../knowledge.ts'
import { asChoice, asking, drop, likeliest, type RuleText, remove, rename, replace } from '../rule-texts/fixes.ts'
import { list, quote, short } from '../rule-texts/phrases.ts'
import type { Pair } from '../text/pairs.ts'
import { valueMeant } from '../words.ts'
import { brackets } from './names.ts'
import { isPrefixed } from './query-names.ts'
import { usersAsMeant, valuesAsMeant } from './several-values.ts'

/** The message and suggestions of each rule. */
export const wrongNameTexts = {
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

/** What to write instead of a wrong name. */
const advice = ({ names: [meant = ''] = [], isExtra }: Found): string =>
  isExtra ? `${meant} is there too, so leave this out` : `write ${meant}`

/** Renames to the meant name and joins its values with `|`; removes this one if that name is given. */
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

/** Fixes for a parameter of another generator. */
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

/** Whether a parameter's presence asks for its module. A `list` module would list everything by itself. */
function isAskedFor(module: KnownModule, { names }: Examined, role: Role = module.group): boolean {
  if (module.group !== 'list') return true
  const groups = module.relations.flatMap(relation =>
    relation.kind === 'exactly-one' || relation.kind === 'at-least-one' ? relation.parameters : [],
  )
  const needed = [...groups, ...module.required.map(parameter => parameter.name)]
  return needed.some(parameter => (names.get(wireName({ module, role }, parameter))?.value ?? '') !== '')
}

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

/** Letters by which a mistyped name differs. */
const nearestDistance = 2

/** Renames to near names, and the value that an `&` cut. */
function namesMeant(found: Found, examined: Examined): Suggestion[] {
  const { name } = found
  const { chosen, namedPairs } = examined
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
  ]
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
