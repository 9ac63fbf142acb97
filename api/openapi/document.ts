import { formExamples } from '../../accounts/application/shapes.ts'
import { requestExamples, rpcExamples } from '../../catalogue/meanings.ts'
import type { Catalogue } from '../../catalogue/model.ts'
import { describedTags, descriptionOf, information, tagOf } from './descriptions.ts'
import { bodyExample, examplesOf } from './examples.ts'
import { type Header, sharedHeaders } from './headers.ts'
import { type Operation, operations } from './operations.ts'
import { type Parameter, parametersOf } from './parameters.ts'
import { problemSchemas } from './problems.ts'
import { type Responses, responsesOf, sharedResponses } from './responses.ts'
import { componentSchemas, explain, ref, reference, type Schema } from './schemas.ts'
import type { partNames } from './served.ts'

/** The parts of an OpenAPI document (OpenAPI 3.1.1) that are used here. */
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
    securitySchemes?: Record<string, object>
  }
}

export interface DescribedOperation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, never[]>[]
  parameters?: Parameter[]
  requestBody?: { required: true; content: Record<string, { schema: Schema; example: unknown }> }
  responses: Responses
}

/**
 * Writes the description of the whole API from the route table, the schemas, the refusals and the catalogue.
 *
 * @param version of the service
 */
export function writeDocument(catalogue: Catalogue, version: string): OpenapiDocument {
  const exampleOf = examplesOf(catalogue)
  const paths: OpenapiDocument['paths'] = {}
  const challenges: Responses = {}
  for (const operation of operations) {
    const { method, path } = operation
    const described = describe(operation, responsesOf(operation, exampleOf(operation)))
    Object.assign(challenges, takeChallenges(described))
    paths[path] = { ...paths[path], [method.toLowerCase()]: described }
  }
  const names = (some: { name: string }[]): Schema => ({ type: 'string', enum: some.map(({ name }) => name) })
  return withUsedComponents({
    openapi: '3.1.1',
    info: information(version),
    servers: [{ url: '/', description: 'The host that this document comes from.' }],
    tags: describedTags,
    paths,
    components: {
      schemas: {
        ...componentSchemas(),
        ...problemSchemas,
        ModuleName: explain('ModuleName', names(catalogue.modules)),
        SetName: explain('SetName', names(catalogue.sets)),
      },
      responses: { ...sharedResponses, ...challenges },
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
  })
}

/** The operations of one tag and the components that they need: a complete document. */
export function partOf(document: OpenapiDocument, tag: (typeof partNames)[number]): OpenapiDocument {
  const paths = Object.entries(document.paths).flatMap(([path, methods]) => {
    const kept = Object.entries(methods).filter(([, { tags }]) => tags.includes(tag))
    return kept.length > 0 ? [[path, Object.fromEntries(kept)] as const] : []
  })
  const tags = document.tags.filter(({ name }) => name === tag)
  return withUsedComponents({ ...document, tags, paths: Object.fromEntries(paths) })
}

/** Removes the components that no path refers to. */
function withUsedComponents(document: OpenapiDocument): OpenapiDocument {
  const { schemas, responses, headers, securitySchemes } = document.components
  const used = new Set<string>()
  const collect = (part: unknown): void => {
    JSON.stringify(part, (key, value) => {
      if (key !== '$ref' || typeof value !== 'string' || used.has(value)) return value
      used.add(value)
      const [, , kind, name = ''] = value.split('/')
      collect(document.components[kind as 'schemas' | 'responses' | 'headers'][name])
      return value
    })
  }
  collect(document.paths)
  const only = <T>(kind: 'schemas' | 'responses' | 'headers', components: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(components).filter(([name]) => used.has(reference(kind, name).$ref)))
  const isSecured = Object.values(document.paths).some(methods =>
    Object.values(methods).some(({ security }) => security.length > 0),
  )
  return {
    ...document,
    components: {
      schemas: only('schemas', schemas),
      responses: only('responses', responses),
      headers: only('headers', headers),
      ...(isSecured && securitySchemes && { securitySchemes }),
    },
  }
}

function describe(operation: Operation, responses: Responses): DescribedOperation {
  const { name, title, path, row } = operation
  const tag = tagOf(path)
  if (!tag) throw new Error(`no tag is for ${path}`)
  const parameters = parametersOf(operation)
  return {
    operationId: name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    summary: title,
    description: descriptionOf(operation),
    tags: [tag],
    security: row.access === 'bearer' ? [{ bearer: [] }] : [],
    ...(parameters.length > 0 && { parameters }),
    ...bodyOf(operation),
    responses,
  }
}

/**
 * Moves refusals that always say how to authenticate to their own components, such as `Login401`.
 *
 * ogen generates one type for all inline responses with the same schema and header names, required or not.
 */
function takeChallenges({ operationId, responses }: DescribedOperation): Responses {
  const taken: Responses = {}
  for (const [status, response] of Object.entries(responses)) {
    const challenge = 'headers' in response && response.headers?.['WWW-Authenticate']
    if (!challenge || !('required' in challenge)) continue
    const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}${status}`
    taken[name] = response
    responses[status] = reference('responses', name)
  }
  return taken
}

const form = 'application/x-www-form-urlencoded'

function bodyOf({ method, row }: Operation): Pick<DescribedOperation, 'requestBody'> {
  if (row.body) {
    const json = { schema: ref(row.body), example: bodyExample(row.body) }
    return { requestBody: { required: true, content: { 'application/json': json } } }
  }
  if (row.rpc) {
    const json = { schema: ref('RpcRequest'), example: rpcExamples.request }
    return { requestBody: { required: true, content: { 'application/json': json } } }
  }
  if (row.form) {
    return {
      requestBody: { required: true, content: { [form]: { schema: ref(row.form), example: formExamples[row.form] } } },
    }
  }
  if (!row.fields || method !== 'POST') return {}
  const media = { schema: ref(row.fields), example: requestExamples[row.fields] }
  return { requestBody: { required: true, content: { 'application/json': media, [form]: media } } }
}
