// The search index: every text of the catalogue once, with all its places.
import { fragment, indexPage, modulePage, modulePath, queryNameId, valueId } from '../../../addresses.ts'
import type { CompactCatalogue, CompactModule } from '../../../validate/compact.ts'
import { queryLevel } from '../../../validate/knowledge.ts'

/** The kinds of text. Of equally good matches, an earlier kind comes first. */
export const kinds = [
  'module',
  'module of an extension',
  'prefix',
  'query name',
  'wire name',
  'parameter',
  'value',
] as const

type Kind = (typeof kinds)[number]

/** The place of a text: in a module, in an extension, or in the query as a whole. `asGenerator`: only as generator. */
export type Place = {
  module?: Pick<CompactModule, 'name' | 'group'>
  parameter?: string
  asGenerator?: true
  extension?: string
}

/** The extensions of modules, by name. */
type Extensions = ReadonlyMap<string, { extension: string }>

/** `lower` is the text in lower case; a module's `path`, `query+<name>`, finds it too. */
export type Entry = { kind: Kind; text: string; lower: string; path?: string; places: Place[] }

/** All entries: by kind, and within a kind in the catalogue's order. Empty prefixes and values are left out. */
export function listEntries({ modules, sets }: CompactCatalogue, extensions: Extensions): Entry[] {
  const byKind = new Map(kinds.map(kind => [kind, new Map<string, Entry>()]))
  const put = (kind: Kind, text: string, place: Place): void => {
    const entries = byKind.get(kind)
    const known = entries?.get(text)
    const path = kind === 'module' && { path: modulePath(text) }
    if (known) known.places.push(place)
    else if (text !== '') entries?.set(text, { kind, text, lower: text.toLowerCase(), ...path, places: [place] })
  }
  for (const module of modules) {
    const { name, prefix, generator, parameters } = module
    put('module', name, { module })
    put('prefix', prefix, { module })
    if (generator) put('prefix', `g${prefix}`, { module, asGenerator: true })
    for (const { name: parameter, values = [] } of parameters) {
      put('wire name', prefix + parameter, { module, parameter })
      if (generator) put('wire name', `g${prefix}${parameter}`, { module, parameter, asGenerator: true })
      put('parameter', parameter, { module, parameter })
      const listed = typeof values === 'string' ? (sets[values] ?? []) : values
      for (const value of listed) put('value', value, { module, parameter })
    }
  }
  for (const name of queryLevel) put('query name', name, {})
  for (const [name, { extension }] of extensions) put('module of an extension', name, { extension })
  return [...byKind.values()].flatMap(entries => [...entries.values()])
}

/** The index's section on what the catalogue does not describe. */
const notDescribed = `${indexPage}#not-described`

/** Why a text was found: `value of allusers › rights`. */
export function explain({ kind }: Entry, { module, parameter, asGenerator, extension }: Place): string {
  if (extension) return `of the extension ${extension}: not in this catalogue`
  if (!module) return 'a name of the query as a whole'
  const of = `${kind} of ${module.name}${asGenerator ? ' as generator' : ''}`
  switch (kind) {
    case 'module':
      return `${module.group} module`
    case 'prefix':
    case 'module of an extension':
    case 'query name':
    case 'parameter':
      return of
    case 'wire name':
      return `${of}: parameter ${parameter}`
    case 'value':
      return `${of} › ${parameter}`
  }
}

export function addressOf({ kind, text }: Entry, { module, parameter, extension }: Place): string {
  if (extension) return notDescribed
  if (!module) return `${indexPage}#${queryNameId(text)}`
  const page = modulePage(modulePath(module.name))
  if (parameter === undefined) return page
  return page + fragment(kind === 'value' ? valueId(parameter, text) : parameter)
}
