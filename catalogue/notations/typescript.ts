// Modules as TypeScript: one file of type aliases, which imports nothing.
import type { Catalogue, Module, Parameter } from '../model.ts'
import { explainModule, explainParameter, type NameOf } from './sentences.ts'

/** TypeScript has no registered media type. Browsers display this one, and Deno goes by the file's name. */
export const typescriptType = 'text/plain; charset=utf-8'

export function typesOfAll({ name, catalogue_version, modules }: Catalogue): string {
  return `// ${name} ${catalogue_version}. Of each module: its parameters by their own names, by those that
// they have in a query, and by those that they have where the module is the generator.

${modules.map(writeModule).join('\n')}
/** What there is of each module. \`generator\` is \`never\` where the module cannot be one. */
export type QueryModules = {
${modules.map(writeMember).join('')}}
`
}

function writeModule(module: Module): string {
  const { path, prefix, generator } = module
  const aliases = [
    writeAlias(module, 'Parameters', `The parameters of ${path}.`, name => name),
    writeAlias(module, 'Query', `The parameters of ${path} in a query.`, name => prefix + name),
  ]
  if (generator) {
    aliases.push(
      writeAlias(module, 'Generator', `The parameters of ${path} as the generator.`, name => `g${prefix}${name}`),
    )
  }
  return aliases.join('\n')
}

/** An alias, because an interface would not be assignable to a `Record` of strings. */
function writeAlias(module: Module, kind: string, summary: string, nameOf: NameOf): string {
  const sentences = [summary, ...explainModule(module, nameOf)]
  const members = module.parameters.map(
    parameter =>
      `${writeComment('  ', [summarise(parameter), ...explainParameter(parameter, nameOf)], parameter.deprecated)}` +
      `  ${nameOf(parameter.name)}${parameter.required ? '' : '?'}: ${typeOf(parameter)}\n`,
  )
  return `${writeComment('', sentences, module.deprecated)}export type ${aliasOf(module, kind)} = {\n${members.join('')}}\n`
}

function writeMember(module: Module): string {
  const generator = module.generator ? aliasOf(module, 'Generator') : 'never'
  const members = `parameters: ${aliasOf(module, 'Parameters')}; query: ${aliasOf(module, 'Query')}; generator: ${generator}`
  return `  '${module.path}': { ${members} }\n`
}

const aliasOf = ({ name }: Module, kind: string): string => name.charAt(0).toUpperCase() + name.slice(1) + kind

function summarise({ type, multi, default: usual }: Parameter): string {
  const standard = usual === undefined ? '' : `, default ${usual === '' ? '(empty)' : usual}`
  return `${type}${multi ? ', several' : ''}${standard}.`
}

function writeComment(indent: string, sentences: string[], deprecated: boolean | undefined): string {
  const text = sentences.join(' ')
  return deprecated
    ? `${indent}/**\n${indent} * ${text}\n${indent} * @deprecated\n${indent} */\n`
    : `${indent}/** ${text} */\n`
}

function typeOf(parameter: Parameter): string {
  const { multi, all_specifier } = parameter
  const type = valueType(parameter)
  if (!multi) return type
  const several = type.includes(' ') ? `readonly (${type})[]` : `readonly ${type}[]`
  return all_specifier === undefined ? several : `${several} | readonly ['${all_specifier}']`
}

function valueType({ type, values = [] }: Parameter): string {
  switch (type) {
    case 'bool':
      return 'boolean'
    case 'int':
    case 'ns':
      return 'number'
    case 'limit':
      return "number | 'max'"
    case 'enum':
      return values.map(value => `'${value}'`).join(' | ')
    default:
      return 'string'
  }
}
