// Which answer a path asks for: the several spellings of a module's path lead to one key.
import { findNearest } from './nearest.ts'
import type { Pack } from './pack.ts'

/** The key of an answer, or what was not found and which names come nearest to it. */
export type Address = { key: string } | NotFound

/** `module` is given for a parameter: where it was looked for. */
export type NotFound = { missing: Kind; name: string; nearest: string[]; module?: string }

type Kind = 'module' | 'parameter' | 'set' | 'path'

/** The words that follow `/catalogue/`; any other is taken for a module. */
const sections = ['modules', 'groups', 'types', 'sets', 'export']

/** Resolves a path that API Gateway has decoded, so `%2B` arrives as `+`. */
export function findAddress(path: string, pack: Pack): Address {
  const [, root, ...segments] = path.split('/')
  const [first = '', second = ''] = segments
  const key = segments.join('/')
  if (root !== 'catalogue' || segments.at(-1) === '') return notFound('path', path)
  if (first === 'sets' && segments.length === 2) return find('set', second, 'sets/', pack)
  if (first === 'modules' && segments.length > 1) return findModule(segments.slice(1), path, pack)
  if (isWhole(key)) return { key }
  if (sections.includes(first)) return notFound('path', path)
  if (addressed.test(first) || pack.find(moduleFolder + first)) return findModule(segments, path, pack)
  return notFound('path', path, findNearest(first, [...sections, ...namesIn(moduleFolder, pack)]))
}

/** `query+<name>`; a form decoder makes the plus a space, and one decoding too few leaves `%2B` or `%20`. */
const addressed = /^query(?:\+| |%2[Bb]|%20)/

const moduleFolder = 'modules/query+'

function isWhole(key: string) {
  return ['', 'modules', 'groups', 'types', 'sets', 'export/catalogue.json'].includes(key)
}

function findModule([segment = '', part, parameter, ...rest]: string[], path: string, pack: Pack): Address {
  const address = find('module', segment.replace(addressed, ''), moduleFolder, pack)
  if ('missing' in address || part === undefined) return address
  const parameters = `${address.key}/parameters`
  if (part !== 'parameters' || rest.length > 0) return notFound('path', path)
  if (parameter === undefined) return { key: parameters }
  const found = find('parameter', parameter, `${parameters}/`, pack)
  return 'missing' in found ? { ...found, module: address.key.slice('modules/'.length) } : found
}

function find(kind: Kind, name: string, folder: string, pack: Pack): Address {
  if (pack.find(folder + name)) return { key: folder + name }
  return notFound(kind, name, findNearest(name, namesIn(folder, pack)))
}

function namesIn(folder: string, pack: Pack): string[] {
  const inside = pack.paths().filter(path => path.startsWith(folder) && !path.includes('/', folder.length))
  return inside.map(path => path.slice(folder.length))
}

function notFound(missing: Kind, name: string, nearest: string[] = []): NotFound {
  return { missing, name, nearest }
}
