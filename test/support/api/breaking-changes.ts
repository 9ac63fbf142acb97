import type { DescribedOperation, OpenapiDocument, Parameter } from '../../../shared/api/openapi/document.ts'
import type { Response } from '../../../shared/api/openapi/responses.ts'
import type { Schema } from '../../../shared/api/openapi/schemas.ts'

/**
 * The changes that break clients of an earlier document, a sentence each. A request may need less than before, and an
 * answer may contain more.
 */
export function breakingChanges(before: OpenapiDocument, after: OpenapiDocument): string[] {
  return Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const where = `${method.toUpperCase()} ${path}`
      const now = after.paths[path]?.[method]
      return now ? ofOperation(where, operation, now, { before, after }) : [`${where} is gone`]
    }),
  )
}

interface Documents {
  before: OpenapiDocument
  after: OpenapiDocument
}

function ofOperation(where: string, old: DescribedOperation, now: DescribedOperation, both: Documents): string[] {
  const needsToken = now.security.length > 0 && old.security.length === 0
  return [
    ...(old.operationId === now.operationId ? [] : [`${where} is called ${now.operationId}, not ${old.operationId}`]),
    ...(needsToken ? [`${where} asks for a token`] : []),
    ...ofParameters(where, old.parameters ?? [], now.parameters ?? []),
    ...ofBody(where, old, now, both),
    ...Object.entries(old.responses).flatMap(([status, response]) => {
      const other = now.responses[status]
      const place = `${where} ${status}`
      return other
        ? ofResponse(place, resolve(both.before, response), resolve(both.after, other), both)
        : [`${place} is gone`]
    }),
  ]
}

function ofParameters(where: string, old: Parameter[], now: Parameter[]): string[] {
  const find = (some: Parameter[], { name, in: place }: Parameter) =>
    some.find(other => other.name === name && other.in === place)
  return [
    ...old.flatMap(parameter => {
      const other = find(now, parameter)
      const place = `${where}: the parameter ${parameter.name}`
      return other ? ofSent(place, parameter.schema, other.schema) : [`${place} is gone`]
    }),
    ...now
      .filter(parameter => parameter.required && !find(old, parameter)?.required)
      .map(({ name }) => `${where}: the parameter ${name} is needed`),
  ]
}

function ofBody(where: string, old: DescribedOperation, now: DescribedOperation, both: Documents): string[] {
  if (!old.requestBody) return now.requestBody ? [`${where}: a body is needed`] : []
  return Object.entries(old.requestBody.content).flatMap(([type, { schema }]) => {
    const other = now.requestBody?.content[type]
    const place = `${where}: the body ${type}`
    if (!other) return [`${place} is gone`]
    return ofSent(place, flat(both.before, schema), flat(both.after, other.schema))
  })
}

/** Changes to what a client sends: everything that was accepted must still be accepted. */
function ofSent(where: string, old: Schema, now: Schema): string[] {
  const members = Object.entries(old.properties ?? {}) as [string, Schema][]
  const lost = (old.enum ?? []).filter(value => now.enum && !now.enum.includes(value))
  return [
    ...(typesOf(old).every(type => typesOf(now).includes(type)) ? [] : [`${where} has another type`]),
    ...lost.map(value => `${where} no longer takes ${value}`),
    ...(!old.enum && now.enum ? [`${where} takes some values alone`] : []),
    ...((now.maxLength ?? Number.POSITIVE_INFINITY) < (old.maxLength ?? Number.POSITIVE_INFINITY)
      ? [`${where} must be shorter`]
      : []),
    ...((now.minLength ?? 0) > (old.minLength ?? 0) ? [`${where} must be longer`] : []),
    ...(now.pattern !== undefined && now.pattern !== old.pattern ? [`${where} must be of another form`] : []),
    ...(now.required ?? [])
      .filter(name => !old.required?.includes(name))
      .map(name => `${where}: the member ${name} is needed`),
    ...members.flatMap(([name, schema]) => {
      const other = now.properties?.[name] as Schema | undefined
      return other ? ofSent(`${where}: the member ${name}`, schema, other) : [`${where}: the member ${name} is gone`]
    }),
    ...ofBranches(where, old, now, ofSent),
  ]
}

function ofResponse(where: string, old: Response, now: Response, both: Documents): string[] {
  return [
    ...Object.entries(old.headers ?? {}).flatMap(([name, header]) => {
      const other = now.headers?.[name]
      if (!other) return [`${where}: the header ${name} is gone`]
      const [was, is] = [header, other].map((each, i) =>
        '$ref' in each ? (i === 0 ? both.before : both.after).components.headers[name] : each,
      )
      return was?.required && !is?.required ? [`${where}: the header ${name} may be missing`] : []
    }),
    ...Object.entries(old.content ?? {}).flatMap(([type, { schema }]) => {
      const other = now.content?.[type]
      const place = `${where} ${type}`
      return other ? ofAnswered(place, flat(both.before, schema), flat(both.after, other.schema)) : [`${place} is gone`]
    }),
  ]
}

/** Changes to answers: everything that a client could rely on must still be there. */
function ofAnswered(where: string, old: Schema, now: Schema): string[] {
  const members = Object.entries(old.properties ?? {}) as [string, Schema][]
  const lost = (old.enum ?? []).filter(value => !now.enum?.includes(value))
  const [items, others] = [old.items, now.items] as (Schema | undefined)[]
  return [
    ...(typesOf(now).every(type => typesOf(old).includes(type)) ? [] : [`${where} has another type`]),
    ...(old.const === now.const ? [] : [`${where} is ${now.const}, not ${old.const}`]),
    ...lost.map(value => `${where} is never ${value}`),
    ...(old.required ?? [])
      .filter(name => !now.required?.includes(name))
      .map(name => `${where}: the member ${name} may be missing`),
    ...members.flatMap(([name, schema]) => {
      const other = now.properties?.[name] as Schema | undefined
      return other
        ? ofAnswered(`${where}: the member ${name}`, schema, other)
        : [`${where}: the member ${name} is gone`]
    }),
    ...(items && others ? ofAnswered(`${where}: each`, items, others) : []),
    ...ofBranches(where, old, now, ofAnswered),
  ]
}

/** Changes to alternatives, compared by position. */
function ofBranches(where: string, old: Schema, now: Schema, compare: typeof ofSent): string[] {
  const [before, after] = [old, now].map(({ anyOf, oneOf }) => (anyOf ?? oneOf ?? []) as Schema[])
  return (before ?? []).flatMap((branch, i) => {
    const other = after?.[i]
    return other ? compare(where, branch, other) : [`${where} has a choice less`]
  })
}

const typesOf = ({ type }: Schema): string[] => [type ?? []].flat()

const resolve = (document: OpenapiDocument, response: DescribedOperation['responses'][string]): Response =>
  '$ref' in response ? (document.components.responses[nameOf(response.$ref)] as Response) : response

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** A schema with everything that it refers to in its place. */
function flat(document: OpenapiDocument, schema: Schema): Schema {
  const text = JSON.stringify(schema, (_, part) => {
    const found = typeof part?.$ref === 'string' ? document.components.schemas[nameOf(part.$ref)] : undefined
    return found ? flat(document, found) : part
  })
  return JSON.parse(text) as Schema
}
