import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The project's sources, and what they import. */

const root = join(import.meta.dirname, '../..')
/** Without `shared/pages`: its script runs in browsers, and functions serve it as text. */
export const files = globSync('{explorer,functions,infra,local,operations,reference,shared}/**/*.{ts,tsx}', {
  cwd: root,
  exclude: ['shared/pages/**'],
}).sort()
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

/** Everything that a file loads, directly or by way of others. */
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
