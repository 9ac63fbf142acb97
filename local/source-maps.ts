import { appendFileSync, existsSync, globSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { makeMaps } from './template/assembly.ts'

const checkout = join(import.meta.dirname, '..')

/** Links code to its source map (ECMA-426, "Linking generated code to source maps"). */
const comment = '\n//# sourceMappingURL='

const mapOf = (build: string, caller: string, file: string): string =>
  join(build, 'maps', caller, `${basename(file)}.map`)

/** Links a function's code to its source maps, for a debugger. Bundles have no links, so that a cold start reads no maps. */
export function nameSourceMaps(codeDirectory: string, build: string, caller: string): void {
  for (const file of globSync(join(codeDirectory, '*.cjs'))) {
    appendFileSync(file, `${comment}${pathToFileURL(mapOf(build, caller, file))}\n`)
  }
}

/** A built file, byte by byte. */
export const builtContents = (file: string): string => readFileSync(file, 'latin1').split(comment, 1).join()

/** A frame of a stack trace, or another position in a bundle. */
const position = /(?:(at (?:async |new )?)([^()\n]+) \()?(\/[^\s():]+\.cjs):(\d+):(\d+)\)?/g

/** Replaces positions and shortened names of a function's bundle by those of the sources. */
export function withSourceLines(text: string, caller: string, build: string): string {
  const codes = new Map<string, Code | null>()
  return text.replace(position, (found, at: string | undefined, name: string, file: string, ...place: string[]) => {
    const code = codes.get(file) ?? readCode(file, caller, build)
    codes.set(file, code)
    const [line = 0, column = 0] = place.slice(0, 2).map(one => Number(one) - 1)
    const entry = code?.map.findEntry(line, column)
    if (!code || !entry || !('originalSource' in entry)) return found
    const source = resolve(dirname(mapOf(build, caller, file)), entry.originalSource)
    const there = `${relative(checkout, source)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
    if (at === undefined) return there
    return `${at}${name.replace(/^[\w$]+/, first => nameOf(first, code, line, column))} (${there})`
  })
}

/** Lines of running code, and its source map. */
interface Code {
  lines: string[]
  map: SourceMap
}

/** The source name of a function or class. A bundle may reuse a name: its last definition before a position counts. */
function nameOf(name: string, { lines, map }: Code, line: number, column: number): string {
  const word = name.replaceAll('$', String.raw`\$`)
  const definition = new RegExp(`(?:(?<=function\\*? |class )${word}|(?<![\\w$.])${word}(?==[^=>]))(?![\\w$])`, 'g')
  for (let at = line; at >= 0; at--) {
    const text = lines[at]?.slice(0, at === line ? column : undefined) ?? ''
    for (const { index } of [...text.matchAll(definition)].reverse()) {
      // The types lack the name (Node.js, "sourceMap.findEntry").
      const entry = map.findEntry(at, index) as { generatedColumn?: number; name?: string }
      if (entry.generatedColumn === index && entry.name !== undefined) return entry.name
    }
  }
  return name
}

/** By running code's file: failed attempts are not repeated. */
const tried = new Map<string, Promise<void>>()

/** Makes the missing source maps for a text's positions, in half a second; null if none is missing. The build makes none. */
export function makeMissingMaps(text: string, caller: string, build: string): Promise<void> | null {
  const files = [...text.matchAll(position)].map(([, , , file = '']) => file)
  const lacking = files.find(file => !existsSync(mapOf(build, caller, file)) && isAsBuilt(file, caller, build))
  if (lacking === undefined) return null
  const making = tried.get(lacking) ?? makeMaps(caller, build)
  tried.set(lacking, making)
  return making
}

/** Whether running code is the last build's. */
function isAsBuilt(file: string, caller: string, build: string): boolean {
  const built = join(build, 'functions', caller, basename(file))
  return [file, built].every(path => existsSync(path)) && builtContents(file) === builtContents(built)
}

/** Null if running code has no source map, or only that of a later build. */
function readCode(file: string, caller: string, build: string): Code | null {
  const map = mapOf(build, caller, file)
  if (!existsSync(map) || !isAsBuilt(file, caller, build)) return null
  return { lines: readFileSync(file, 'utf8').split('\n'), map: new SourceMap(JSON.parse(readFileSync(map, 'utf8'))) }
}
