// Finds a request's modules by path, as MediaWiki reads paths.
import type { ModuleInfo } from './module-info.ts'

/** A request's modules, unique and in order, and a sentence for each unknown one. */
type Selection = { modules: ModuleInfo[]; warnings: string[] }

/** `known` are all modules by path, sorted by name within their parents. */
export function selectModules(paths: string[], known: ReadonlyMap<string, ModuleInfo>): Selection {
  const chosen = new Set<ModuleInfo>()
  const warnings: string[] = []
  for (const path of paths) {
    const found = expand(path, known)
    if (typeof found === 'string') warnings.push(found)
    else for (const module of found) chosen.add(module)
  }
  return { modules: [...chosen], warnings }
}

/** Shortens client input, to send it back. */
export const shorten = (text: string): string => (text.length > 64 ? `${text.slice(0, 64)}...` : text)

/** A path, or all below one: `query+*`; `**` includes all levels. Without a parent: below `main`. */
function expand(path: string, known: ReadonlyMap<string, ModuleInfo>): ModuleInfo[] | string {
  const stars = path.endsWith('**') ? '**' : path.endsWith('*') ? '*' : ''
  const parentPath = path.slice(0, path.length - stars.length)
  if (stars === '' || (parentPath !== '' && !/[+ ]$/.test(parentPath))) {
    const module = find(path, known)
    return typeof module === 'string' ? module : [module]
  }
  const parent = parentPath === '' ? 'main' : parentPath.slice(0, -1)
  const module = find(parent, known)
  if (typeof module === 'string') return module
  const below = childrenOf(module, known)
  if (below.length === 0) return withoutSubmodules(module.path)
  return stars === '*' ? below : below.flatMap(child => [child, ...childrenOf(child, known)])
}

function find(path: string, known: ReadonlyMap<string, ModuleInfo>): ModuleInfo | string {
  let module = known.get('main') as ModuleInfo
  if (path === 'main') return module
  // A plus in a URL arrives as a space.
  for (const part of path.split(path.includes('+') ? '+' : ' ')) {
    const children = childrenOf(module, known)
    if (children.length === 0) return withoutSubmodules(module.path)
    const child = children.find(({ name }) => name === part)
    if (!child) return `The module "${module.path}" does not have a submodule "${shorten(part)}".`
    module = child
  }
  return module
}

function childrenOf({ path }: ModuleInfo, known: ReadonlyMap<string, ModuleInfo>): ModuleInfo[] {
  const all = [...known.values()]
  if (path === 'main') return all.filter(module => module.path !== 'main' && !module.path.includes('+'))
  return all.filter(module => module.path.startsWith(`${path}+`))
}

const withoutSubmodules = (path: string): string => `The module "${path}" has no submodules.`
