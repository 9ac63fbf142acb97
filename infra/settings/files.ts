import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import { type TransformFailure, transformSync } from 'esbuild'

/** Where the paths of settings lead from. */
export interface Place {
  folder: string
  /** What complaints put before a path. */
  prefix: string
  /** Whether all files lie in the folder: a deploy takes what is committed. */
  isClosed: boolean
}

/** The folder in which the operator stands: npm runs scripts in the package's own. */
export const standingIn = ({ INIT_CWD }: Record<string, string | undefined>): Place => ({
  folder: INIT_CWD || '.',
  prefix: '',
  isClosed: false,
})

/** Why a file cannot be read, in a few words. */
export function unreadable(error: unknown, ifMissing = 'there is no such file'): string {
  const reasons: Record<string, string> = {
    ENOENT: ifMissing,
    EISDIR: 'is a directory, not a file',
    EACCES: 'permission denied',
    ERR_ENCODING_INVALID_ENCODED_DATA: 'is not UTF-8',
  }
  const { code = '', message = '' } = error as NodeJS.ErrnoException
  return reasons[code] ?? message
}

/** Ten times what six providers and a thousand applications take. More is no list of ours. */
const maxKibibytes = 256

/** The text of a list that stands in a file, or the complaint, which begins with the file's name. */
export type ListFile = { file: string } & ({ text: string } | { wrong: string })

/** What is wrong with a path for which `fileAt` has no file. */
export const strayed = ({ prefix }: Place): string => `the path must stay in ${prefix}, and follow no link`

/** Reads a list from a file of JSON in UTF-8. */
export function readListFile(path: string, place: Place): ListFile {
  const file = `${place.prefix}${path}`
  try {
    const found = fileAt(path, place)
    if (found === null) return { file, wrong: `${file}: ${strayed(place)}` }
    const stats = statSync(found)
    if (!stats.isFile()) return { file, wrong: `${file}: is not a file` }
    if (stats.size > maxKibibytes * 1024) return { file, wrong: `${file}: has more than ${maxKibibytes} KiB` }
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(found))
    const mistake = mistakeIn(text)
    return mistake === null ? { file, text } : { file, wrong: `${file}, ${mistake}` }
  } catch (error) {
    return { file, wrong: `${file}: ${unreadable(error)}` }
  }
}

/** The file at a path, which need not exist; null where the path leaves a closed folder. @throws {Error} without its folder */
export function fileAt(path: string, { folder, isClosed }: Place): string | null {
  const file = resolve(folder, path)
  if (!isClosed) return file
  if (isAbsolute(path) || path.split(/[\\/]/).includes('..')) return null
  const isLinked = realpathSync(dirname(file)) !== resolve(realpathSync(folder), dirname(path))
  return isLinked || lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ? null : file
}

/** Line and column of the first mistake of a JSON text, and what it is. Quotes nothing: it may be a secret. */
function mistakeIn(text: string): string | null {
  try {
    JSON.parse(text)
    return null
  } catch {
    // The error often lacks the position.
  }
  const [line, column, what] = syntaxError(text) ?? strangeSpace(text)
  return `line ${line}, column ${column}: ${what}`
}

type Mistake = [line: number, column: number, what: string]

function syntaxError(text: string): Mistake | null {
  try {
    transformSync(text, { loader: 'json', logLevel: 'silent' })
    return null
  } catch (error) {
    const [{ text: said = '', location } = {}] = (error as Partial<TransformFailure>).errors ?? []
    if (!location) throw error
    const [what = 'it is not JSON'] =
      /^(?:Expected|JSON|Unexpected end|Unterminated) .*?(?= but found|$)/.exec(said) ?? []
    const before = Buffer.from(location.lineText).subarray(0, location.column).toString()
    return [location.line, before.length + 1, what]
  }
}

/** esbuild accepts spaces that JSON does not have, such as U+00A0. */
function strangeSpace(text: string): Mistake {
  const blanked = text.replace(/"(?:[^"\\]|\\.)*"/g, string => '_'.repeat(string.length))
  const lines = blanked.slice(0, blanked.search(/[^\S \t\r\n]/)).split('\n')
  return [lines.length, (lines.at(-1) ?? '').length + 1, 'JSON has no such space']
}
