// Counts the catalogue, so that a mistake shows as a total that differs from the one in catalogue.json.
import type { Counts, Module, SharedSet } from '../model.ts'

/** Every count of the index, in its order. The values of a set count as often as it is used. */
export function countCatalogue(modules: Module[], sets: SharedSet[], groups: string[], types: string[]): Counts {
  const parameters = modules.flatMap(module => module.parameters)
  const enumerations = parameters.filter(({ type }) => type === 'enum')
  const generators = modules.filter(({ generator }) => generator)
  const byGroup = (some: Module[]) =>
    Object.fromEntries(groups.map(name => [name, some.filter(({ group }) => group === name).length]))
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
