// The compact catalogue, opened: modules by name, and the meanings of wire names.
import type { GroupName } from '../fixed-names.ts'
import type { Relation } from '../model.ts'
import type { CompactCatalogue, CompactParameter } from './compact.ts'

export type KnownParameter = Omit<CompactParameter, 'values'> & { values?: ReadonlySet<string> }

export type KnownModule = {
  path: string
  name: string
  group: GroupName
  prefix: string
  generator: boolean
  deprecated: boolean
  parameters: ReadonlyMap<string, KnownParameter>
  /** Its required parameters. */
  required: readonly KnownParameter[]
  relations: readonly Relation[]
}

/** The role of a module in a query. A module can have two. */
export type Role = GroupName | 'generator'

export type Chosen = { module: KnownModule; role: Role }

/** A module's parameter in a role: the meaning of a wire name. */
export type Target = Chosen & { wire: string; parameter: KnownParameter }

export type Knowledge = Pick<CompactCatalogue, 'version' | 'values' | 'limit'> & {
  modules: ReadonlyMap<string, KnownModule>
  /** All 834 wire names, which are unique. */
  wires: ReadonlyMap<string, Target>
}

export function openKnowledge({ version, values, limit, sets, modules: listed }: CompactCatalogue): Knowledge {
  const modules = new Map<string, KnownModule>()
  const wires = new Map<string, Target>()
  const shared = new Map(Object.entries(sets).map(([name, values]) => [name, new Set(values)]))
  for (const { name, group, prefix, generator = false, deprecated = false, parameters, relations = [] } of listed) {
    const known = parameters.map(({ values, ...rest }): KnownParameter => {
      const set = typeof values === 'string' ? shared.get(values) : values && new Set(values)
      return { ...rest, ...(set && { values: set }) }
    })
    const byName = new Map(known.map(parameter => [parameter.name, parameter]))
    const required = known.filter(parameter => parameter.required)
    const path = `query+${name}`
    const module = { path, name, group, prefix, generator, deprecated, parameters: byName, required, relations }
    modules.set(name, module)
    for (const role of generator ? [group, 'generator' as const] : [group]) {
      for (const parameter of known) {
        const wire = wireName({ module, role }, parameter.name)
        wires.set(wire, { module, role, wire, parameter })
      }
    }
  }
  return { version, values, limit, modules, wires }
}

/** A parameter's name in a query. */
export const wireName = ({ module, role }: Chosen, parameter: string): string =>
  `${role === 'generator' ? 'g' : ''}${module.prefix}${parameter}`

/** Query-level names, which belong to no module. */
export const queryLevel: ReadonlySet<string> = /* @__PURE__ */ new Set(
  /* @__PURE__ */
  (
    'action format formatversion list prop meta generator titles pageids revids redirects converttitles indexpageids ' +
    'export exportnowrap exportschema iwurl continue rawcontinue maxlag smaxage maxage assert assertuser requestid ' +
    'servedby curtimestamp responselanginfo origin crossorigin uselang variant errorformat errorlang ' +
    'errorsuselocal utf8 ascii callback xslt includexmlnamespace wrappedhtml'
  ).split(' '),
)

/** The names that choose modules. */
export const choosing = ['list', 'prop', 'meta', 'generator'] as const

/** The names that give the query's pages. */
export const pageSets = ['titles', 'pageids', 'revids'] as const
