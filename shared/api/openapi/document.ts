import type { Catalogue } from '../../catalogue/model.ts'
import { listParameters, maxText, type Taken } from '../../catalogue/serve/filters.ts'
import type { Route } from '../routes.ts'
import { describedTags, descriptionOf, information, tagOf } from './descriptions.ts'
import { bodyExample, examplesOf, fieldExamples, variableExamples } from './examples.ts'
import { type Header, sharedHeaders } from './headers.ts'
import { type Operation, operations } from './operations.ts'
import { gatewayResponses, gatewaySchema, type Responses, refusal, responsesOf, withoutBodies } from './responses.ts'
import { componentSchemas, ref, type Schema } from './schemas.ts'

/** An OpenAPI document (OpenAPI 3.1.1), as far as it is written here. */
export interface OpenapiDocument {
  openapi: string
  info: { title: string; version: string; description: string; license: object }
  servers: { url: string; description: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, DescribedOperation>>
  components: {
    schemas: Record<string, Schema>
    responses: Responses
    headers: Record<string, Header>
    securitySchemes: Record<string, object>
  }
}

export interface DescribedOperation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security: Record<string, never[]>[]
  parameters?: Parameter[]
  requestBody?: { required: true; content: Record<string, { schema: Schema; example: unknown }> }
  responses: Responses
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: true
  description?: string
  schema: Schema
  example?: string
}

/**
 * Writes the description of the whole API from the route table, the schemas, the refusals and the catalogue.
 *
 * @param version of the service
 */
export function writeDocument(catalogue: Catalogue, version: string): OpenapiDocument {
  const exampleOf = examplesOf(catalogue)
  const paths: OpenapiDocument['paths'] = {}
  const put = (path: string, method: string, operation: DescribedOperation) => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  }
  for (const operation of operations) {
    const { method, path, summary } = operation
    const described = describe(operation, catalogue, responsesOf(operation, exampleOf(operation)))
    put(path, method, described)
    if (method !== 'GET') continue
    put(path, 'HEAD', {
      ...described,
      operationId: `${described.operationId}Head`,
      summary: `The header fields of GET: ${summary}`,
      responses: withoutBodies(described.responses),
    })
  }
  return {
    openapi: '3.1.1',
    info: information(version),
    servers: [{ url: '/', description: 'The host that this document comes from.' }],
    tags: describedTags,
    paths,
    components: {
      schemas: { ...componentSchemas(), GatewayMessage: gatewaySchema },
      responses: { ...gatewayResponses, ...elsewhere },
      headers: sharedHeaders,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The `access_token` that logging in answers with.',
        },
      },
    },
  }
}

/** The answers to requests that match no operation. */
const elsewhere: Responses = {
  NotFound: refusal(404, ['not-found', 'module-not-found', 'parameter-not-found', 'set-not-found']),
  MethodNotAllowed: refusal(405, ['method-not-allowed'], {
    Allow: { description: 'The methods of the path.', required: true, schema: { type: 'string' } },
  }),
}

function describe(operation: Operation, catalogue: Catalogue, responses: Responses): DescribedOperation {
  const { name, summary, path, row } = operation
  const tag = tagOf(path)
  if (!tag) throw new Error(`no tag is for ${path}`)
  const parameters = parametersOf(operation, catalogue)
  const description = descriptionOf(operation)
  return {
    operationId: name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    summary,
    ...(description && { description }),
    tags: [tag],
    security: row.access === 'bearer' ? [{ bearer: [] }] : [],
    ...(parameters.length > 0 && { parameters }),
    ...bodyOf(operation),
    responses,
  }
}

const form = 'application/x-www-form-urlencoded'

function bodyOf({ method, row }: Operation): Pick<DescribedOperation, 'requestBody'> {
  if (row.body) {
    const json = { schema: ref(row.body), example: bodyExample(row.body) }
    return { requestBody: { required: true, content: { 'application/json': json } } }
  }
  if (!row.fields || method !== 'POST') return {}
  const media = { schema: ref(row.fields), example: fieldExamples[row.fields] }
  return { requestBody: { required: true, content: { 'application/json': media, [form]: media } } }
}

function parametersOf({ method, path, row, isPrebuilt }: Operation, { modules, sets }: Catalogue): Parameter[] {
  const values: Record<string, Schema> = {
    name: { type: 'string', enum: modules.map(({ name }) => name) },
    parameter: { type: 'string', pattern: '^[a-z][a-z0-9]*$' },
    set: { type: 'string', enum: sets.map(({ name }) => name) },
  }
  const variables = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']): Parameter => {
    const example = variableExamples[name] ?? ''
    return { name, in: 'path', required: true, schema: values[name] ?? { type: 'string' }, example }
  })
  const query = row.query === 'filters' ? Object.entries(listParameters).map(queryParameter) : []
  if (row.fields && method === 'GET') return [...variables, ...fieldParameters(row.fields)]
  return [...variables, ...query, ...(isPrebuilt ? [ifNoneMatch] : [])]
}

const queryParameter = ([name, { values, empty }]: [string, Taken]): Parameter => ({
  name,
  in: 'query',
  schema: values
    ? { type: 'string', enum: [...values] }
    : { type: 'string', minLength: empty ? 0 : 1, maxLength: maxText },
})

/** The fields of a path, as parameters of its query. */
function fieldParameters(shape: NonNullable<Route['fields']>): Parameter[] {
  const { properties = {}, required = [] } = componentSchemas()[shape] ?? {}
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query' as const,
    ...(required.includes(name) && { required: true as const }),
    schema: schema as Schema,
    ...(fieldExamples[shape][name] && { example: fieldExamples[shape][name] }),
  }))
}

const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description: 'An `ETag` that was received: 304 while it is still that of the answer.',
  schema: { type: 'string' },
}
