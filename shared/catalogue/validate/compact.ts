// What of the catalogue a query is held against, and nothing else: the pages that check queries carry it too.
import type { Parameter, Relation } from '../model.ts'
import type { GroupName } from '../names.ts'

/** A parameter without what follows from its type. `values` is a list, or the name of a shared one. */
export type CompactParameter = Pick<
  Parameter,
  | 'name'
  | 'type'
  | 'multi'
  | 'all_specifier'
  | 'allows_duplicates'
  | 'default'
  | 'required'
  | 'deprecated'
  | 'deprecated_values'
  | 'extra_namespaces'
  | 'subtypes'
  | 'conditions'
> & { values?: string[] | string }

export type CompactModule = {
  name: string
  group: GroupName
  prefix: string
  generator?: true
  deprecated?: true
  parameters: CompactParameter[]
  relations?: Relation[]
}

export type CompactCatalogue = {
  version: string
  /** How many values a parameter takes, normally and with the high limit. */
  values: { normal: number; high: number }
  /** Between what a `limit` lies. */
  limit: { min: number; normal: number; high: number }
  /** The values of shared sets, by name. */
  sets: Record<string, string[]>
  modules: CompactModule[]
}
