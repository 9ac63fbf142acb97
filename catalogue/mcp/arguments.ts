// The arguments of tools, checked by the schemas that describe them.
import { quote } from '../../shared/base/query.ts'

type Text = { type: 'string'; enum?: readonly string[]; maxLength?: number }
type Value = { description: string } & (
  | Text
  | { type: 'integer'; minimum: number; maximum: number; default: number }
  | { type: 'array'; items: Text; maxItems: number }
)

/** JSON Schema of a tool's arguments. */
export type Schema = {
  type: 'object'
  properties: Readonly<Record<string, Value>>
  required?: readonly string[]
  additionalProperties: false
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What is wrong with arguments, in a sentence. Null: nothing. */
export function faultOf({ properties, required = [] }: Schema, given: Record<string, unknown>): string | null {
  const missing = required.find(name => !Object.hasOwn(given, name))
  if (missing !== undefined) return `The argument ${missing} is missing`
  for (const [name, value] of Object.entries(given)) {
    const { [name]: schema } = Object.hasOwn(properties, name) ? properties : {}
    if (!schema) return `There is no argument ${quote(name)}. Allowed: ${Object.keys(properties).join(', ')}`
    const { description: _, ...rules } = schema
    if (!isTaken(schema, value)) return `The argument ${name} must be as its schema says: ${JSON.stringify(rules)}`
  }
  return null
}

function isTaken(schema: Value | Text, value: unknown): boolean {
  if (schema.type === 'integer')
    return Number.isInteger(value) && schema.minimum <= Number(value) && Number(value) <= schema.maximum
  if (schema.type === 'array')
    return Array.isArray(value) && value.length <= schema.maxItems && value.every(each => isTaken(schema.items, each))
  if (typeof value !== 'string' || value.length > (schema.maxLength ?? Number.POSITIVE_INFINITY)) return false
  return schema.enum?.includes(value) ?? true
}
