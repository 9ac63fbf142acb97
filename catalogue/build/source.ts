// The source files of the catalogue: their shapes (published as JSON Schema in ../schema), and their reader.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Counts, Group, ModuleTraits, MultiValued, Parameter, Relation, ValueType } from '../model.ts'

/** A source parameter. `values_set` and `subtypes_set` name a shared set; a `default` of null means no default. */
export type SourceParameter = Omit<
  Parameter,
  'value_limit' | 'value_high_limit' | 'min' | 'max' | 'highmax' | 'default'
> & {
  subtypes_set?: string
  default?: string | number | null
}

/** The parameters of a set, from `index` on, without some and with differing facts. */
export type BlockReference = {
  index: number
  block: string
  without?: string[]
  override?: Record<string, Pick<SourceParameter, 'default' | 'conditions'>>
}

/** `<group>/<name>.json` */
export type SourceModule = ModuleTraits & { parameters: (SourceParameter | BlockReference)[]; relations?: Relation[] }

/** `sets/<NAME>.json` */
export type SourceSet = { name: string } & (
  | { kind: 'values'; values: string[]; default?: string; deprecated_values?: string[] }
  | { kind: 'subtypes'; values: string[] }
  | { kind: 'parameters'; parameters: SourceParameter[] }
)

/** A type of the specification. */
export type SourceType = Omit<ValueType, 'parameter_count' | 'links'>

/** A group and the names of its modules, in the specification's order. */
export type SourceGroup = Pick<Group, 'name' | 'meaning' | 'modules'>

type SourceCatalogue = {
  name: string
  version: string
  statements: string[]
  not_described: string[]
  multi_valued: MultiValued
  types: SourceType[]
  groups: SourceGroup[]
  sets: string[]
  totals: Counts
}

/** All source files. Modules and sets are keyed by their files' names, relative to the folder and without `.json`. */
export type Source = { catalogue: SourceCatalogue; modules: Map<string, SourceModule>; sets: Map<string, SourceSet> }

const sourceFolder = new URL('../data/', import.meta.url)

/** Reads the source files. `buildCatalogue` checks them. */
export function readSource(folder: URL = sourceFolder): Source {
  const catalogue = readJson(new URL('catalogue.json', folder)) as SourceCatalogue
  return {
    catalogue,
    modules: new Map(catalogue.groups.flatMap(({ name }) => readFolder(folder, name) as [string, SourceModule][])),
    sets: new Map(readFolder(folder, 'sets').map(([file, set]) => [file.replace('sets/', ''), set as SourceSet])),
  }
}

const readFolder = (folder: URL, name: string): [string, unknown][] =>
  readdirSync(new URL(`${name}/`, folder))
    .filter(file => file.endsWith('.json'))
    .sort()
    .map(file => [`${name}/${file.replace(/\.json$/, '')}`, readJson(new URL(`${name}/${file}`, folder))])

function readJson(file: URL): unknown {
  const text = readFileSync(file, 'utf8')
  try {
    return JSON.parse(text)
  } catch (error) {
    // The parser names the line, but not the file.
    throw new Error(`${fileURLToPath(file)}: ${(error as Error).message}`)
  }
}
