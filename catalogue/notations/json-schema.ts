// Modules as JSON Schemas: the parameters before a program writes a query.
import type { Catalogue, Module, Parameter } from '../model.ts'
import { explainModule, explainParameter, type NameOf } from './sentences.ts'

export const schemaType = 'application/schema+json'

const dialect = 'https://json-schema.org/draft/2020-12/schema'

type Schema = Record<string, unknown>

export const schemaOf = (module: Module): Schema => ({ $schema: dialect, ...moduleSchema(module) })

/** The schemas of all modules in one document: under `$defs`, by `query+<name>`. */
export const schemaOfAll = ({ name, catalogue_version, modules }: Catalogue): Schema => ({
  $schema: dialect,
  title: name,
  description: `The parameters of each module, in version ${catalogue_version}.`,
  $defs: Object.fromEntries(modules.map(module => [module.path, moduleSchema(module)])),
})

/** An object schema whose members have the parameters' names in a query. */
function moduleSchema(module: Module): Schema {
  const { path, group, prefix, deprecated, parameters } = module
  const nameOf: NameOf = name => prefix + name
  const required = parameters.filter(parameter => parameter.required).map(({ name }) => nameOf(name))
  return {
    title: path,
    description: [
      `The parameters of a ${group} module, by their names in a query.`,
      ...explainModule(module, nameOf),
    ].join(' '),
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(parameter => [nameOf(parameter.name), parameterSchema(parameter, nameOf)]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...(deprecated && { deprecated }),
  }
}

function parameterSchema(parameter: Parameter, nameOf: NameOf): Schema {
  const { default: usual, deprecated } = parameter
  const description = explainParameter(parameter, nameOf).join(' ')
  return {
    ...(description && { description }),
    ...(parameter.multi ? severalSchema(parameter) : valueSchema(parameter)),
    ...(usual !== undefined && { default: parameter.multi ? severalDefault(usual) : usual }),
    ...(deprecated && { deprecated }),
  }
}

function severalSchema(parameter: Parameter): Schema {
  const { value_high_limit, all_specifier, allows_duplicates } = parameter
  const items = valueSchema(parameter)
  return {
    type: 'array',
    ...(all_specifier === undefined ? { items } : { anyOf: [{ items }, { const: [all_specifier] }] }),
    maxItems: value_high_limit,
    ...(!allows_duplicates && { uniqueItems: true }),
  }
}

function valueSchema({ type, values, extra_namespaces = [], min, highmax, required }: Parameter): Schema {
  switch (type) {
    case 'bool':
      return { type: 'boolean' }
    case 'int':
      return { type: 'integer' }
    case 'ns':
      return { type: 'integer', minimum: Math.min(0, ...extra_namespaces) }
    case 'limit':
      return { anyOf: [{ type: 'integer', minimum: min, maximum: highmax }, { const: 'max' }] }
    case 'enum':
      return { type: 'string', enum: values }
    default:
      // An empty value of a required parameter counts as absent.
      return { type: 'string', ...(required && { minLength: 1 }) }
  }
}

/** A default of several values is one text or number in the catalogue. */
function severalDefault(usual: string | number): (string | number)[] {
  if (typeof usual === 'number') return [usual]
  return usual === '' ? [] : usual.split('|')
}
