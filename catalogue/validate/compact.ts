// The validator's part of the catalogue, and no more: the explorer's pages load it too.
import type { GroupName } from '../fixed-names.ts'
import type { Parameter, Relation } from '../model.ts'

/** A parameter without facts implied by its type. `values` is a list, or the name of a shared one. */
export type CompactParameter = Omit<Parameter, (typeof impliedFacts)[number] | 'values'> & {
  values?: string[] | string
}

/** Facts that no check needs, or that the type implies. */
export const impliedFacts = [
  'index',
  'value_limit',
  'value_high_limit',
  'min',
  'max',
  'highmax',
  'sensitive',
  'values_set',
] as const

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
  /** Maximum values of a parameter, normally and with the high limit. */
  values: { normal: number; high: number }
  /** The bounds of a `limit`. */
  limit: { min: number; normal: number; high: number }
  /** The values of shared sets, by name. */
  sets: Record<string, string[]>
  modules: CompactModule[]
}
