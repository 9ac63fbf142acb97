// The tools that agents call. Each stands for a path of the catalogue, and answers with what that path answers.
import { maxText } from '../../shared/base/query.ts'
import { groupNames, typeNames } from '../fixed-names.ts'
import type { Module } from '../model.ts'
import type { Report } from '../report.ts'
import { faultOf, isObject, type Schema } from './arguments.ts'
import { fitReport } from './fit.ts'
import { refuseParams } from './messages.ts'

/** An answer of another path of the catalogue. */
type Answer = { status: number; answer: object }

/** Asks another path of the catalogue. @param body of a POST */
export type Ask = (path: string, request?: { query?: string; body?: object }) => Promise<Answer>

/** A refusal of a path, as a problem document. */
type Problem = { code: string; detail: string }
type ModuleList = { total: number; modules: Module[] }

type Tool = { description: string; schema: Schema; call(ask: Ask, given: never): Promise<Answer> }

/** Characters of a query: as many as `GET /catalogue/validate` takes. */
const longestQuery = 8000

/** Values of an enumeration that are listed. Longer ones fill an agent's context with what it can look up. */
const listedValues = 50

const name = { type: 'string', maxLength: maxText } as const
const schemaOf = (properties: Schema['properties'], required: readonly string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const ok = (answer: object): Answer => ({ status: 200, answer })

const tools: Readonly<Record<string, Tool>> = {
  find_modules: {
    description: 'Finds query modules of MediaWiki by words, group, parameter or type; all that is given must hold.',
    schema: schemaOf({
      q: { ...name, description: 'Words that occur in names, prefix, parameters or values of a module.' },
      group: { type: 'string', enum: groupNames, description: 'The group of modules.' },
      parameter: { ...name, description: 'The name of a parameter, without the prefix of the module.' },
      type: { type: 'string', enum: typeNames, description: 'The type of a parameter.' },
      limit: { type: 'integer', minimum: 1, maximum: 20, default: 10, description: 'How many modules are listed.' },
    }),
    async call(ask, { limit = 10, ...filters }: { limit?: number } & Record<string, string>) {
      const found = await ask('/catalogue/modules', { query: new URLSearchParams(filters).toString() })
      if (found.status !== 200) return found
      const { total, modules } = found.answer as ModuleList
      const listed = modules.slice(0, limit).map(({ name, group, prefix, generator, links }) => {
        return { name, group, prefix, generator, address: links.self }
      })
      return ok({ total, modules: listed })
    },
  },
  describe_module: {
    description: `Describes a query module with its parameters. Enumerations over ${listedValues} values are a number and an address.`,
    schema: schemaOf(
      {
        name: { ...name, description: 'The name of the module, also as query+name.' },
        parameters: {
          type: 'array',
          items: name,
          maxItems: 20,
          description: 'The names of the parameters that matter, without the prefix of the module. Missing: all.',
        },
      },
      ['name'],
    ),
    async call(ask, { name, parameters: wanted }: { name: string; parameters?: string[] }) {
      const path = `/catalogue/modules/${segment(name)}`
      const found = await ask(path)
      if (found.status !== 200) return found
      const module = found.answer as Module
      const unknown = wanted?.find(each => !module.parameters.some(parameter => parameter.name === each))
      if (unknown !== undefined) return ask(`${path}/parameters/${segment(unknown)}`)
      const parameters = module.parameters
        .filter(parameter => wanted?.includes(parameter.name) ?? true)
        .map(({ values, ...parameter }) => {
          if (!values || values.length <= listedValues) return { ...parameter, ...(values && { values }) }
          const address = `${module.links.parameters}/${parameter.name}`
          return { ...parameter, values: { count: values.length, address } }
        })
      return ok({ ...module, parameters })
    },
  },
  check_query: {
    description:
      'Checks a query to MediaWiki (action=query) before it is sent: what is wrong, where, and what mends it. What does ' +
      'not fit into the answer is left out, and truncated says so.',
    schema: schemaOf(
      {
        query: {
          type: 'string',
          maxLength: longestQuery,
          description: 'A query string, an address with one, or code that asks a query.',
        },
      },
      ['query'],
    ),
    async call(ask, { query }: { query: string }) {
      const checked = await ask('/catalogue/validate', { body: { query } })
      return checked.status === 200 ? ok(fitReport(checked.answer as Report)) : checked
    },
  },
}

/** A part of a path, which API Gateway hands over decoded: no name contains a slash. */
const segment = (name: string): string => name.replaceAll('/', '%2F')

/** The tools as the protocol lists and calls them. */
export const openTools = (ask: Ask) => ({
  instructions:
    'Look query modules of MediaWiki up by find_modules and describe_module, and check each query that you write by check_query.',

  list: Object.entries(tools).map(([name, { description, schema }]) => {
    return { name, description, inputSchema: schema, annotations: { readOnlyHint: true } }
  }),

  /** @throws {RpcError} for an unknown tool, and for arguments that it does not take */
  async call({ name, arguments: given = {} }: Record<string, unknown>): Promise<object> {
    const tool = typeof name === 'string' && Object.hasOwn(tools, name) && tools[name]
    if (!tool) throw refuseParams(`There is no such tool. Known: ${Object.keys(tools).join(', ')}`)
    const fault = isObject(given) ? faultOf(tool.schema, given) : 'The arguments must be an object'
    if (fault !== null) throw refuseParams(fault)
    const { status, answer } = await tool.call(ask, given as never)
    if (status === 200) return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer }
    const { detail } = answer as Problem
    if (status !== 404) throw refuseParams(detail)
    return { isError: true, content: [{ type: 'text', text: detail }], structuredContent: answer }
  },
})
