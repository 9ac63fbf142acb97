import { appendFileSync, existsSync, globSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const checkout = join(import.meta.dirname, '..')

/** How code names its source map (ECMA-426, "Linking generated code to source maps"). */
const comment = '\n//# sourceMappingURL='

const mapOf = (build: string, caller: string, file: string): string =>
  join(build, 'maps', caller, `${basename(file)}.map`)

/** Names the source maps in a function's code, for a debugger. Bundles name none, so that a cold start reads none. */
export function nameSourceMaps(codeDirectory: string, build: string, caller: string): void {
  for (const file of globSync(join(codeDirectory, '*.cjs'))) {
    appendFileSync(file, `${comment}${pathToFileURL(mapOf(build, caller, file))}\n`)
  }
}

/** The contents of a file as the build wrote it, byte by byte. */
export const builtContents = (file: string): string => readFileSync(file, 'latin1').split(comment, 1).join()

/** A frame of a stack trace, or another mention of a position in a bundle. */
const position = /(?:(?<=at (?:async )?)\S+ \()?(\/[^\s():]+\.cjs):(\d+):(\d+)\)?/g

/** Replaces the positions in a function's bundle by those in the sources. The names there, which are shortened, go. */
export function withSourceLines(text: string, caller: string, build: string): string {
  const maps = new Map<string, SourceMap | null>()
  return text.replace(position, (found, file: string, line: string, column: string) => {
    const map = maps.get(file) ?? readMap(file, caller, build)
    maps.set(file, map)
    const entry = map?.findEntry(Number(line) - 1, Number(column) - 1)
    if (!entry || !('originalSource' in entry)) return found
    const source = resolve(dirname(mapOf(build, caller, file)), entry.originalSource)
    return `${relative(checkout, source)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  })
}

/** The source map of running code; null if there is none, or only that of a later build. */
function readMap(file: string, caller: string, build: string): SourceMap | null {
  const built = join(build, 'functions', caller, basename(file))
  const map = mapOf(build, caller, file)
  const isThere = [file, built, map].every(path => existsSync(path))
  if (!isThere || builtContents(file) !== builtContents(built)) return null
  return new SourceMap(JSON.parse(readFileSync(map, 'utf8')))
}
