// Texts about wrong names.
import { findClear, findWithin } from '../../nearest.ts'
import type { Suggestion } from '../../report.ts'
import { askedExtensions } from '../checks/names.ts'
import { holdersOf } from '../chosen.ts'
import type { Examined, Found } from '../finding.ts'
import { type KnownModule, queryLevel, type Role, wireName } from '../knowledge.ts'
import { extensionModuleOf, extensionOf } from '../words.ts'
import { asking, choosing, drop, likeliest, type RuleText, remove, rename } from './fixes.ts'
import { quote, short } from './phrases.ts'

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
    message: found => {
      const says = `No module that the query asks for has a parameter ${quote(found.name)}, so it is ignored`
      return found.names ? `${says}: ${advice(found)}.` : `${says}.`
    },
    compared: (_, { chosen }) => chosen.reduce((sum, { module }) => sum + module.parameters.size, 0),
    fixes: (found, examined) => {
      const { name } = found
      const { chosen, namedPairs } = examined
      if (found.names) return [...renaming(found, examined), remove(name)]
      const wires = chosen.flatMap(holder =>
        [...holder.module.parameters.keys()].map(parameter => wireName(holder, parameter)),
      )
      const within = findWithin(nearestDistance, name, [...wires, ...queryLevel])
      const clear = findClear(name, within)
      const near = [...new Set(clear === undefined ? within : [clear, ...within])].filter(wire => !namedPairs.has(wire))
      const renamed = near.map(wire => rename(name, wire))
      return [...likeliest(renamed, clear !== undefined && near[0] === clear), remove(name)]
    },
  },
} as const satisfies Record<string, RuleText>

/** Letters in which a name that was mistyped differs. */
const nearestDistance = 2

const advice = ({ names: [meant = ''] = [], isExtra }: Found): string =>
  isExtra ? `${meant} is there too, so leave this out` : `write ${meant}`

/** Renames to the name that was meant; if that is there already, removes this one. */
function renaming({ name, pair, names: [meant] = [], isExtra }: Found, { names }: Examined): Suggestion[] {
  if (meant === undefined) return []
  if (isExtra) return [names.get(meant)?.value === pair?.value ? drop(name) : remove(name)]
  return [rename(name, meant)]
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
