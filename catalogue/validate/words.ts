// What people write in place of the API's own words, and what belongs to an extension. The words are data, each with its
// source.
import everyday from '../words/everyday.json' with { type: 'json' }
import extensionTable from '../words/extensions.json' with { type: 'json' }
import type { KnownParameter } from './knowledge.ts'

/** Letters, spaces and signs in which people write the same word differently. */
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

/** The value of a parameter that an everyday word stands for. */
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

/** The name of the query as a whole that an everyday one stands for. */
export const queryNameMeant = (name: string): string | undefined => queryNames.get(plain(name))

const parameterNames = Object.entries(everyday.parameter_names.words)

/** The names of parameters that an everyday one may stand for, each with what stands before the word. */
export const parameterWords = (name: string): { prefix: string; names: readonly string[] }[] =>
  parameterNames.flatMap(([word, names]) =>
    name.endsWith(word) ? [{ prefix: name.slice(0, -word.length), names }] : [],
  )

/** By module: the extension that it belongs to, and its prefix. */
export const extensions = new Map<string, { extension: string; prefix: string }>()
/** By wire name: the module that has such a parameter. */
const extensionParameters = new Map<string, string>()
for (const [extension = '', module = '', prefix = '', parameters = ''] of extensionTable.modules) {
  extensions.set(module, { extension, prefix })
  for (const name of parameters.split(' ').filter(Boolean)) {
    for (const role of ['', 'g']) extensionParameters.set(role + prefix + name, module)
  }
}

/** The extension that a module belongs to, if it is a well-known one. */
export const extensionOf = (module: string): string | undefined => extensions.get(module)?.extension

/**
 * The well-known module of an extension that has a parameter of this name, or whose prefix it has.
 * @param asked modules of extensions that the query asks for
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
