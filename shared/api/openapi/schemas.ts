import { type JsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import { maxAddress } from '../../accounts/email.ts'
import { NewPassword, passwordLength } from '../../accounts/passwords/password.ts'
import { bodies, Email, maxNameLength, misleadingCharacter, Name } from '../../accounts/schemas.ts'
import * as model from '../../catalogue/model.ts'
import * as report from '../../catalogue/report.ts'
import { replies } from '../replies.ts'

export type Schema = JsonSchema

/**
 * The code points of the C0 and C1 controls, and of misleading characters up to U+FFFF. Not every reader of patterns
 * knows `\p{Cc}`, or a way to write what lies beyond.
 */
const excluded = `\\u0000-\\u001f\\u007f-\\u009f${misleadingCharacter.source.slice(1, misleadingCharacter.source.indexOf(']'))}`

/**
 * Schemas of the texts that code checks, since a schema cannot be derived from code. What JSON Schema cannot say, the
 * description says.
 */
const checked: Record<string, Schema> = {
  Email: {
    type: 'string',
    format: 'email',
    maxLength: maxAddress,
    description:
      'An e-mail address. White space around it is ignored, capitals count as small letters, and a domain may be ' +
      'international: it is kept and answered in one form, with its domain in punycode.',
  },
  NewPassword: {
    type: 'string',
    minLength: passwordLength.min,
    maxLength: passwordLength.max,
    description:
      'Any Unicode text without lone surrogates. Its length counts in code points after normalisation to NFC; a shorter ' +
      'one is refused with 400 and the code `password-too-short`, a longer one with 422.',
  },
  Name: {
    type: 'string',
    maxLength: maxNameLength,
    pattern: `^[^${excluded}]*$`,
    description:
      'A display name, which may be empty: Unicode text without control characters, invisible characters, line ' +
      'separators, direction controls, tags (U+E0000 to U+E007F) or lone surrogates. Its length counts in code points.',
  },
}

const { Finding, Suggestion, Edit } = report
const { Condition, Group, ParameterType, Relation } = model
const named = {
  Email,
  NewPassword,
  Name,
  ...bodies,
  ...replies,
  ...model.replies,
  ...model.requests,
  Condition,
  Relation,
  ParameterType,
  Group,
  Finding,
  Suggestion,
  Edit,
}

type SchemaName = keyof typeof named

export interface Reference {
  $ref: string
}

/** Stands for a component of the document. */
export const reference = (kind: 'schemas' | 'responses' | 'headers', name: string): Reference => ({
  $ref: `#/components/${kind}/${name}`,
})

export const ref = (name: SchemaName): Reference => reference('schemas', name)

/** Every named schema, as components of the document. */
export function componentSchemas(): Record<string, Schema> {
  const written = toJsonSchemaDefs(named, {
    target: 'draft-2020-12',
    typeMode: 'input',
    // `checked` describes them.
    ignoreActions: ['check', 'transform'],
    overrideRef: ({ referenceId }) => reference('schemas', referenceId).$ref,
  })
  return Object.fromEntries(Object.entries({ ...written, ...checked }).map(([name, schema]) => [name, tidy(schema)]))
}

/**
 * Puts a schema into the form that generators of clients read best: a type beside each constant, null as a type, and no
 * default, which they would take for a promise. Objects stay open to further members, because later versions may add some.
 */
function tidy(schema: Schema): Schema {
  const { $schema: _, default: __, additionalProperties, propertyNames: ___, ...rest } = schema
  const tidied = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, key === 'properties' ? tidyAll(value) : tidyPart(value)]),
  ) as Schema
  if ('const' in tidied && !tidied.type) tidied.type = typeof tidied.const as 'string' | 'boolean'
  if (typeof additionalProperties === 'object') tidied.additionalProperties = tidy(additionalProperties)
  const { anyOf, ...others } = tidied
  if (tidied.required?.length === 0) delete tidied.required
  const [one, other, ...more] = (anyOf ?? []) as Schema[]
  if (more.length === 0 && one?.type === 'string' && other?.type === 'null')
    return { ...others, type: ['string', 'null'] }
  return tidied
}

const tidyAll = (schemas: unknown) =>
  Object.fromEntries(Object.entries(schemas as Record<string, Schema>).map(([name, schema]) => [name, tidy(schema)]))

function tidyPart(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidyPart)
  return typeof value === 'object' && value !== null ? tidy(value as Schema) : value
}
