// Checks that the source files do not contradict each other: names, enumerations and their defaults, bounds, totals.
import { groupNames, sectionNames, typeNames } from '../fixed-names.ts'
import type { Parameter, Relation } from '../model.ts'
import type { Refuse } from './expand.ts'
import type { Source, SourceSet } from './source.ts'

/** Checks that the files are those that catalogue.json lists, each name once and in its own file. */
export function checkNames({ catalogue, modules, sets }: Source, refuse: Refuse) {
  same('groups', catalogue.groups.map(nameOf), [...groupNames], refuse)
  same('types', catalogue.types.map(nameOf), [...typeNames], refuse)
  const listed = catalogue.groups.flatMap(group => group.modules.map(name => `${group.name}/${name}`))
  same('modules', [...modules.keys()].sort(), [...listed].sort(), refuse)
  same('sets', [...sets.keys()].sort(), [...catalogue.sets].sort(), refuse)
  for (const [file, { group, name }] of modules) {
    if (file !== `${group}/${name}`) refuse(`${file}.json holds the module ${name} of ${group}`)
    if (sectionNames.some(section => section === name))
      refuse(`${file}: ${name} is a word of the catalogue's own paths`)
  }
  for (const [file, { name }] of sets) if (file !== name) refuse(`sets/${file}.json holds the set ${name}`)
  unique('module name', [...modules.values()].map(nameOf), refuse)
  const prefixes = [...modules.values()].map(({ prefix }) => prefix)
  unique('prefix', prefixes, refuse)
}

export function checkParameters(parameters: Parameter[], { catalogue }: Source, refuse: Refuse) {
  unique('parameter name', parameters.map(nameOf), refuse)
  for (const parameter of parameters) {
    const about: Refuse = finding => refuse(`${parameter.name}: ${finding}`)
    const type = catalogue.types.find(({ name }) => name === parameter.type)
    checkEnumeration(parameter, about)
    checkNumber(parameter, about)
    within('extra namespace', parameter.extra_namespaces, type?.extra_namespaces, about)
    within('subtype', parameter.subtypes, type?.subtypes, about)
    if (parameter.multi && multiDefault(parameter).length > catalogue.multi_valued.value_limit) {
      about('its default has more values than the parameter takes')
    }
  }
}

export function checkSet(set: SourceSet, refuse: Refuse) {
  if (set.kind === 'values') checkEnumeration(set, refuse)
  if (set.kind === 'subtypes') unique('value', set.values, refuse)
}

type Enumeration = Pick<Parameter, 'values' | 'deprecated_values' | 'default' | 'multi' | 'all_specifier'>

function checkEnumeration(parameter: Enumeration, refuse: Refuse) {
  const { values, deprecated_values: outdated } = parameter
  if (!values) return
  unique('value', values, refuse)
  within('deprecated value', outdated, values, refuse)
  if (outdated && values.slice(-outdated.length).join() !== outdated.join())
    refuse('deprecated values do not come last')
  if (parameter.default === undefined) return
  const chosen = parameter.multi ? multiDefault(parameter) : [String(parameter.default)]
  unique('value of the default', chosen, refuse)
  within('default', chosen, parameter.all_specifier ? [...values, parameter.all_specifier] : values, refuse)
}

function checkNumber({ type, default: value, min, max }: Parameter, refuse: Refuse) {
  if (value === undefined) return
  const numeric = type === 'int' || type === 'ns' || type === 'limit'
  if (numeric !== Number.isInteger(value)) refuse(`${JSON.stringify(value)} cannot be the default of type ${type}`)
  if (min !== undefined && Number(value) < min) refuse(`default ${value} is under the minimum ${min}`)
  if (max !== undefined && Number(value) > max) refuse(`default ${value} is over the maximum ${max}`)
}

/** The values a multi-valued default selects: the empty text selects none. */
const multiDefault = ({ default: text }: Pick<Parameter, 'default'>): string[] => (text ? String(text).split('|') : [])

const nameOf = ({ name }: { name: string }): string => name

function within<T>(what: string, found: T[] | undefined, allowed: T[] | undefined, refuse: Refuse) {
  for (const value of found ?? []) {
    if (!allowed?.includes(value))
      refuse(`${what} ${JSON.stringify(value)} is not among ${JSON.stringify(allowed ?? [])}`)
  }
}

function unique(what: string, found: string[], refuse: Refuse) {
  for (const value of new Set(found.filter((value, position) => found.indexOf(value) !== position))) {
    refuse(`duplicate ${what} ${JSON.stringify(value)}`)
  }
}

function same(what: string, found: string[], due: string[], refuse: Refuse) {
  if (JSON.stringify(found) === JSON.stringify(due)) return
  refuse(`the ${what} are ${found.join(', ')}, where ${due.join(', ')} are due`)
}

const parametersOf = (relation: Relation): string[] =>
  relation.kind === 'needs' ? [relation.parameter, relation.needs] : relation.parameters

/** Checks a module's relations against its expanded parameters, and against each other. */
export function checkRelations(relations: Relation[], parameters: Parameter[], refuse: Refuse) {
  const about: Refuse = finding => refuse(`relations: ${finding}`)
  const required = parameters.filter(({ required }) => required).map(nameOf)
  const exclusive = relations.flatMap(relation =>
    relation.kind === 'exactly-one' || relation.kind === 'at-most-one' ? [relation.parameters] : [],
  )
  const seen = new Set<string>()
  for (const relation of relations) {
    const names = parametersOf(relation)
    for (const name of names) {
      if (!parameters.some(parameter => parameter.name === name)) about(`it has no parameter ${name}`)
    }
    // A need has a direction; a group has none.
    const listed = (relation.kind === 'needs' ? names : [...names].sort()).join(', ')
    const key = `${relation.kind === 'needs' ? 'need' : 'group'} of ${listed}`
    if (seen.has(key)) about(`two of ${listed}`)
    seen.add(key)
    if (relation.kind === 'needs') checkNeed(relation, exclusive, about)
  }
  for (const group of exclusive) {
    const [always] = group.filter(name => required.includes(name))
    const never = group.filter(name => name !== always)
    if (always) about(`${always} is required, so that ${never.join(', ')} can never be given`)
  }
}

function checkNeed({ parameter, needs }: { parameter: string; needs: string }, exclusive: string[][], refuse: Refuse) {
  if (parameter === needs) refuse(`${parameter} needs itself`)
  else if (exclusive.some(group => group.includes(parameter) && group.includes(needs))) {
    refuse(`${parameter} needs ${needs}, and they exclude each other`)
  }
}
