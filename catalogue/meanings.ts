import type { MeaningsOf } from '../shared/base/shapes.ts'
import type { parts, replies, requests } from './model.ts'
import { modulePath, meanings as ofReports, version } from './report.ts'

const total = { total: 'How many there are.' }
const described = {
  name: "The catalogue's name.",
  ...version,
  statements: 'What holds for all modules.',
  not_described: 'What the catalogue leaves out.',
}

const limits = {
  extra_namespaces: 'Values that it takes besides namespaces.',
  subtypes: 'The forms in which a user can be named.',
  min: 'The least value.',
  max: 'The greatest value.',
  highmax: 'The greatest value for callers with the high limit.',
}

const parameter = {
  index: 'Its place in the module, from 1.',
  name: 'Its name, without the prefix of the module.',
  multi: 'True: it takes several values.',
  value_limit: 'How many values it takes at once.',
  value_high_limit: 'How many it takes from callers with the high limit.',
  all_specifier: 'The value that stands for all of them.',
  allows_duplicates: 'True: a value may be repeated.',
  default: 'The value without the parameter.',
  required: 'True: a query of the module needs it.',
  deprecated: 'True: it may be removed.',
  sensitive: 'True: it is a secret, and belongs in no URL.',
  values: 'The values that it takes.',
  values_set: 'The set that has its values.',
  deprecated_values: 'Those of its values that may be removed.',
  ...limits,
  conditions: 'When it may be used.',
}

const moduleSummary = {
  ...modulePath,
  name: 'Its name.',
  prefix: 'What the names of its parameters begin with in a query. It may be empty.',
  generator: 'Whether it can give its pages to other modules.',
  readrights: 'Whether it asks for the right to read.',
  deprecated: 'Whether it may be removed.',
  parameter_count: 'How many parameters it has.',
}
const whole = {
  parameters: 'Its parameters, in their order.',
  relations: 'How its parameters depend on each other. Absent where they do not.',
}

const rpc = {
  jsonrpc: 'The version of JSON-RPC.',
  id: 'The same in a request and in its answer. Notifications have none.',
}

/** `api/openapi/document.ts` has the names of modules and sets from the catalogue. */
type Names = Record<'ModuleName' | 'SetName', unknown>

