// Texts about wrong names.
import { findClear, findNear, findWithin } from '../../nearest.ts'
import type { Suggestion } from '../../report.ts'
import { askedExtensions, brackets, isPrefixed, ownWires } from '../checks/names.ts'
import { usersAsMeant, valuesAsMeant } from '../checks/values.ts'
import { holdersOf } from '../chosen.ts'
import type { Examined, Found } from '../finding.ts'
import { type KnownModule, queryLevel, type Role, wireName } from '../knowledge.ts'
import type { Pair } from '../text/pairs.ts'
import { extensionModuleOf, extensionOf, valueMeant } from '../words.ts'
import { asking, choosing, drop, likeliest, type RuleText, remove, rename, replace } from './fixes.ts'
import { list, quote, short } from './phrases.ts'

export const names = {
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
        ...wires.filter(wire => !examined.namedPairs.has(wire)).map(wire => choosing(rename(name, wire))),
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
      return readings.length > 1 ? readings.map(choosing) : readings
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
  return [choosing({ label, edits: [...replace(before.name, value).edits, ...removed] })]
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
  return users ? [joined(users), rename(name, meant)].map(choosing) : [rename(name, meant)]
}

/** What a parameter for another generator can become. */
function generating({ name, names: meant, module, target }: Found, examined: Examined): Suggestion[] {
  if (meant || !module || !target) return []
  const { namedPairs } = examined
  if (!namedPairs.has('generator')) {
    const edits: Suggestion['edits'] = [{ op: 'add', name: 'generator', value: module.name }]
    const adding = { label: `Add generator=${module.name}`, edits }
    return [module.group === 'list' && !isAskedFor(module, examined, 'generator') ? choosing(adding) : adding]
  }
  return holdersOf(target.parameter.name, examined)
    .filter(holder => holder.role === 'generator')
    .map(holder => wireName(holder, target.parameter.name))
    .filter(wire => !namedPairs.has(wire))
    .map(wire => choosing(rename(name, wire)))
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
