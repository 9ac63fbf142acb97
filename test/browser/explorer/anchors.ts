import type { Catalogue } from '../../../catalogue/model.ts'
import { read } from '../../support/catalogue/served.ts'

export const { modules, sets } = await read<Catalogue>('/catalogue/export/catalogue.json')

/** All pages, with the ids that links use. */
export const anchors = new Map<string, string[]>([
  ['/catalogue/explore', []],
  ...modules.map(({ path, parameters }): [string, string[]] => [`/catalogue/explore/${path}`, idsOf(parameters)]),
  ...sets.map(({ name, values = [], parameters = [] }): [string, string[]] => [
    `/catalogue/explore/sets/${name}`,
    [...values, ...idsOf(parameters)],
  ]),
])

function idsOf(parameters: Catalogue['modules'][number]['parameters']): string[] {
  return parameters.flatMap(({ name, values = [] }) => [name, ...values.map(value => `${name}=${value}`)])
}
