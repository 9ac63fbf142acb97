import * as v from 'valibot'

/** A setting: what it is when unset, what it means, and how its text is checked and read. */
export interface Setting<T> {
  fallback: string
  meaning: string
  /** What is expected, as it completes "<name> must be …". */
  expected: string
  /** What exactly is wrong with a text, where that can be said. */
  why?: (text: string) => string | null
  schema: v.GenericSchema<string, T>
}

export const setting = <T>(
  fallback: string,
  meaning: string,
  expected: string,
  schema: v.GenericSchema<string, T>,
  why: (text: string) => string | null = () => null,
): Setting<T> => ({
  fallback,
  meaning,
  expected,
  schema,
  why,
})

/** What the settings of a table are, once read. */
export type Values<T extends Record<string, Setting<unknown>>> = {
  [N in keyof T]: T[N] extends Setting<infer V> ? V : never
}

/** One or more settings that are not what they must be, each on a line of its own. */
export class SettingsError extends Error {
  override name = 'SettingsError'

  constructor(complaints: readonly string[]) {
    super(complaints.join('\n'))
  }
}

/**
 * Names the setting, what is expected and what it is instead.
 *
 * @param cause the setting that makes this one necessary, and its value
 */
export function complaint<N extends string>(
  table: Record<N, Setting<unknown>>,
  name: N,
  text: unknown,
  cause?: [name: string, value: unknown],
): string {
  const { expected, why } = table[name]
  const reason = why?.(String(text))
  const instead = text === '' ? ' and is not set' : `, not '${text}'`
  const since = cause ? `, because ${cause[0]} is '${cause[1]}'` : ''
  return `${name} must be ${expected}${instead}${since}${reason ? `: ${reason}` : ''}`
}

/**
 * The variables of an environment by their names in capitals. Of several spellings, one that is not empty wins over one
 * that is, and then the one in capitals.
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

/** A line for each of these names that an environment spells in several ways, with different values. Empty is none. */
export function clashes(env: Record<string, string | undefined>, names: readonly string[]): string[] {
  return names.flatMap(name => {
    const spellings = Object.entries(env).filter(([spelling, text]) => spelling.toUpperCase() === name && text?.trim())
    if (new Set(spellings.map(([, text]) => text?.trim())).size < 2) return []
    const stated = spellings.map(([spelling, text]) => `${spelling} is '${text?.trim()}'`).join(' and ')
    return [`${stated}, but they are one setting: unset all but one`]
  })
}

/** What was read of a table: the values that are right, and a line for each text that is not. */
export interface Reading<T extends Record<string, Setting<unknown>>> {
  values: Partial<Values<T>>
  complaints: string[]
}

/** Reads and checks the settings of any such table. */
export function checkTable<T extends Record<string, Setting<unknown>>>(
  table: T,
  env: Record<string, string | undefined>,
  fallbacks: Partial<Record<keyof T, string>> = {},
): Reading<T> {
  const variables = inCapitals(env)
  const complaints = clashes(env, Object.keys(table))
  const values = Object.entries(table).flatMap(([name, { fallback, schema }]) => {
    const text = variables.get(name)?.trim()
    // Set but empty, as templates of environments like to leave them, is unset where it is no value of its own.
    const isUnset = text === undefined || (text === '' && !v.is(schema, ''))
    const result = v.safeParse(schema, isUnset ? (fallbacks[name] ?? fallback) : text, { abortEarly: true })
    if (result.success) return [[name, result.output]]
    complaints.push(complaint(table, name, text))
    return []
  })
  return { values: Object.fromEntries(values) as Partial<Values<T>>, complaints }
}

/** Reads the settings of any such table. @throws {SettingsError} */
export function readTable<T extends Record<string, Setting<unknown>>>(
  table: T,
  env: Record<string, string | undefined>,
): Values<T> {
  const { values, complaints } = checkTable(table, env)
  if (complaints.length > 0) throw new SettingsError(complaints)
  return values as Values<T>
}
