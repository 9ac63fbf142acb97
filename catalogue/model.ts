// The served catalogue: the shapes of the JSON under /catalogue. Members are snake_case, as on the wire.
//
// A schema and its type share a name. The schemas are for tests and tools: served code imports the types alone.
import * as v from 'valibot'
import { groupNames, typeNames } from './fixed-names.ts'
import { Paraminfo, ParaminfoRequest, parts as paraminfoParts } from './paraminfo/shapes.ts'
import { Report, parts as reportParts, ValidationRequest } from './report.ts'

const Count = v.pipe(v.number(), v.integer(), v.minValue(0))
const Integer = v.pipe(v.number(), v.integer())
const Texts = v.array(v.string())
const Holds = v.literal(true)
const GroupName = v.picklist(groupNames)
const TypeName = v.picklist(typeNames)

/** When a parameter may be used; `values` lists its modes. */
export const Condition = v.strictObject({ name: v.string(), values: v.exactOptional(v.array(Integer)) })
export type Condition = v.InferOutput<typeof Condition>

/** A parameter. Inapplicable members are absent; `index` counts from 1 within the module. */
export const Parameter = v.strictObject({
  index: v.pipe(v.number(), v.integer(), v.minValue(1)),
  name: v.string(),
  type: TypeName,
  multi: v.exactOptional(Holds),
  value_limit: v.exactOptional(Count),
  value_high_limit: v.exactOptional(Count),
  all_specifier: v.exactOptional(v.string()),
  allows_duplicates: v.exactOptional(Holds),
  default: v.exactOptional(v.union([v.string(), Integer])),
  required: v.exactOptional(Holds),
  deprecated: v.exactOptional(Holds),
  sensitive: v.exactOptional(Holds),
  values: v.exactOptional(Texts),
  values_set: v.exactOptional(v.string()),
  deprecated_values: v.exactOptional(Texts),
  extra_namespaces: v.exactOptional(v.array(Integer)),
  subtypes: v.exactOptional(Texts),
  min: v.exactOptional(Count),
  max: v.exactOptional(Count),
  highmax: v.exactOptional(Count),
  conditions: v.exactOptional(v.array(Condition)),
})
export type Parameter = v.InferOutput<typeof Parameter>

/**
 * A relation between parameters of one module, by their bare names: how many of a group must or may be given, or which
 * other parameter one needs. Known from MediaWiki, the API that the catalogue describes.
 */
const GroupRelation = v.strictObject({
  kind: v.picklist(['exactly-one', 'at-least-one', 'at-most-one']),
  parameters: Texts,
})
const NeedsRelation = v.strictObject({ kind: v.literal('needs'), parameter: v.string(), needs: v.string() })
export const Relation = v.variant('kind', [GroupRelation, NeedsRelation])
export type Relation = v.InferOutput<typeof Relation>

/** Addresses of related answers, as paths on this host. */
export const Links = v.record(v.string(), v.string())
export type Links = v.InferOutput<typeof Links>

/** A module in the list. `path` is `query+<name>`; `prefix` may be empty. */
export const ModuleSummary = v.strictObject({
  path: v.string(),
  name: v.string(),
  group: GroupName,
  prefix: v.string(),
  generator: v.boolean(),
  readrights: v.boolean(),
  deprecated: v.boolean(),
  parameter_count: Count,
  links: Links,
})
export type ModuleSummary = v.InferOutput<typeof ModuleSummary>

/** A whole module. `relations` is absent where there are none. */
export const Module = v.strictObject({
  ...ModuleSummary.entries,
  parameters: v.array(Parameter),
  relations: v.exactOptional(v.array(Relation)),
})
export type Module = v.InferOutput<typeof Module>

export type ModuleTraits = Pick<Module, 'name' | 'group' | 'prefix' | 'generator' | 'readrights' | 'deprecated'>

/** A module, and its parameters that have a set. */
const SetUse = v.strictObject({ module: v.string(), parameters: Texts })

/** A set that modules share: values of enumerations, subtypes of users, or parameters. */
export const SharedSet = v.strictObject({
  name: v.string(),
  kind: v.picklist(['values', 'subtypes', 'parameters']),
  values: v.exactOptional(Texts),
  deprecated_values: v.exactOptional(Texts),
  default: v.exactOptional(v.string()),
  parameters: v.exactOptional(v.array(Parameter)),
  used_by: v.array(SetUse),
  links: Links,
})
export type SharedSet = v.InferOutput<typeof SharedSet>

