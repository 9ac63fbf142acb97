// The meaning of a name that belongs to another module, or to another role of the same one.
import type { Suggestion } from '../../report.ts'
import { holdersOf, isChosen, rightTarget } from '../chosen.ts'
import type { Examined, Found, Reading } from '../finding.ts'
import { type KnownModule, type Role, type Target, wireName } from '../knowledge.ts'
import { asChoice, asking, drop, type RuleText, remove, rename, replace } from '../rule-texts/fixes.ts'
import { short } from '../rule-texts/phrases.ts'
import { severityOf } from '../rules.ts'
import type { Pair } from '../text/pairs.ts'
import { valueMeant } from '../words.ts'
import { findInValue } from './parameters.ts'
import { usersAsMeant, valuesAsMeant } from './several-values.ts'

/** The meaning of a wrong name. */
export type Interpretation = {
  /** The rule that it breaks. */
  rule: Found['rule']
  /** The right name, likely meant. */
  meant?: string
  /** The parameter with this wire name, if its module is not chosen. */
  owner?: Target
}

/** Interprets a parameter's wire name whose module is not chosen, or not in that role. */
export function interpretWire(pair: Pair, owner: Target, reading: Reading): Interpretation {
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
export const ownerTexts = {
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
} as const satisfies Record<string, RuleText>

/** What to write instead of a wrong name. */
export const advice = ({ names: [meant = ''] = [], isExtra }: Found): string =>
  isExtra ? `${meant} is there too, so leave this out` : `write ${meant}`

/** Renames to the meant name and joins its values with `|`; removes this one if that name is given. */
export function renaming(
  { name, pair, target, names: [meant] = [], isExtra }: Found,
  examined: Examined,
): Suggestion[] {
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
