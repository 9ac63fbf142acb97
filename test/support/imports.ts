import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The project's sources, and what they import. */

const root = join(import.meta.dirname, '../..')
/** The top folders with code, without the tests. */
export const topFolders = [
  'accounts',
  'api',
  'bench',
  'catalogue',
  'docs',
  'functions',
  'infra',
  'local',
  'operations',
  'reference',
  'shared',
]
export const topOf = (file: string): string => file.split('/')[0] ?? ''

const tops = `{${topFolders}}`
export const files = globSync(`${tops}/**/*.{ts,tsx}`, { cwd: root, exclude: ['docs/examples/**'] }).sort()
export const sources = new Map(files.map(file => [file, withoutComments(readFileSync(join(root, file), 'utf8'))]))

function withoutComments(source: string): string {
  return source.replace(/^\s*\/\*.*?\*\/|^\s*\/\/.*?$/gms, '')
}

/** What a file imports: the project's own files by their path, packages by their specifier. */
export function importsOf(file: string, { types }: { types: boolean }): string[] {
  const statements =
    /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[\w$*{][^'";]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'/g
  return [...(sources.get(file) ?? '').matchAll(statements)]
    .filter(([, type]) => types || !type)
    .map(([, , from = '', dynamic = '']) => from || dynamic)
    .map(specifier => (specifier.startsWith('.') ? join(file, '..', specifier) : specifier))
}

/** Every file of TypeScript, tests and the pages' scripts included, with its text. */
export const everySource = new Map(
  globSync(`{${tops.slice(1, -1)},test}/**/*.{ts,tsx}`, { cwd: root, exclude: ['**/node_modules/**'] })
    .sort()
    .map(file => [file, withoutComments(readFileSync(join(root, file), 'utf8'))]),
)

/** What each file's importers use: the imported names, and the whole text of files that import it as a whole or dynamically. */
const taken = new Map<string, string[]>()
for (const [file, source] of everySource)
  for (const [, names, from = '', dynamic = ''] of source.matchAll(
    /^(?:import|export) (?:type )?(?:(\{[^}]*\})|\* as \w+) from '(\.[^']+)'|'(\.[^'\n]+\.tsx?)'/gm,
  )) {
    const target = join(file, '..', from || dynamic)
    if (target !== file) taken.set(target, [...(taken.get(target) ?? []), names ?? source])
  }

/** The exports of a file without importers. */
export function unnamedExports(file: string): string[] {
  const declared = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm
  const names = [...(everySource.get(file) ?? '').matchAll(declared)].map(([, name = '']) => name)
  const words = new Set(taken.get(file)?.flatMap(text => text.match(/\w+/g) ?? []))
  return names.filter(name => !words.has(name))
}

/** Everything that a file loads, directly or indirectly. */
export function loadedBy(file: string, loaded = new Set<string>()): Set<string> {
  for (const next of importsOf(file, { types: false })) {
    if (loaded.has(next)) continue
    loaded.add(next)
    loadedBy(next, loaded)
  }
  return loaded
}

export const within = (pattern: RegExp): string[] => files.filter(file => pattern.test(file))

/** The forbidden imports of some files, types included, as `<file> → <import>`. */
export const forbiddenImports = (from: RegExp, isForbidden: (target: string, file: string) => boolean): string[] =>
  within(from).flatMap(file =>
    importsOf(file, { types: true })
      .filter(target => isForbidden(target, file))
      .map(target => `${file} → ${target}`),
  )
