// The catalogue as it is served: the shapes of the JSON under /catalogue. Members are snake_case, as on the wire.

/** The groups of modules, in the specification's order. */
export const groupNames = ['list', 'prop', 'meta'] as const

/** The types of parameters, in the specification's order. */
export const typeNames = ['str', 'int', 'bool', 'ts', 'title', 'ns', 'user', 'limit', 'enum'] as const

export type GroupName = (typeof groupNames)[number]
export type TypeName = (typeof typeNames)[number]

/** When a parameter may be used; `values` lists the modes it works in. */
export type Condition = { name: string; values?: number[] }

/** A parameter. Members that do not hold are absent; `index` counts from 1 inside the module. */
export type Parameter = {
  index: number
  name: string
  type: TypeName
  multi?: true
  value_limit?: number
  value_high_limit?: number
  all_specifier?: string
  allows_duplicates?: true
  default?: string | number
  required?: true
  deprecated?: true
  sensitive?: true
  values?: string[]
  values_set?: string
  deprecated_values?: string[]
  extra_namespaces?: number[]
  subtypes?: string[]
  min?: number
  max?: number
  highmax?: number
  conditions?: Condition[]
}

/**
 * What holds between parameters of one module, by their bare names. How many of a group must or may be given, or which
 * other parameter one needs. Known from MediaWiki, the API that the catalogue describes.
 */
export type Relation =
  | { kind: 'exactly-one' | 'at-least-one' | 'at-most-one'; parameters: string[] }
  | { kind: 'needs'; parameter: string; needs: string }

/** Addresses of related answers, as paths on this host. */
export type Links = Record<string, string>

/** A module as the list shows it. `path` is `query+<name>`; `prefix` may be empty. */
export type ModuleSummary = {
  path: string
  name: string
  group: GroupName
  prefix: string
  generator: boolean
  readrights: boolean
  deprecated: boolean
  parameter_count: number
  links: Links
}

/** A whole module. `relations` is absent where there are none. */
export type Module = ModuleSummary & { parameters: Parameter[]; relations?: Relation[] }

/** A set that modules share: values of enumerations, subtypes of users, or parameters. */
export type SharedSet = {
  name: string
  kind: 'values' | 'subtypes' | 'parameters'
  values?: string[]
  deprecated_values?: string[]
  default?: string
  parameters?: Parameter[]
  used_by: { module: string; parameters: string[] }[]
  links: Links
}

/** What the specification says of a type. Bounds and default are those of `limit`. */
export type ParameterType = {
  name: TypeName
  meaning: string
  extra_namespaces?: number[]
  subtypes?: string[]
  min?: number
  max?: number
  highmax?: number
  default?: number
  parameter_count: number
  links: Links
}

/** A group with the names of its modules. */
export type Group = {
  name: GroupName
  meaning: string
  module_count: number
  generator_count: number
  modules: string[]
  links: Links
}

/** How many of each there are, by name; some counts are split by group or by set. */
export type Counts = Record<string, number | Record<string, number>>

/** Rules for every parameter that takes several values. */
export type MultiValued = {
  separator: string
  value_limit: number
  value_high_limit: number
  all_specifier: string
}

/** Everything, expanded: what `/catalogue/export/catalogue.json` serves. */
export type Catalogue = {
  name: string
  catalogue_version: string
  counts: Counts
  statements: string[]
  not_described: string[]
  multi_valued: MultiValued
  groups: Group[]
  types: ParameterType[]
  sets: SharedSet[]
  modules: Module[]
}
