// Expands the source files into one catalogue, or lists their mistakes.
import type { Catalogue, Counts, Module, SharedSet } from '../model.ts'
import { checkNames, checkParameters, checkRelations, checkSet } from './check.ts'
import { expandModule, expandSet, type Refuse } from './expand.ts'
import type { Source } from './source.ts'
import { groupView, moduleView, setView, typeView, type Use } from './views.ts'

/** The source files contradict themselves; each finding says where and how. */
export class CatalogueRefused extends Error {
  override name = 'CatalogueRefused'
  readonly findings: string[]

  constructor(findings: string[]) {
    super(`The catalogue contradicts itself:\n- ${findings.join('\n- ')}`)
    this.findings = findings
  }
}

/**
 * Expands the source files into the served catalogue.
 *
 * @throws {CatalogueRefused} with all findings, not just the first
 */
export function buildCatalogue(source: Source): Catalogue {
  const findings: string[] = []
  const refuseAt =
    (where: string): Refuse =>
    finding =>
      findings.push(where ? `${where}: ${finding}` : finding)
  const { catalogue } = source
  checkNames(source, refuseAt(''))

  const uses: Use[] = []
  const modules = catalogue.groups.flatMap(group =>
    group.modules.flatMap(name => {
      const module = source.modules.get(`${group.name}/${name}`)
      if (!module) return []
      const refuse = refuseAt(`${group.name}/${name}`)
      const expanded = expandModule(module, source, refuse)
      const parameters = expanded.map(({ parameter }) => parameter)
      checkParameters(parameters, source, refuse)
      checkRelations(module.relations ?? [], parameters, refuse)
      for (const { parameter, from } of expanded) {
        for (const set of from) uses.push({ set, module: name, parameter: parameter.name })
      }
      return [moduleView(module, expanded)]
    }),
  )
  const sets = catalogue.sets.flatMap(name => {
    const set = source.sets.get(name)
    if (!set) return []
    const refuse = refuseAt(`sets/${name}`)
    const expanded = expandSet(set, source, refuse)
    checkSet(set, refuse)
    const parameters = expanded.map(({ parameter }) => parameter)
    checkParameters(parameters, source, refuse)
    if (!uses.some(use => use.set === name)) refuse('no module uses it')
    return [setView(set, expanded, uses)]
  })

  const counts = countCatalogue(modules, sets, source)
  for (const key of new Set([...keysOf(counts), ...keysOf(catalogue.totals)])) {
    const [counted, due] = [JSON.stringify(counts[key]), JSON.stringify(catalogue.totals[key])]
    if (counted !== due) findings.push(`totals: ${key} is ${counted}, where ${due} is due`)
  }
  if (findings.length > 0) throw new CatalogueRefused(findings)

  const { name, version, statements, not_described, multi_valued } = catalogue
  return {
    name,
    catalogue_version: version,
    counts,
    statements,
    not_described,
    multi_valued,
    groups: catalogue.groups.map(group => groupView(group, modules)),
    types: catalogue.types.map(type => typeView(type, modules)),
    sets,
    modules,
  }
}

const keysOf = (counts: Counts) => Object.keys(counts) as (keyof Counts)[]

/**
 * Every count of the index, in its order, so that a mistake shows as a total that differs from catalogue.json's. The
 * values of a set count for each use.
 */
function countCatalogue(modules: Module[], sets: SharedSet[], { catalogue: { groups, types } }: Source): Counts {
  const parameters = modules.flatMap(module => module.parameters)
  const enumerations = parameters.filter(({ type }) => type === 'enum')
  const generators = modules.filter(({ generator }) => generator)
  const byGroup = (some: Module[]) =>
    Object.fromEntries(groups.map(({ name }) => [name, some.filter(({ group }) => group === name).length]))
  return {
    modules: modules.length,
    modules_by_group: byGroup(modules),
    generators: generators.length,
    generators_by_group: byGroup(generators),
    readrights: modules.filter(({ readrights }) => readrights).length,
    deprecated_modules: modules.filter(({ deprecated }) => deprecated).length,
    parameters: parameters.length,
    enumerations: enumerations.length,
    single_enumerations: enumerations.filter(({ multi }) => !multi).length,
    multi_enumerations: enumerations.filter(({ multi }) => multi).length,
    enumerated_values: enumerations.reduce((sum, { values = [] }) => sum + values.length, 0),
    multi_valued_parameters: parameters.filter(({ multi }) => multi).length,
    deprecated_parameters: parameters.filter(({ deprecated }) => deprecated).length,
    required_parameters: parameters.filter(({ required }) => required).length,
    sensitive_parameters: parameters.filter(({ sensitive }) => sensitive).length,
    types: types.length,
    sets: sets.length,
    set_values: Object.fromEntries(sets.flatMap(({ name, values }) => (values ? [[name, values.length]] : []))),
  }
}