/** What the shapes of the catalogue are, and their members, for the API's description. */
export const meanings: MeaningsOf<typeof replies & typeof requests & typeof parts & Names> = {
  ...ofReports,
  ModuleName: ['The name of a module.'],
  SetName: ['The name of a set.'],
  GroupName: ['The name of a group of modules.'],
  TypeName: ['The name of a type of parameters.'],
  CatalogueIndex: [
    'What the catalogue holds, and where.',
    { ...described, agents: 'The command that gives the catalogue to an agent, with the address of its tools.' },
  ],
  Counts: [
    'How many of each there are.',
    {
      modules: 'Modules.',
      generators: 'Modules that can be generators.',
      readrights: 'Modules that ask for the right to read.',
      deprecated_modules: 'Modules that may be removed.',
      parameters: 'Parameters of all modules.',
      enumerations: 'Parameters with a list of values.',
      single_enumerations: 'Those that take one value.',
      multi_enumerations: 'Those that take several.',
      enumerated_values: 'Values of all lists together.',
      multi_valued_parameters: 'Parameters that take several values.',
      deprecated_parameters: 'Parameters that may be removed.',
      required_parameters: 'Parameters that a query of their module needs.',
      sensitive_parameters: 'Parameters that are secrets.',
      types: 'Types of parameters.',
      sets: 'Sets that modules share.',
    },
  ],
  NamedCounts: ['Numbers by name.'],
  MultiValued: [
    'Rules for every parameter that takes several values.',
    {
      separator: 'What stands between values.',
      value_limit: parameter.value_limit,
      value_high_limit: parameter.value_high_limit,
      all_specifier: parameter.all_specifier,
    },
  ],
  Links: ['Addresses of related answers, as paths on this host; templates are those of RFC 6570.'],
  ModuleList: ['A list of modules.', { ...version, ...total, modules: 'The modules, in their order.' }],
  ListedModule: [
    'A module in a list.',
    {
      ...moduleSummary,
      parameters: `${whole.parameters} Only with \`expand=parameters\`.`,
      relations: `${whole.relations} Only with \`expand=parameters\`.`,
    },
  ],
  Module: ['A module with its parameters.', { ...moduleSummary, ...whole }],
  ParameterList: [
    'The parameters of a module.',
    { path: 'The path of the module.', parameter_count: moduleSummary.parameter_count, parameters: whole.parameters },
  ],
  Parameter: ['A parameter. A member that does not apply is left out.', parameter],
  Condition: [
    'When a parameter may be used.',
    { name: 'The condition.', values: 'The modes in which the parameter works.' },
  ],
  Relation: ['How parameters of one module depend on each other, by their bare names.'],
  GroupRelation: [
    'How many of some parameters must or may be given.',
    { kind: 'How many.', parameters: 'The names of the parameters.' },
  ],
  NeedsRelation: [
    'A parameter that needs another.',
    { kind: 'That it does.', parameter: 'Its name.', needs: 'The name of the other.' },
  ],
  GroupList: ['The groups of modules.', { ...version, ...total, groups: 'The groups, in their order.' }],
  Group: [
    'A group of modules.',
    {
      meaning: 'What its modules are for.',
      module_count: 'How many modules it has.',
      generator_count: 'How many of them can be generators.',
      modules: 'The names of its modules.',
    },
  ],
  TypeList: ['The types of parameters.', { ...version, ...total, types: 'The types, in their order.' }],
  ValueType: [
    'A type of parameters. Only `limit` has bounds and a default.',
    {
      meaning: 'What a value of it is.',
      ...limits,
      default: parameter.default,
      parameter_count: 'How many parameters have it.',
    },
  ],
  SetList: ['The sets that modules share.', { ...version, ...total, sets: 'The sets, in their order.' }],
  SharedSet: [
    'A set that modules share.',
    {
      name: 'Its name.',
      kind: 'What it has: values, subtypes of users, or parameters.',
      values: 'Its values.',
      deprecated_values: parameter.deprecated_values,
      default: 'The default of parameters with these values.',
      parameters: 'Its parameters.',
      used_by: 'The modules that use it.',
    },
  ],
  SetUse: [
    'A use of a set.',
    { module: 'The name of the module.', parameters: 'The names of its parameters that come from the set.' },
  ],
  Catalogue: [
    'Everything in the catalogue.',
    { ...described, groups: 'All groups.', types: 'All types.', sets: 'All sets.', modules: 'All modules.' },
  ],
  JsonSchema: ['A JSON Schema (draft 2020-12).', { $schema: 'The draft.' }],
  TypeScript: ['Declarations of TypeScript.'],
  ParaminfoRequest: [
    'A request of a client of MediaWiki. Other fields are ignored.',
    {
      action: 'The only action that is known.',
      format: 'The only format that is known.',
      formatversion:
        '`1` (the default) writes `""` for true and leaves false out; `2` and `latest` have true and false.',
      modules: 'Up to 50 paths of modules, joined with `|`.',
      querymodules: 'Up to 50 names of query modules, joined with `|`.',
      helpformat: 'Whatever it says, there are no help texts.',
    },
  ],
  Paraminfo: ['Modules as MediaWiki describes them, or an error.'],
  ParaminfoModules: [
    'The modules that were asked for.',
    { helpformat: 'That there are no help texts.', modules: 'By their paths.', querymodules: 'By their names.' },
  ],
  ParaminfoModule: [
    'A module. Its further members are those of MediaWiki.',
    {
      name: moduleSummary.name,
      classname: 'The class that MediaWiki has for it, derived from its name.',
      path: 'Its path.',
      prefix: moduleSummary.prefix,
      helpurls: 'None: the catalogue has no such pages.',
      parameters: whole.parameters,
    },
  ],
  ParaminfoParameter: [
    'A parameter. Its further members are those of MediaWiki.',
    { index: parameter.index, name: parameter.name, type: 'Its type, or the values that it takes.' },
  ],
  ParaminfoWarnings: ['Warnings, by the module that gives them.'],
  NamedTexts: ['Texts by name.'],
  RpcRequest: ['A message of the Model Context Protocol, by JSON-RPC 2.0.', { ...rpc, method: 'What it asks.' }],
  RpcAnswer: ['An answer of the Model Context Protocol: a result, or an error.', rpc],
  RpcError: ['An error of JSON-RPC 2.0.', { code: 'Its number.', message: 'It in words.' }],
  RpcMembers: ['Members that the protocol defines, by the method or the code.'],
}

/** Examples of what the fields of paths may hold: a query with a mistake in it, and a small module. */
export const requestExamples: Record<keyof typeof requests, Record<string, string>> = {
  ValidationRequest: { query: 'list=search&srsearch=a&limit=5', limits: 'any' },
  ParaminfoRequest: { action: 'paraminfo', format: 'json', formatversion: '2', modules: 'query+tokens' },
}

const prefixsearch = {
  name: 'prefixsearch',
  group: 'list',
  prefix: 'ps',
  generator: true,
  address: '/catalogue/modules/query+prefixsearch',
}
const found = { total: 1, modules: [prefixsearch] }

/** A call of a tool, and its answer. */
export const rpcExamples = {
  request: {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'find_modules', arguments: { q: 'prefixsearch' } },
  },
  answer: {
    jsonrpc: '2.0',
    id: 1,
    result: { content: [{ type: 'text', text: JSON.stringify(found) }], structuredContent: found },
  },
  400: { jsonrpc: '2.0', error: { code: -32700, message: 'The body is no JSON in UTF-8' } },
  404: { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'There is no method "prompts/list" here' } },
}

/** Examples of what the variables of paths stand for. */
export const variableExamples: Record<string, string> = { name: 'allpages', parameter: 'namespace', set: 'REVPROP' }
