import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import type { DescribedOperation } from '../../../../shared/api/openapi/document.ts'
import { functionNames, routeKeysOf } from '../../../../shared/api/route-keys.ts'
import { document } from '../../../support/api/openapi.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema(document, 'openapi.json')

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): [string, DescribedOperation] => [
    `${method.toUpperCase()} ${path}`,
    operation,
  ]),
)

/** Everything in the document that has an example of its schema. */
const examples = operations.flatMap(([key, { responses, requestBody, parameters = [] }]) => {
  const answers = Object.entries(responses).flatMap(([status, response]) =>
    'content' in response
      ? Object.entries(response.content ?? {}).map(([type, media]) => [`${status} ${type}`, media] as const)
      : [],
  )
  const body = Object.entries(requestBody?.content ?? {}).map(([type, media]) => [`body ${type}`, media] as const)
  const values = parameters
    .filter(({ example }) => example)
    .map(parameter => [`parameter ${parameter.name}`, parameter] as const)
  return [...answers, ...body, ...values].map(([where, media]) => [`${key}: ${where}`, media] as const)
})

/** A schema of the document, with its references to components. */
const errorsOf = (schema: object, value: unknown) => {
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi.json#/')))
  validate(value)
  return validate.errors ?? []
}

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  expect(await validator.validate(structuredClone(document) as never)).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
})

test('every route except the pages and not-found is described, and nothing that is not served', () => {
  const described = operations.map(([key]) => key)
  const due = functionNames.filter(name => !['catalogue', 'pages', 'not-found'].includes(name)).flatMap(routeKeysOf)
  expect(described.filter(key => !key.includes(' /catalogue')).sort()).toEqual(due.sort())
  expect(described.filter(key => key.includes(' /catalogue')).length).toBeGreaterThan(20)
  for (const key of routeKeysOf('pages')) expect(described).not.toContain(key)
})

test('every operation has a name of its own, a summary, and one tag that is described', () => {
  const names = operations.map(([, { operationId }]) => operationId)
  expect(new Set(names).size).toBe(names.length)
  for (const [, { operationId, summary, tags }] of operations) {
    expect(operationId).toMatch(/^[a-z]\w+$/)
    expect(summary).toMatch(/\.$/)
    expect(document.tags.map(({ name }) => name)).toContain(tags.join())
  }
})

test('every JSON answer and every body has an example', () => {
  expect(examples.length).toBeGreaterThan(150)
  for (const [where, media] of examples)
    if (where.includes('json'))
      expect({ where, isThere: 'example' in media || 'examples' in media }).toEqual({ where, isThere: true })
})

test.each(examples)('the example fits its schema: %s', (_, media) => {
  const several = 'examples' in media ? Object.values(media.examples ?? {}).map(({ value }) => value) : []
  const single = 'example' in media && media.example !== undefined ? [media.example] : []
  for (const value of [...several, ...single]) expect(errorsOf(media.schema, value)).toEqual([])
})

describe('what generators of clients need:', () => {
  const schemas: Record<string, unknown>[] = []
  JSON.stringify(document, (key, value) => {
    if (key !== 'properties' && value && typeof value === 'object' && ('const' in value || 'enum' in value))
      schemas.push(value)
    return value
  })

  test('a type stands beside each constant and each enumeration', () => {
    expect(schemas.length).toBeGreaterThan(100)
    for (const schema of schemas) expect(schema).toHaveProperty('type')
  })

  test('no schema forbids members that may be added', () => {
    expect(JSON.stringify(document)).not.toContain('"additionalProperties":false')
  })
})
