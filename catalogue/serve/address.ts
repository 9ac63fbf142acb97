// Resolves paths to answers: all spellings of a module's path have one answer.
import type { Answer } from '../../shared/prebuilt/pack.ts'
import { addressed, sectionNames } from '../fixed-names.ts'
import { findNearest } from '../nearest.ts'
import type { Pack } from './pack.ts'

/**
 * The answer at a path, or the kind of thing that is missing and the nearest names. The list of modules has no single
 * answer: its query selects one.
 */
type Address = { answer: Answer | null } | NotFound

/** `module`, for a parameter: where it was looked up. */
export type NotFound = { missing: Kind; name: string; nearest: string[]; module?: string }

type Kind = 'module' | 'parameter' | 'set' | 'path'

/** Resolves a path that API Gateway has decoded, so `%2B` arrives as `+`. */
export function findAddress(path: string, pack: Pack): Address {
  const [, root, ...segments] = path.split('/')
  const [first = '', second = ''] = segments
  const key = segments.join('/')
  if (root !== 'catalogue' || segments.at(-1) === '') return notFound('path', path)
  if (first === 'sets' && segments.length === 2) return find('set', second, 'sets/', pack)
  if (first === 'modules' && segments.length > 1) return findModule(segments.slice(1), path, pack)
  if (key === 'modules') return { answer: null }
  if (first === 'explore' && segments.length > 1) return findPage(segments.slice(1), path, pack)
  if (key === '' || sectionNames.some(section => section === first)) {
    const answer = pack.find(key)
    return answer ? { answer } : notFound('path', path)
  }
  if (addressed.test(first) || pack.find(moduleFolder + first)) return findModule(segments, path, pack)
  return notFound('path', path, findNearest(first, [...sections, ...namesIn(moduleFolder, pack)]))
}

/** The sections that answer by themselves: `export` is only a folder. */
const sections = sectionNames.filter(section => section !== 'export')

const moduleFolder = 'modules/query+'

const parts = ['parameters', 'schema']

function findModule([segment = '', part, parameter, ...rest]: string[], path: string, pack: Pack): Address {
  const name = segment.replace(addressed, '')
  const module = find('module', name, moduleFolder, pack)
  if ('missing' in module || part === undefined) return module
  const folder = `${moduleFolder}${name}/`
  if (parameter === undefined && parts.includes(part)) return find('path', part, folder, pack)
  if (parameter === undefined || part !== 'parameters' || rest.length > 0) return notFound('path', path)
  const found = find('parameter', parameter, `${folder}${part}/`, pack)
  return 'missing' in found ? { ...found, module: `query+${name}` } : found
}

/** A page of the explorer, or one of its files. */
function findPage(segments: string[], path: string, pack: Pack): Address {
  const [first = '', second = ''] = segments
  if (segments.length === 1) return find('module', first.replace(addressed, ''), 'explore/query+', pack)
  if (segments.length === 2 && first === 'sets') return find('set', second, 'explore/sets/', pack)
  const answer = pack.find(`explore/${segments.join('/')}`)
  return answer ? { answer } : notFound('path', path)
}

function find(kind: Kind, name: string, folder: string, pack: Pack): Address {
  const answer = pack.find(folder + name)
  return answer ? { answer } : notFound(kind, name, findNearest(name, namesIn(folder, pack)))
}

function namesIn(folder: string, pack: Pack): string[] {
  const inside = pack.paths().filter(path => path.startsWith(folder) && !path.includes('/', folder.length))
  return inside.map(path => path.slice(folder.length))
}

const notFound = (missing: Kind, name: string, nearest: string[] = []): NotFound => ({ missing, name, nearest })
