// The parents of the catalogue's modules, which clients request first for the others' names.
import type { Catalogue, Module, MultiValued, Parameter } from '../model.ts'
import { type ModuleInfo, moduleInfo, parameterInfo } from './module-info.ts'

/** Every module, parents first; the catalogue's own come last, by name as in MediaWiki. */
export function describeAll({ modules, multi_valued }: Catalogue): ModuleInfo[] {
  const described = [...modules].sort((a, b) => (a.path < b.path ? -1 : 1)).map(moduleInfo)
  const query = queryInfo(modules, multi_valued)
  const paraminfo = paraminfoInfo(
    described.map(({ name }) => name),
    multi_valued,
  )
  return [mainInfo([paraminfo, query]), paraminfo, query, ...described]
}

function mainInfo(actions: ModuleInfo[]): ModuleInfo {
  const names = actions.map(({ name }) => name)
  const action = parameterInfo({ index: 1, name: 'action', type: 'enum', values: names, required: true })
  const format = parameterInfo({ index: 2, name: 'format', type: 'enum', values: ['json'], default: 'json' })
  const submodules = Object.fromEntries(actions.map(({ name, path }) => [name, path]))
  return parentInfo('main', 'ApiMain', [{ ...action, submodules }, format])
}

/** The supported part of `action=paraminfo`. */
function paraminfoInfo(names: string[], several: MultiValued): ModuleInfo {
  const multi = multiOf(several)
  const parameters: Parameter[] = [
    { index: 1, name: 'modules', type: 'str', ...multi },
    { index: 2, name: 'helpformat', type: 'enum', default: 'none', values: ['html', 'none', 'raw', 'wikitext'] },
    { index: 3, name: 'querymodules', type: 'enum', deprecated: true, ...multi, values: names },
  ]
  return parentInfo('paraminfo', 'ApiParamInfo', parameters.map(parameterInfo), 'action')
}

/** The parameters that choose modules. The others of `action=query` are not in the catalogue. */
function queryInfo(modules: Module[], several: MultiValued): ModuleInfo {
  const choice = (index: number, name: string, chosen: Module[], others: Partial<Parameter>) => {
    // Deprecated ones come last.
    const listed = [...chosen.filter(({ deprecated }) => !deprecated), ...chosen.filter(({ deprecated }) => deprecated)]
    const old = listed.filter(({ deprecated }) => deprecated).map(({ name }) => name)
    const values = listed.map(({ name }) => name)
    const parameter: Parameter = { index, name, type: 'enum', values, ...others }
    if (old.length > 0) parameter.deprecated_values = old
    return { ...parameterInfo(parameter), submodules: Object.fromEntries(listed.map(({ name, path }) => [name, path])) }
  }
  const sorted = [...modules].sort((a, b) => (a.name < b.name ? -1 : 1))
  const generators = sorted.filter(({ generator }) => generator)
  const parameters = [
    ...(['prop', 'list', 'meta'] as const).map((group, position) => {
      const members = sorted.filter(module => module.group === group)
      return choice(position + 1, group, members, multiOf(several))
    }),
    { ...choice(4, 'generator', generators, {}), submoduleparamprefix: 'g' },
  ]
  return parentInfo('query', 'ApiQuery', parameters, 'action')
}

const multiOf = ({ value_limit, value_high_limit }: MultiValued) =>
  ({ multi: true, value_limit, value_high_limit }) as const

function parentInfo(name: string, classname: string, parameters: ModuleInfo['parameters'], group?: string): ModuleInfo {
  return {
    name,
    classname,
    path: name,
    ...(group && { group }),
    prefix: '',
    helpurls: [],
    parameters,
    templatedparameters: [],
  }
}
