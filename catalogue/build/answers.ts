// All answers of the catalogue, by the path below `/catalogue/`.
import type { Content } from '../../shared/prebuilt/pack.ts'
import { addCommand } from '../mcp/messages.ts'
import type { Catalogue, Module } from '../model.ts'
import { schemaOf, schemaOfAll, schemaType } from '../notations/json-schema.ts'
import { typescriptType, typesOfAll } from '../notations/typescript.ts'
import { listFilters } from '../serve/filters.ts'
import { joinList, listKey } from '../serve/list.ts'
import type { Row } from '../serve/pack.ts'
import { traitsOf } from './views.ts'

/** The paths of prebuilt answers, and URI templates (RFC 6570) of the others. */
export type Links = Record<'links' | 'link_templates', Record<string, string>>

export function writeAnswers(catalogue: Catalogue, links: Links): Map<string, Content> {
  const { name, catalogue_version, counts, statements, not_described, multi_valued, groups, types, sets, modules } =
    catalogue
  const answers = new Map<string, Content>()
  const put = (key: string, answer: unknown) => answers.set(key, { text: JSON.stringify(answer) })
  const putSchema = (key: string, schema: object) =>
    answers.set(key, { text: JSON.stringify(schema), type: schemaType })

  put('', { name, catalogue_version, counts, statements, not_described, multi_valued, ...links, agents: addCommand })
  put('groups', { catalogue_version, total: groups.length, groups })
  put('types', { catalogue_version, total: types.length, types })
  put('sets', { catalogue_version, total: sets.length, sets })
  for (const set of sets) put(`sets/${set.name}`, set)
  put('export/catalogue.json', catalogue)
  putSchema('export/query-modules.schema.json', schemaOfAll(catalogue))
  answers.set('export/query-modules.d.ts', { text: typesOfAll(catalogue), type: typescriptType })
  for (const module of modules) {
    const { path, parameter_count, parameters, links } = module
    put(`modules/${path}`, module)
    putSchema(`modules/${path}/schema`, schemaOf(module))
    put(`modules/${path}/parameters`, {
      path,
      parameter_count,
      parameters,
      links: { ...links, self: links.parameters },
    })
    for (const parameter of parameters) put(`modules/${path}/parameters/${parameter.name}`, parameter)
  }
  return answers
}

/** The JSON of the whole list of modules, and of each list with one fixed-choice filter, by key. */
export function writeLists({ catalogue_version, modules }: Catalogue): Map<string, Content> {
  const closed = Object.values(listFilters).flatMap(({ values, matches }) =>
    (values ?? []).map(value => (row: Row) => matches(row, value)),
  )
  const rows = writeRows(modules)
  const lists = new Map<string, Content>()
  for (const matches of [() => true, ...closed]) {
    const included = rows.map(matches)
    const chosen = modules.filter((_, position) => included[position])
    for (const whole of [false, true]) {
      const write = whole ? (module: Module) => JSON.stringify(module) : summarise
      lists.set(listKey(included, whole), { text: joinList(catalogue_version, chosen.map(write)) })
    }
  }
  return lists
}

/** The rows that filters search, in the specification's order. */
export function writeRows(modules: Module[]): Row[] {
  return modules.map(module => {
    const { name, prefix, parameters } = module
    const names = parameters.map(({ name }) => name)
    const values = parameters.flatMap(parameter => parameter.values ?? [])
    const words = new Set([name, prefix, ...names, ...values])
    return {
      ...traitsOf(module),
      parameters: names,
      types: [...new Set(parameters.map(({ type }) => type))],
      words: [...words].join('\n').toLowerCase(),
      summary: summarise(module),
    }
  })
}

/** A module without its parameters and relations. */
const summarise = ({ parameters: _, relations: __, ...summary }: Module): string => JSON.stringify(summary)
