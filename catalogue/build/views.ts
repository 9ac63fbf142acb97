// The served parts of the catalogue, with their counts and links.
import { modulePath } from '../addresses.ts'
import type { Group, Links, Module, ModuleTraits, SharedSet, ValueType } from '../model.ts'
import type { Expanded } from './expand.ts'
import type { SourceGroup, SourceModule, SourceSet, SourceType } from './source.ts'

export type Use = { set: string; module: string; parameter: string }

/** A module's own facts, in the served order. */
export const traitsOf = (module: ModuleTraits): ModuleTraits => {
  const { name, group, prefix, generator, readrights, deprecated } = module
  return { name, group, prefix, generator, readrights, deprecated }
}

export function moduleView(source: SourceModule, expanded: Expanded[]): Module {
  const { name, group, relations } = source
  const path = modulePath(name)
  const self = `/catalogue/modules/${path}`
  const links: Links = {
    self,
    parameters: `${self}/parameters`,
    schema: `${self}/schema`,
    group: `/catalogue/modules?group=${group}`,
    catalogue: '/catalogue',
  }
  const parameters = expanded.map(({ parameter }) => parameter)
  return {
    path,
    ...traitsOf(source),
    parameter_count: parameters.length,
    parameters,
    ...(relations && { relations }),
    links,
  }
}

export function setView(set: SourceSet, expanded: Expanded[], uses: Use[]): SharedSet {
  const modules = new Map<string, string[]>()
  for (const use of uses.filter(use => use.set === set.name)) {
    modules.set(use.module, [...(modules.get(use.module) ?? []), use.parameter])
  }
  const { name, kind } = set
  return {
    name,
    kind,
    ...(set.kind === 'parameters'
      ? { parameters: expanded.map(({ parameter }) => parameter) }
      : { values: set.values }),
    ...(set.kind === 'values' && set.deprecated_values && { deprecated_values: set.deprecated_values }),
    ...(set.kind === 'values' && set.default !== undefined && { default: set.default }),
    used_by: [...modules].map(([module, parameters]) => ({ module, parameters })),
    links: { self: `/catalogue/sets/${name}`, sets: '/catalogue/sets', catalogue: '/catalogue' },
  }
}

export function groupView({ name, meaning, modules: names }: SourceGroup, modules: Module[]): Group {
  const members = modules.filter(({ group }) => group === name)
  return {
    name,
    meaning,
    module_count: members.length,
    generator_count: members.filter(({ generator }) => generator).length,
    modules: names,
    links: { modules: `/catalogue/modules?group=${name}`, groups: '/catalogue/groups', catalogue: '/catalogue' },
  }
}

export function typeView(type: SourceType, modules: Module[]): ValueType {
  const { name } = type
  return {
    ...type,
    parameter_count: modules.flatMap(({ parameters }) => parameters).filter(parameter => parameter.type === name)
      .length,
    links: { modules: `/catalogue/modules?type=${name}`, types: '/catalogue/types', catalogue: '/catalogue' },
  }
}
