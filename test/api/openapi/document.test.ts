import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import type { DescribedOperation, OpenapiDocument } from '../../../api/openapi/document.ts'
import { meanings } from '../../../api/openapi/meanings.ts'
import { operations as listed } from '../../../api/openapi/operations.ts'
import type { Response } from '../../../api/openapi/responses.ts'
import type { Schema } from '../../../api/openapi/schemas.ts'
import { partNames } from '../../../api/openapi/served.ts'
import { functionNames, routeKeysOf } from '../../../api/route-keys.ts'
import { document, documents } from '../../support/api/openapi.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema(document, 'openapi.json')

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): [string, DescribedOperation] => [
    `${method.toUpperCase()} ${path}`,
    operation,
  ]),
)

const operationAt = (method: string, path: string) => document.paths[path]?.[method.toLowerCase()] as DescribedOperation

/** All schemas of the document with examples. */
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

/** Checks a value against a schema of the document, with references resolved. */
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

test('a refusal of administrators says at each path what is refused there', () => {
  const said = operations.flatMap(([key, { responses }]) => {
    const { description = '' } = (responses[403] ?? {}) as Response
    const [, text] = /`administrator`: (An administrator's \w+ cannot be \w+ here)\./.exec(description) ?? []
    return text === undefined ? [] : [[key, text]]
  })
  const moved = "An administrator's address cannot be changed here"
  expect(Object.fromEntries(said)).toEqual({
    'POST /auth/delete-account': "An administrator's account cannot be deleted here",
    'POST /auth/change-email': moved,
    'POST /auth/confirm-email-change': moved,
    'POST /auth/undo': moved,
  })
})

test('every route except the pages and not-found is described, and nothing that is not served', () => {
  const described = operations.map(([key]) => key)
  const served = functionNames.filter(name => !['catalogue', 'pages', 'not-found'].includes(name)).flatMap(routeKeysOf)
  // A sentence says that HEAD answers wherever GET does.
  const due = served.filter(key => !key.startsWith('HEAD'))
  expect(document.info.description).toContain('HEAD answers wherever GET does')
  expect(described.filter(key => !key.includes(' /catalogue')).sort()).toEqual(due.sort())
  expect(described.filter(key => key.includes(' /catalogue')).length).toBeGreaterThan(20)
  for (const key of routeKeysOf('pages')) expect(described).not.toContain(key)
})

test('every operation has a name, a short title, sentences, and one described tag', () => {
  const names = operations.map(([, { operationId }]) => operationId)
  expect(new Set(names).size).toBe(names.length)
  for (const [, { operationId, summary, description, tags }] of operations) {
    expect(operationId).toMatch(/^[a-z]\w+$/)
    expect(summary).toMatch(/^[A-Z]\w+( \w+){1,2}$/)
    expect(description).toMatch(/^[A-Z].+\.$/)
    expect(document.tags.map(({ name }) => name)).toContain(tags.join())
  }
})

test('an operation says how many requests it takes, if it has a limit', () => {
  expect(listed.some(({ row }) => row.limit)).toBe(true)
  for (const { method, path, row } of listed) {
    const [, said] = /^.+ At most (\d+) requests in 60 seconds/.exec(operationAt(method, path).description) ?? []
    expect([path, said]).toEqual([path, row.limit?.toString()])
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

const { schemas, responses, headers } = document.components
const shapes = Object.entries(schemas)
const membersOf = ({ properties = {} }: Schema) => Object.entries(properties as Record<string, Schema>)

test('every shape, member and parameter is described, and nothing that is not there', () => {
  const described = [
    ...shapes,
    ...shapes.flatMap(([shape, schema]) =>
      membersOf(schema).map(([name, member]) => [`${shape}.${name}`, member] as const),
    ),
    ...operations.flatMap(([key, { parameters = [] }]) =>
      parameters.map(parameter => [`${key}: ${parameter.name}`, parameter] as const),
    ),
  ]
  // A referenced shape describes the member.
  const silent = described.filter(([, part]) => !('$ref' in part) && !/^\S.*\.$/s.test(part.description ?? ''))
  expect(
    silent.map(([name]) => name),
    'say what they are beside the shapes of their noun',
  ).toEqual([])
  for (const [shape, [, members = {}]] of Object.entries(meanings))
    expect(membersOf(schemas[shape] ?? {}).map(([name]) => name)).toEqual(expect.arrayContaining(Object.keys(members)))
})

test('each variable of a path says which texts fit', () => {
  const variables = operations.flatMap(([, { parameters = [] }]) =>
    parameters.filter(({ in: place }) => place === 'path'),
  )
  expect(variables.length).toBeGreaterThan(2)
  for (const { name, schema } of variables) expect(schema, name).not.toEqual({ type: 'string' })
})

describe('what generators of clients need:', () => {
  /** All schemas within a part of the document. */
  const within = (part: unknown): Schema[] => {
    const found: Schema[] = []
    JSON.stringify(part, (key, value) => {
      if (!['properties', 'example', 'examples', 'value'].includes(key) && typeof value?.type !== 'undefined')
        found.push(value)
      return key === 'examples' || key === 'example' ? undefined : value
    })
    return found
  }
  const all = within(document)

  test('a type stands beside each constant and enumeration; every constant is a text', () => {
    const fixed: unknown[] = []
    JSON.stringify(document, (key, value) => {
      if (key !== 'properties' && value && typeof value === 'object' && ('const' in value || 'enum' in value))
        fixed.push(value)
      return value
    })
    expect(fixed.length).toBeGreaterThan(30)
    for (const schema of fixed) expect(schema).toMatchObject({ type: 'string' })
  })

  test('no name that they make of an operation is that of a component', () => {
    // Of oapi-codegen, ogen and @hey-api/openapi-ts. openapi-generator renames its `Request` itself.
    const suffixes = [
      ...['Response', 'Params', 'Body', 'JSONBody', 'JSONRequestBody', 'FormdataBody', 'FormdataRequestBody'],
      ...['Res', 'Req', 'OK', 'Data', 'Error', 'Errors', 'Responses'],
    ]
    const made = operations.flatMap(([, { operationId: id }]) =>
      suffixes.map(suffix => `${id.charAt(0).toUpperCase()}${id.slice(1)}${suffix}`),
    )
    const components = [schemas, responses, headers].flatMap(Object.keys)
    expect(components.filter(name => made.includes(name))).toEqual([])
  })

  test('no list of values or kinds has a component’s name (oapi-codegen)', () => {
    const components = new Set(Object.keys(schemas))
    const isNamed = ({ type, enum: values, anyOf, items }: Schema): boolean =>
      Boolean(values || anyOf || type === 'object') || (items !== undefined && isNamed(items as Schema))
    const made = shapes.flatMap(([shape, schema]) =>
      membersOf(schema)
        .filter(([, member]) => isNamed(member))
        .map(([name]) => `${shape}${name.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())}`),
    )
    expect(made.length).toBeGreaterThan(0)
    expect(made.filter(name => components.has(name))).toEqual([])
  })

  test('responses of one shape and headers ask for the same ones (ogen)', () => {
    const kinds = new Map<string, Set<string>>()
    const named = Object.entries(responses).map(([name, response]) => [name, response] as const)
    const inline = operations.flatMap(([, { responses: own }]) =>
      Object.values(own).map(response => ['', response] as const),
    )
    for (const [name, response] of [...named, ...inline]) {
      if ('$ref' in response || !response.headers) continue
      const [{ schema } = { schema: {} }] = Object.values(response.content ?? {})
      const key = JSON.stringify([name, schema, Object.keys(response.headers).sort()])
      const asked = Object.entries(response.headers).filter(([, header]) => 'required' in header)
      kinds.set(key, (kinds.get(key) ?? new Set()).add(JSON.stringify(asked.map(([header]) => header).sort())))
    }
    expect(kinds.size).toBeGreaterThan(10)
    expect([...kinds].filter(([, { size }]) => size > 1)).toEqual([])
  })

  test('a header lists no values: of equal lists, ogen mixes up the types', () => {
    const headers: unknown[] = []
    JSON.stringify(document, (key, value) => {
      if (key === 'headers') headers.push(...Object.values(value))
      return value
    })
    expect(headers.length).toBeGreaterThan(100)
    for (const header of headers) expect(header).not.toHaveProperty('schema.enum')
  })

  test('a request has no format of addresses: Go would refuse some that work', () => {
    expect(schemas.Email).not.toHaveProperty('format')
  })

  test('no object stands inside an operation or a shape: each has a name', () => {
    const isObject = ({ type }: Schema) => type === 'object'
    expect(all.filter(isObject).length).toBeGreaterThan(40)
    expect(within(document.paths).filter(isObject)).toEqual([])
    for (const [name, { type: _, ...schema }] of shapes)
      expect([name, within(schema).filter(isObject)]).toEqual([name, []])
  })

  test('the code of a problem may be any, also one added later', () => {
    for (const name of ['Problem', 'ValidationProblem', 'AnyProblem'])
      expect(schemas[name]?.properties?.code).toEqual({
        type: 'string',
        description: expect.stringContaining('unknown'),
      })
  })

  test('a status that API Gateway has too asks for no member', () => {
    const both = operations.flatMap(([, { responses: own }]) =>
      Object.values({ ...own, ...responses }).filter(
        (response): response is Response => 'content' in response && Object.keys(response.content ?? {}).length > 1,
      ),
    )
    expect(both.length).toBeGreaterThan(20)
    for (const { content = {} } of both) {
      const [first] = Object.values(content)
      expect(first?.schema.$ref).toBe('#/components/schemas/AnyProblem')
    }
    expect(schemas.AnyProblem?.required).toBe(undefined)
  })

  test('no schema forbids members that may be added, but of one strict request', () => {
    const isClosed = ({ additionalProperties }: Schema) => additionalProperties === false
    expect(all.filter(isClosed)).toEqual([schemas.ValidationRequest])
  })
})

test('every component is used', () => {
  const text = JSON.stringify(document)
  for (const [kind, names] of Object.entries({ schemas, responses, headers }))
    for (const name of Object.keys(names)) expect(text).toContain(`"$ref":"#/components/${kind}/${name}"`)
})

describe.each(partNames)('the part %s', tag => {
  const part = JSON.parse(documents(tag).text) as OpenapiDocument

  test('has the operations of its tag, as the whole document has them', () => {
    const expected = operations.filter(([, { tags }]) => tags.includes(tag))
    const found = Object.values(part.paths).flatMap(methods => Object.values(methods))
    expect(found).toEqual(expected.map(([, operation]) => operation))
    expect(part.tags.map(({ name }) => name)).toEqual([tag])
  })

  test('is valid OpenAPI 3.1, and has the components that it refers to and no other', async () => {
    expect(await new Validator().validate(structuredClone(part) as never)).toEqual({ valid: true })
    const references = new Set(JSON.stringify(part).match(/#\/components\/[^"]+/g))
    const { securitySchemes, ...components } = part.components
    const there = Object.entries(components).flatMap(([kind, names]) =>
      Object.keys(names).map(name => `#/components/${kind}/${name}`),
    )
    expect([...references].sort()).toEqual(there.sort())
    expect(securitySchemes !== undefined).toBe(tag === 'accounts')
  })
})
