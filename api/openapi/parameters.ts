import { groupNames, typeNames } from '../../catalogue/fixed-names.ts'
import { requestExamples, variableExamples } from '../../catalogue/meanings.ts'
import { listParameters } from '../../catalogue/serve/filters.ts'
import { maxText, type Taken } from '../../shared/base/query.ts'
import type { Route } from '../routes.ts'
import type { Operation } from './operations.ts'
import { componentSchemas, ref, reference, type Schema } from './schemas.ts'
import { documentParameters } from './served.ts'

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: true
  description: string
  schema: Schema
  example?: string
}

/** Descriptions of path variables and query parameters. Fields take those of their shape. */
const texts: Record<string, string> = {
  name: 'The name of the module.',
  parameter:
    'The name of the parameter, without the prefix of the module. In a query: modules that have one of this name.',
  set: 'The name of the set.',
  group: 'Modules of this group.',
  generator: 'Modules that can be generators, or cannot.',
  deprecated: 'Modules that may be removed, or others.',
  readrights: 'Modules that ask for the right to read, or do not.',
  prefix: 'Modules with exactly this prefix. It may be empty.',
  type: 'Modules that have a parameter of this type.',
  q: "Words, separated by spaces: each must occur in a module's name, prefix, names of parameters or values, in any case.",
  expand: 'Whole modules, with their parameters.',
  tags: 'The part of the document with this tag alone: whole in itself, and smaller.',
}

const variableSchemas: Record<string, Schema> = {
  name: reference('schemas', 'ModuleName'),
  parameter: { type: 'string', pattern: '^[a-z][a-z0-9]*$' },
  set: reference('schemas', 'SetName'),
}

/** The query parameters of rows that refuse others. */
const taken: Record<NonNullable<Route['query']>, Record<string, Taken>> = {
  filters: listParameters,
  tags: documentParameters,
}

/** The parameters of an operation: path variables, the query, and the header of prebuilt answers. */
export function parametersOf({ method, path, row, isPrebuilt }: Operation): Parameter[] {
  const variables = [...path.matchAll(/\{(\w+)\}/g)].map(
    ([, name = '']): Parameter => ({
      name,
      in: 'path',
      required: true,
      description: texts[name] ?? '',
      schema: variableSchemas[name] ?? { type: 'string' },
      example: variableExamples[name] ?? '',
    }),
  )
  const query = row.query ? Object.entries(taken[row.query]).map(queryParameter) : []
  if (row.fields && method === 'GET') return [...variables, ...fieldParameters(row.fields)]
  return [...variables, ...query, ...(isPrebuilt ? [ifNoneMatch] : [])]
}

const queryParameter = ([name, parameter]: [string, Taken]): Parameter => ({
  name,
  in: 'query',
  description: texts[name] ?? '',
  schema: takenSchema(parameter),
})

function takenSchema({ values, empty }: Taken): Schema {
  if (values === groupNames) return ref('GroupName')
  if (values === typeNames) return ref('TypeName')
  return values
    ? { type: 'string', enum: [...values] }
    : { type: 'string', minLength: empty ? 0 : 1, maxLength: maxText }
}

/** The fields of a path, as query parameters. */
function fieldParameters(shape: NonNullable<Route['fields']>): Parameter[] {
  const { properties = {}, required = [] } = componentSchemas()[shape] ?? {}
  return Object.entries(properties as Record<string, Schema>).map(([name, { description = '', ...schema }]) => ({
    name,
    in: 'query' as const,
    ...(required.includes(name) && { required: true as const }),
    description,
    schema,
    ...(requestExamples[shape][name] && { example: requestExamples[shape][name] }),
  }))
}

const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description: 'An `ETag` that was received: 304 while it is still that of the answer.',
  schema: { type: 'string' },
}
