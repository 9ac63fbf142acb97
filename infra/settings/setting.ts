import { resolve } from 'node:path'
import * as v from 'valibot'
import { type ListFile, type Place, readListFile, standingIn } from './files.ts'

/** A setting: its default, its meaning, and how its text is checked and read. */
export interface Setting<T> {
  fallback: string
  meaning: string
  /** Completes "<name> must be …". */
  expected: string
  /** The complaint about a text, if `expected` is not enough. */
  why?: (text: string) => string | null
  /** Whether complaints hide the text, which is long and may contain a secret. */
  isHidden?: true
  /** Whether it is a list in JSON, in place of which `@` and the path of a file may stand. */
  isList?: true
  /** Whether it is the path of a file or folder. */
  isPath?: true
  schema: v.GenericSchema<string, T>
}

export const setting = <T>(
  fallback: string,
  meaning: string,
  expected: string,
  schema: v.GenericSchema<string, T>,
  why: (text: string) => string | null = () => null,
): Setting<T> => ({ fallback, meaning, expected, schema, why })

export type Values<T extends Record<string, Setting<unknown>>> = {
  [N in keyof T]: T[N] extends Setting<infer V> ? V : never
}

/** One or more invalid settings, each on its own line. */
export class SettingsError extends Error {
  override name = 'SettingsError'

  constructor(complaints: readonly string[]) {
    super(complaints.join('\n'))
  }
}

/**
 * The complaint about an invalid setting: its name, what it must be and what it is.
 *
 * @param cause the setting that requires it, with its value
 * @param reason what is wrong, if the text does not say it
 */
export function complaint<N extends string>(
  table: Record<N, Setting<unknown>>,
  name: N,
  text: unknown,
  cause?: [name: string, value: unknown],
  reason: string | null = table[name].why?.(String(text)) ?? null,
  expected = table[name].expected,
): string {
  const { isHidden } = table[name]
  const because = cause ? `, because ${cause[0]} is '${cause[1]}'` : ''
  if (text === '') return `${name} is not set but must be ${expected}${because}`
  return `${name} must be ${expected}${isHidden ? '' : `, not '${text}'`}${because}${reason ? `: ${reason}` : ''}`
}

/**
 * Environment variables by their names in capitals. Of several spellings, a value that is not empty wins, then the
 * spelling in capitals.
 */
export function inCapitals(env: Record<string, string | undefined>): Map<string, string> {
  const variables = new Map<string, string>()
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue
    const capitals = name.toUpperCase()
    if (!variables.get(capitals)?.trim() || (name === capitals && value.trim())) variables.set(capitals, value)
  }
  return variables
}

/** A line for each name with different values in different spellings. Empty values do not count. */
export const clashes = (env: Record<string, string | undefined>, names: readonly string[]): string[] =>
  names.flatMap(name => {
    const spellings = Object.entries(env).filter(([spelling, text]) => spelling.toUpperCase() === name && text?.trim())
    if (new Set(spellings.map(([, text]) => text?.trim())).size < 2) return []
    const stated = spellings.map(([spelling, text]) => `${spelling} is '${text?.trim()}'`).join(' and ')
    return [`${stated}, but they are the same setting: unset all but one`]
  })

/** The valid values of a table, and a line for each invalid text. */
export interface Reading<T extends Record<string, Setting<unknown>>> {
  values: Partial<Values<T>>
  complaints: string[]
  /** The files of lists, by setting, as complaints name them. */
  files: Record<string, string>
}

/** @param place where the paths lead from */
export function checkTable<T extends Record<string, Setting<unknown>>>(
  table: T,
  env: Record<string, string | undefined>,
  fallbacks: Partial<Record<keyof T, string>> = {},
  place: Place = standingIn(env),
): Reading<T> {
  const variables = inCapitals(env)
  const complaints = clashes(env, Object.keys(table))
  const files: Record<string, string> = {}
  const values = Object.entries(table).flatMap(([name, row]) => {
    const { fallback, schema, why } = row
    const stated = variables.get(name)?.trim()
    const list = listFileOf(row, stated, place)
    if (list) files[name] = list.file
    if (list && 'wrong' in list) {
      complaints.push(complaint(table, name, stated, undefined, list.wrong))
      return []
    }
    const text = list?.text ?? stated
    // An empty text counts as unset, unless it is valid: templates of environments often leave variables empty.
    const isUnset = text === undefined || (text === '' && !v.is(schema, ''))
    const result = v.safeParse(schema, isUnset ? (fallbacks[name] ?? fallback) : text, { abortEarly: true })
    if (result.success) return [[name, row.isPath && text ? resolve(place.folder, text) : result.output]]
    complaints.push(complaint(table, name, text, undefined, list && `${list.file}: ${why?.(text ?? '')}`))
    return []
  })
  return { values: Object.fromEntries(values) as Partial<Values<T>>, complaints, files }
}

/** The file of a setting that is `@` and a path; undefined for another text. */
export const listFileOf = ({ isList }: Setting<unknown>, text = '', place: Place): ListFile | undefined =>
  isList && text.startsWith('@') ? readListFile(text.slice(1), place) : undefined

/** @throws {SettingsError} */
export function readTable<T extends Record<string, Setting<unknown>>>(
  table: T,
  env: Record<string, string | undefined>,
): Values<T> {
  const { values, complaints } = checkTable(table, env)
  if (complaints.length > 0) throw new SettingsError(complaints)
  return values as Values<T>
}
