import type { ErrorCode } from '../base/errors.ts'
import type { replies } from './model.ts'
import { schemaType } from './notations/json-schema.ts'
import { typescriptType } from './notations/typescript.ts'
import type { requests } from './requests.ts'

/** One of the catalogue's paths. Variables stand in braces, as in URI templates (RFC 6570) and in OpenAPI. */
export interface CataloguePath {
  path: string
  /** Another spelling of it. */
  also?: string
  /** What it is called in the OpenAPI document. */
  name: string
  summary: string
  shape: keyof typeof replies
  /** The media type, where it is not JSON's own. */
  type?: string
  /** The refusals: of a variable's unknown value, or of fields that are wrong. */
  refuses?: readonly ErrorCode[]
  /** It takes the filters of `serve/filters.ts`; the others take no query. */
  filters?: true
  /** The fields that it takes, in the query string or by POST. Its answer is not prebuilt, and `refuses` is complete. */
  asked?: keyof typeof requests
}

/** The catalogue's paths, by the names of their links in the index. */
export const paths = {
  self: {
    path: '/catalogue',
    name: 'get-catalogue',
    summary: 'What the catalogue holds, how much of it, and where.',
    shape: 'CatalogueIndex',
  },
  modules: {
    path: '/catalogue/modules',
    name: 'list-modules',
    summary: 'The modules that all of the filters hold for, in the order of the specification.',
    shape: 'ModuleList',
    filters: true,
  },
  module: {
    path: '/catalogue/modules/query+{name}',
    also: '/catalogue/query+{name}',
    name: 'get-module',
    summary: 'A module with its parameters.',
    shape: 'Module',
    refuses: ['module-not-found'],
  },
  parameters: {
    path: '/catalogue/modules/query+{name}/parameters',
    also: '/catalogue/query+{name}/parameters',
    name: 'list-parameters',
    summary: 'The parameters of a module.',
    shape: 'ParameterList',
    refuses: ['module-not-found'],
  },
  parameter: {
    path: '/catalogue/modules/query+{name}/parameters/{parameter}',
    also: '/catalogue/query+{name}/parameters/{parameter}',
    name: 'get-parameter',
    summary: 'A parameter of a module.',
    shape: 'Parameter',
    refuses: ['module-not-found', 'parameter-not-found'],
  },
  schema: {
    path: '/catalogue/modules/query+{name}/schema',
    also: '/catalogue/query+{name}/schema',
    name: 'get-module-schema',
    summary: 'A module as JSON Schema: what a query of it may hold.',
    shape: 'JsonSchema',
    type: schemaType,
    refuses: ['module-not-found'],
  },
  groups: {
    path: '/catalogue/groups',
    name: 'list-groups',
    summary: 'The groups of modules, with their meaning.',
    shape: 'GroupList',
  },
  types: {
    path: '/catalogue/types',
    name: 'list-types',
    summary: 'The types of parameters, with their meaning.',
    shape: 'TypeList',
  },
  sets: {
    path: '/catalogue/sets',
    name: 'list-sets',
    summary: 'The sets that modules share, and who uses them.',
    shape: 'SetList',
  },
  set: {
    path: '/catalogue/sets/{set}',
    name: 'get-set',
    summary: 'A set that modules share, and who uses it.',
    shape: 'SharedSet',
    refuses: ['set-not-found'],
  },
  export: {
    path: '/catalogue/export/catalogue.json',
    name: 'export-catalogue',
    summary: 'Everything in the catalogue.',
    shape: 'Catalogue',
  },
  schemas: {
    path: '/catalogue/export/query-modules.schema.json',
    name: 'export-schemas',
    summary: 'All modules as JSON Schema.',
    shape: 'JsonSchema',
    type: schemaType,
  },
  typescript: {
    path: '/catalogue/export/query-modules.d.ts',
    name: 'export-typescript',
    summary: 'All modules as types of TypeScript.',
    shape: 'TypeScript',
    type: typescriptType,
  },
  validate: {
    path: '/catalogue/validate',
    name: 'validate-query',
    summary: 'What is wrong with a query, where, and what mends it.',
    shape: 'Report',
    asked: 'ValidationRequest',
    refuses: [
      'query-parameter-missing',
      'query-parameter-unknown',
      'query-parameter-repeated',
      'query-parameter-invalid',
      'query-too-long',
    ],
  },
  paraminfo: {
    path: '/catalogue/w/api.php',
    name: 'get-paraminfo',
    summary: 'Modules as clients of MediaWiki ask for them.',
    shape: 'Paraminfo',
    asked: 'ParaminfoRequest',
  },
} as const satisfies Record<string, CataloguePath>
