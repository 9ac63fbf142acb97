// Expands source parameters into served ones: fills in blocks and sets, and states implied facts.
import type { Parameter } from '../model.ts'
import type { BlockReference, Source, SourceModule, SourceParameter, SourceSet } from './source.ts'

/** Takes a sentence about a contradiction. */
export type Refuse = (finding: string) => void

/** A served parameter and the names of its sets: its block, and the sets of its values or subtypes. */
export type Expanded = { parameter: Parameter; from: string[] }

/** The module's parameters by index. Reports unresolvable ones, and leaves them out. */
export function expandModule(module: SourceModule, source: Source, refuse: Refuse): Expanded[] {
  const expanded: Expanded[] = []
  for (const entry of module.parameters) {
    const next = expanded.length + 1
    if (entry.index !== next) refuse(`index ${entry.index} stands where ${next} is due`)
    if ('block' in entry) expanded.push(...expandBlock(entry, next, source, refuse))
    else expanded.push(expandParameter(entry, next, source, refuse))
  }
  return expanded
}

/** The parameters of a set of kind `parameters`, in their own order. */
export function expandSet(set: SourceSet, source: Source, refuse: Refuse): Expanded[] {
  if (set.kind !== 'parameters') return []
  return set.parameters.map((parameter, position) => {
    if (parameter.index !== position + 1) refuse(`index ${parameter.index} stands where ${position + 1} is due`)
    return expandParameter(parameter, position + 1, source, refuse)
  })
}

function expandBlock(reference: BlockReference, first: number, source: Source, refuse: Refuse): Expanded[] {
  const { block, without = [], override = {} } = reference
  const parameters = findSet(block, 'parameters', source, refuse)?.parameters ?? []
  for (const name of [...without, ...Object.keys(override)]) {
    if (!parameters.some(parameter => parameter.name === name)) refuse(`${block} has no parameter ${name}`)
  }
  return parameters
    .filter(({ name }) => !without.includes(name))
    .map((parameter, position) => {
      const changed = { ...parameter, ...override[parameter.name] }
      const expanded = expandParameter(changed, first + position, source, refuse)
      return { ...expanded, from: [block, ...expanded.from] }
    })
}

function expandParameter(written: SourceParameter, index: number, source: Source, refuse: Refuse): Expanded {
  const { catalogue } = source
  const about: Refuse = finding => refuse(`${written.name}: ${finding}`)
  const values = written.values_set ? findSet(written.values_set, 'values', source, about) : undefined
  const subtypes = written.subtypes_set ? findSet(written.subtypes_set, 'subtypes', source, about) : undefined
  const type = catalogue.types.find(({ name }) => name === written.type)
  if (!type) about(`${written.type} is not a type`)
  const bounds = written.type === 'limit' ? type : undefined
  const { value_limit, value_high_limit } = catalogue.multi_valued
  const parameter = present({
    index,
    name: written.name,
    type: written.type,
    multi: written.multi,
    value_limit: written.multi && value_limit,
    value_high_limit: written.multi && value_high_limit,
    all_specifier: written.all_specifier,
    allows_duplicates: written.allows_duplicates,
    default: written.default === undefined ? (values?.default ?? bounds?.default) : written.default,
    required: written.required,
    deprecated: written.deprecated,
    sensitive: written.sensitive,
    values: written.values ?? values?.values,
    values_set: written.values_set,
    deprecated_values: written.deprecated_values ?? values?.deprecated_values,
    extra_namespaces: written.extra_namespaces,
    subtypes: written.subtypes ?? subtypes?.values,
    min: bounds?.min,
    max: bounds?.max,
    highmax: bounds?.highmax,
    conditions: written.conditions,
  })
  return { parameter, from: [written.values_set, written.subtypes_set].filter(name => name !== undefined) }
}

function findSet<Kind extends SourceSet['kind']>(name: string, kind: Kind, source: Source, refuse: Refuse) {
  const set = source.sets.get(name)
  if (set?.kind === kind) return set as Extract<SourceSet, { kind: Kind }>
  refuse(set ? `${name} is a set of ${set.kind}, not of ${kind}` : `there is no set ${name}`)
  return undefined
}

type Absent<T> = { [Key in keyof T]: T[Key] | null | undefined }

const present = (members: Absent<Required<Parameter>>): Parameter =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value != null)) as Parameter
