// People's words for the API's own, and names that belong to extensions. The words are data, with sources.
import everyday from '../words/everyday.json' with { type: 'json' }
import extensionTable from '../words/extensions.json' with { type: 'json' }
import type { KnownParameter } from './knowledge.ts'

/** Removes letters, spaces and signs in which spellings of a word differ. */
const plain = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')

const values = new Map<string, string[]>()
for (const { words } of everyday.values) {
  for (const [word, meant] of Object.entries(words)) values.set(word, [...(values.get(word) ?? []), ...meant])
}

const namespaces = new Map(
  Object.entries(everyday.namespaces.words).flatMap(([id, words]) => words.map(word => [word, id] as const)),
)

const queryNames = new Map(Object.entries(everyday.query_names.words))

/** The parameter's value that an everyday word means. */
export function valueMeant(text: string, parameter: KnownParameter): string | undefined {
  const { type, values: known, all_specifier, extra_namespaces = [] } = parameter
  const word = plain(text)
  const takes = (value: string) =>
    value === '*' ? all_specifier === '*' : type === 'limit' ? value === 'max' : known?.has(value) === true
  const meant = (values.get(word) ?? []).find(takes)
  const namespace = type === 'ns' ? namespaces.get(word.replace(/ ?:$/, '')) : undefined
  const isTaken = namespace !== undefined && (Number(namespace) >= 0 || extra_namespaces.includes(Number(namespace)))
  return isTaken ? namespace : meant
}

/** The query-level name that an everyday word means. */
export const queryNameMeant = (name: string): string | undefined => queryNames.get(plain(name))

const parameterNames = Object.entries(everyday.parameter_names.words)

/** The parameters that an everyday word may mean, with the prefix before it. */
export const parameterWords = (name: string): { prefix: string; names: readonly string[] }[] =>
  parameterNames.flatMap(([word, names]) =>
    name.endsWith(word) ? [{ prefix: name.slice(0, -word.length), names }] : [],
  )

/** By module: its extension and prefix. */
export const extensions = new Map<string, { extension: string; prefix: string }>()
/** By wire name: the module with such a parameter. */
const extensionParameters = new Map<string, string>()
for (const [extension = '', module = '', prefix = '', parameters = ''] of extensionTable.modules) {
  extensions.set(module, { extension, prefix })
  for (const name of parameters.split(' ').filter(Boolean)) {
    for (const role of ['', 'g']) extensionParameters.set(role + prefix + name, module)
  }
}

/** A module's extension, if well known. */
export const extensionOf = (module: string): string | undefined => extensions.get(module)?.extension

/**
 * The well-known module of an extension with this parameter, or with its prefix.
 * @param asked modules in the query that the catalogue does not have
 */
export function extensionModuleOf(name: string, asked: readonly string[]): string | undefined {
  const known = extensionParameters.get(name)
  if (known) return known
  for (const module of asked) {
    const prefix = extensions.get(module)?.prefix
    if (prefix && (name.startsWith(prefix) || name.startsWith(`g${prefix}`))) return module
  }
  return undefined
}