/** A type of the specification. Only `limit` has bounds and a default. */
export const ValueType = v.strictObject({
  name: TypeName,
  meaning: v.string(),
  extra_namespaces: v.exactOptional(v.array(Integer)),
  subtypes: v.exactOptional(Texts),
  min: v.exactOptional(Count),
  max: v.exactOptional(Count),
  highmax: v.exactOptional(Count),
  default: v.exactOptional(Count),
  parameter_count: Count,
  links: Links,
})
export type ValueType = v.InferOutput<typeof ValueType>

export const Group = v.strictObject({
  name: GroupName,
  meaning: v.string(),
  module_count: Count,
  generator_count: Count,
  modules: Texts,
  links: Links,
})
export type Group = v.InferOutput<typeof Group>

const NamedCounts = v.record(v.string(), Count)

/** Totals; some are split by group or by set. */
export const Counts = v.strictObject({
  modules: Count,
  modules_by_group: NamedCounts,
  generators: Count,
  generators_by_group: NamedCounts,
  readrights: Count,
  deprecated_modules: Count,
  parameters: Count,
  enumerations: Count,
  single_enumerations: Count,
  multi_enumerations: Count,
  enumerated_values: Count,
  multi_valued_parameters: Count,
  deprecated_parameters: Count,
  required_parameters: Count,
  sensitive_parameters: Count,
  types: Count,
  sets: Count,
  set_values: NamedCounts,
})
export type Counts = v.InferOutput<typeof Counts>

/** Rules for every multi-valued parameter. */
export const MultiValued = v.strictObject({
  separator: v.string(),
  value_limit: Count,
  value_high_limit: Count,
  all_specifier: v.string(),
})
export type MultiValued = v.InferOutput<typeof MultiValued>

const described = {
  name: v.string(),
  catalogue_version: v.string(),
  counts: Counts,
  statements: Texts,
  not_described: Texts,
  multi_valued: MultiValued,
}

/** The whole catalogue, expanded: `/catalogue/export/catalogue.json`. */
export const Catalogue = v.strictObject({
  ...described,
  groups: v.array(Group),
  types: v.array(ValueType),
  sets: v.array(SharedSet),
  modules: v.array(Module),
})
export type Catalogue = v.InferOutput<typeof Catalogue>

/** A module in the list, with parameters and relations on request. */
const ListedModule = v.strictObject({
  ...ModuleSummary.entries,
  parameters: v.exactOptional(Module.entries.parameters),
  relations: Module.entries.relations,
})

/** Of messages by JSON-RPC 2.0. */
const message = { jsonrpc: v.literal('2.0'), id: v.exactOptional(v.union([v.string(), Integer])) }
const RpcMembers = v.record(v.string(), v.unknown())
const RpcError = v.strictObject({ code: Integer, message: v.string(), data: v.exactOptional(RpcMembers) })
const RpcRequest = v.object({ ...message, method: v.string(), params: v.exactOptional(RpcMembers) })

const list = { catalogue_version: v.string(), total: Count }

/** Answers by name, for the route table (`api/routes.ts`). */
export const replies = {
  /** `link_templates` are URI templates (RFC 6570). */
  CatalogueIndex: v.strictObject({ ...described, links: Links, link_templates: Links, agents: v.string() }),
  ModuleList: v.strictObject({ ...list, modules: v.array(ListedModule) }),
  Module,
  ParameterList: v.strictObject({
    path: v.string(),
    parameter_count: Count,
    parameters: v.array(Parameter),
    links: Links,
  }),
  Parameter,
  GroupList: v.strictObject({ ...list, groups: v.array(Group) }),
  TypeList: v.strictObject({ ...list, types: v.array(ValueType) }),
  SetList: v.strictObject({ ...list, sets: v.array(SharedSet) }),
  SharedSet,
  Catalogue,
  /** A schema by draft 2020-12. */
  JsonSchema: v.objectWithRest({ $schema: v.string() }, v.unknown()),
  TypeScript: v.string(),
  Report,
  Paraminfo,
  RpcAnswer: v.strictObject({ ...message, result: v.exactOptional(RpcMembers), error: v.exactOptional(RpcError) }),
} as const

/** Query strings and POST bodies by name, for the route table. */
export const requests = { ValidationRequest, ParaminfoRequest } as const

/** Their parts, by name. */
export const parts = {
  GroupName,
  TypeName,
  Condition,
  GroupRelation,
  NeedsRelation,
  Relation,
  Links,
  ListedModule,
  SetUse,
  ValueType,
  Group,
  NamedCounts,
  Counts,
  MultiValued,
  RpcRequest,
  RpcError,
  RpcMembers,
  ...reportParts,
  ...paraminfoParts,
} as const
