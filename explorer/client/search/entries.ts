// The search index: every text in the catalogue, once, with all places where it occurs.
import {
  fragment,
  indexPage,
  modulePage,
  modulePath,
  queryNameId,
  valueId,
} from '../../../shared/catalogue/addresses.ts'
import type { CompactCatalogue, CompactModule } from '../../../shared/catalogue/validate/compact.ts'
import { queryLevel } from '../../../shared/catalogue/validate/knowledge.ts'
import { alsoCalled } from './also-called.ts'

/** The kinds of text. Among equally good matches, an earlier kind comes first. */
export const kinds = ['module', 'other name', 'prefix', 'query name', 'wire name', 'parameter', 'value'] as const

type Kind = (typeof kinds)[number]

/** Where a text occurs: in a module, or without one in the query as a whole. `asGenerator`: only as generator. */
export type Place = { module?: Pick<CompactModule, 'name' | 'group'>; parameter?: string; asGenerator?: true }

/** `lower` is the text in lower case; a module is also found by `path`, which is `query+<name>`. */
export type Entry = { kind: Kind; text: string; lower: string; path?: string; places: Place[] }

/** All entries: by kind, and within a kind in the catalogue's order. Empty prefixes and values are left out. */
export function listEntries({ modules, sets }: CompactCatalogue): Entry[] {
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
    for (const word of alsoCalled[name]?.split(' ') ?? []) put('other name', word, { module })
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
  return [...byKind.values()].flatMap(entries => [...entries.values()])
}

/** Says why a text was found: `value of allusers › rights`. */
export function explain({ kind, text }: Entry, { module, parameter, asGenerator }: Place): string {
  if (!module) return 'a name of the query as a whole'
  const of = `${kind} of ${module.name}${asGenerator ? ' as generator' : ''}`
  switch (kind) {
    case 'module':
      return `${module.group} module`
    case 'other name':
      return `${module.group} module, also called ${text}`
    case 'prefix':
    case 'query name':
    case 'parameter':
      return of
    case 'wire name':
      return `${of}: parameter ${parameter}`
    case 'value':
      return `${of} › ${parameter}`
  }
}

export function addressOf({ kind, text }: Entry, { module, parameter }: Place): string {
  if (!module) return `${indexPage}#${queryNameId(text)}`
  const page = modulePage(modulePath(module.name))
  if (parameter === undefined) return page
  return page + fragment(kind === 'value' ? valueId(parameter, text) : parameter)
}
