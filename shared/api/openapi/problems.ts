import { type ErrorCode, refusals, titles } from '../../base/errors.ts'
import type { Schema } from './schemas.ts'

/** A member that only some problems have (RFC 9457 §3.2). */
interface Member {
  schema: Schema
  example: unknown
  isAlwaysThere: boolean
}

const texts = (description: string): Schema => ({ type: 'array', items: { type: 'string' }, description })

const suggestions = {
  suggestions: { schema: texts('The nearest names.'), example: ['allpages', 'alllinks'], isAlwaysThere: false },
}
const allowed = {
  allowed: { schema: texts('What may stand there.'), example: ['list', 'prop', 'meta'], isAlwaysThere: true },
}

const members: Partial<Record<ErrorCode, Record<string, Member>>> = {
  'invalid-body': {
    errors: {
      schema: {
        type: 'array',
        description: 'Everything that is wrong, member by member.',
        items: {
          type: 'object',
          required: ['pointer', 'detail'],
          properties: {
            pointer: { type: 'string', description: 'Where in the body (RFC 6901); empty for the whole.' },
            detail: { type: 'string', description: 'What is wrong there.' },
          },
        },
      },
      example: [{ pointer: '/email', detail: 'is required' }],
      isAlwaysThere: true,
    },
  },
  'not-found': suggestions,
  'module-not-found': suggestions,
  'parameter-not-found': suggestions,
  'set-not-found': suggestions,
  'query-parameter-missing': allowed,
  'query-parameter-unknown': allowed,
  'query-parameter-repeated': allowed,
  'query-parameter-invalid': allowed,
}

/** What a setting of the service adds or takes away. */
const conditions: Partial<Record<ErrorCode, string>> = {
  'password-too-common': 'only where the setting PASSWORD_BLOCKLIST is on',
  'email-not-verified': 'only where the setting REQUIRE_EMAIL_VERIFICATION is on',
  'origin-not-allowed': 'only where the setting CORS_ORIGINS names origins',
  'too-many-requests': 'unless the setting RATE_LIMITS is off',
}

/** One flat schema for a status and exactly these codes: client generators read that best. */
export function problemSchema(status: number, codes: readonly ErrorCode[]): Schema {
  const extra = codes.map(code => members[code] ?? {})
  const names = [...new Set(extra.flatMap(member => Object.keys(member)))]
  const isAlways = (name: string) => extra.every(member => member[name]?.isAlwaysThere)
  return {
    type: 'object',
    required: ['type', 'title', 'status', 'detail', 'code', ...names.filter(isAlways)],
    properties: {
      type: { type: 'string', const: 'about:blank' },
      title: { type: 'string', const: titles[status] as string },
      status: { type: 'integer', const: status },
      detail: { type: 'string', description: 'A sentence for people.' },
      code: { type: 'string', enum: [...codes], description: 'Stable, for programs.' },
      ...Object.fromEntries(names.map(name => [name, extra.find(member => name in member)?.[name]?.schema as Schema])),
    },
  }
}

/** Texts in place of the codes' own. */
export type Details = Partial<Record<ErrorCode, string>>

/** An example of each code, by its name. */
export const problemExamples = (codes: readonly ErrorCode[], details: Details) =>
  Object.fromEntries(
    codes.map(code => {
      const detail = details[code] ?? refusals[code][1]
      return [code, { summary: detail, value: problemExample(code, detail) }]
    }),
  )

function problemExample(code: ErrorCode, detail: string): Record<string, unknown> {
  const [status] = refusals[code]
  const particular = Object.entries(members[code] ?? {}).map(([name, { example }]) => [name, example])
  return { type: 'about:blank', title: titles[status], status, detail, code, ...Object.fromEntries(particular) }
}

/** What a response means, code by code. */
export const problemWords = (codes: readonly ErrorCode[], details: Details): string =>
  codes
    .map(code => {
      const condition = conditions[code] ? ` (${conditions[code]})` : ''
      return `\`${code}\`: ${details[code] ?? refusals[code][1]}${condition}.`
    })
    .join(' ')
