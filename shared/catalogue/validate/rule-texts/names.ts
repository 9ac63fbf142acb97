// Texts about wrong names.
import { findWithin } from '../../nearest.ts'
import type { Suggestion } from '../../report.ts'
import { holdersOf } from '../chosen.ts'
import type { Found, Scene } from '../finding.ts'
import { wireName } from '../knowledge.ts'
import { asking, type RuleText, remove, rename } from './fixes.ts'
import { quote, short } from './phrases.ts'

export const names = {
  'generator-prefix-missing': {
    message: found => `${found.module?.name} is the generator here, whose parameters begin with g: ${advice(found)}.`,
    fixes: found => renaming(found),
  },
  'generator-prefix-unused': {
    message: found => {
      const what = found.names ? advice(found) : `write generator=${found.module?.name}, or leave this out`
      return `${short(found.name)} is for ${found.module?.name} as the generator, which it is not here: ${what}.`
    },
    fixes: (found, scene) => [...renaming(found), ...generating(found, scene), remove(found.name)],
  },
  'wrong-prefix': {
    message: (found, { knowledge }) => {
      const owner = knowledge.wires.get(found.name)?.module.name
      return `${short(found.name)} belongs to ${owner}, which the query does not ask for: for ${found.module?.name} ${advice(found)}.`
    },
    fixes: found => renaming(found),
  },
  'module-not-requested': {
    message: ({ name, module }) =>
      `${short(name)} belongs to ${module?.name}, which the query does not ask for: add ${module?.group}=${module?.name}, or leave it out.`,
    fixes: ({ name, module, target }, scene) => {
      const adding = module
        ? [{ label: `Add ${module.group}=${module.name}`, edits: [asking(module.group, module.name, scene)] }]
        : []
      const others = target ? holdersOf(target.parameter.name, scene) : []
      const wires = others.map(holder => wireName(holder, target?.parameter.name ?? ''))
      return [
        ...adding,
        ...wires.filter(wire => !scene.namedPairs.has(wire)).map(wire => rename(name, wire)),
        remove(name),
      ]
    },
  },
  'missing-prefix': {
    message: found => `${short(found.name)} lacks the prefix of ${found.module?.name}: ${advice(found)}.`,
    fixes: (found, scene) => {
      const wires = holdersOf(found.name, scene).map(holder => wireName(holder, found.name))
      const others = wires.filter(wire => !found.names?.includes(wire) && !scene.namedPairs.has(wire))
      return [...renaming(found), ...(found.isExtra ? [] : others.map(wire => rename(found.name, wire)))]
    },
  },
  'name-case': {
    message: found => `Names are in lower case, and ${quote(found.name)} is ignored: ${advice(found)}.`,
    fixes: found => [...renaming(found), remove(found.name)],
  },
  'unknown-parameter': {
    message: ({ name }) => `No module that the query asks for has a parameter ${quote(name)}, so it is ignored.`,
    compared: (_, { chosen }) => chosen.reduce((sum, { module }) => sum + module.parameters.size, 0),
    fixes: ({ name }, { chosen, namedPairs }) => {
      const wires = chosen.flatMap(holder =>
        [...holder.module.parameters.keys()].map(parameter => wireName(holder, parameter)),
      )
      const near = findWithin(nearestDistance, name, wires)
      return [...near.filter(wire => !namedPairs.has(wire)).map(wire => rename(name, wire)), remove(name)]
    },
  },
} as const satisfies Record<string, RuleText>

/** Letters in which a name that was mistyped differs. */
const nearestDistance = 2

const advice = ({ names: [meant = ''] = [], isExtra }: Found): string =>
  isExtra ? `${meant} is there too, so leave this out` : `write ${meant}`

/** Renames to the name that was meant; if that is there already, removes this one. */
function renaming({ name, names: [meant] = [], isExtra }: Found): Suggestion[] {
  if (isExtra || meant === undefined) return isExtra ? [remove(name)] : []
  return [rename(name, meant)]
}

/** What a parameter for another generator can become. */
function generating({ name, names: meant, module, target }: Found, scene: Scene): Suggestion[] {
  if (meant || !module || !target) return []
  const { namedPairs } = scene
  if (!namedPairs.has('generator')) {
    const edits: Suggestion['edits'] = [{ op: 'add', name: 'generator', value: module.name }]
    return [{ label: `Add generator=${module.name}`, edits }]
  }
  return holdersOf(target.parameter.name, scene)
    .filter(holder => holder.role === 'generator')
    .map(holder => wireName(holder, target.parameter.name))
    .filter(wire => !namedPairs.has(wire))
    .map(wire => rename(name, wire))
}
