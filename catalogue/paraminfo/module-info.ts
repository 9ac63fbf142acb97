// Describes a module and its parameters as `action=paraminfo` does (formatversion=2), in MediaWiki's order of members.
import type { TypeName } from '../fixed-names.ts'
import type { Module, Parameter } from '../model.ts'

/** False flags are absent; only `main` has no group. */
export type ModuleInfo = {
  name: string
  classname: string
  path: string
  group?: string
  prefix: string
  deprecated?: true
  readrights?: true
  generator?: true
  helpurls: string[]
  parameters: ParameterInfo[]
  templatedparameters: []
}

/** False facts are absent, except `required` and `multi`. */
type ParameterInfo = { index: number; name: string; type: string | string[]; [fact: string]: unknown }

/** The catalogue's own modules. `classname` is made up, because clients require one. */
export function moduleInfo(module: Module): ModuleInfo {
  const { name, path, group, prefix, deprecated, readrights, generator, parameters } = module
  return {
    name,
    classname: `ApiQuery${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    path,
    group,
    prefix,
    ...(deprecated && { deprecated }),
    ...(readrights && { readrights }),
    ...(generator && { generator }),
    helpurls: [],
    parameters: parameters.map(parameterInfo),
    templatedparameters: [],
  }
}

export function parameterInfo(parameter: Parameter): ParameterInfo {
  const { index, name, type, values, required, deprecated, sensitive, multi, value_limit, value_high_limit } = parameter
  const { allows_duplicates, all_specifier, deprecated_values, extra_namespaces, subtypes, conditions } = parameter
  const { min, max, highmax } = parameter
  return {
    index,
    name,
    type: values ?? typeWords[type],
    required: required ?? false,
    ...(deprecated && { deprecated }),
    ...(sensitive && { sensitive }),
    ...(parameter.default !== undefined && { default: parameter.default }),
    multi: multi ?? false,
    // Callers are anonymous here, with the low limit.
    ...(multi && { lowlimit: value_limit, highlimit: value_high_limit, limit: value_limit }),
    ...(allows_duplicates && { allowsduplicates: true }),
    ...(all_specifier !== undefined && { allspecifier: all_specifier }),
    ...(deprecated_values && { deprecatedvalues: deprecated_values }),
    ...(extra_namespaces && { extranamespaces: extra_namespaces }),
    ...(subtypes && { subtypes }),
    ...(type === 'title' && { mustExist: false }),
    ...(type === 'limit' && { min, max, highmax }),
    info: conditions,
  }
}

/** An enumeration's type is its values. */
const typeWords: Record<Exclude<TypeName, 'enum'>, string> & { enum: string[] } = {
  str: 'string',
  int: 'integer',
  bool: 'boolean',
  ts: 'timestamp',
  title: 'title',
  ns: 'namespace',
  user: 'user',
  limit: 'limit',
  enum: [],
}
