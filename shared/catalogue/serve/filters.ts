// The query parameters of `/catalogue/modules`: which there are, what each takes, and which modules match.
import { groupNames, typeNames } from '../fixed-names.ts'
import type { Row } from './pack.ts'

/** The values that a query parameter takes: null for any text of 1 to 100 characters, empty only where it says so. */
export type Taken = { values: readonly string[] | null; empty?: true }

type Filter = Taken & { matches(row: Row, value: string): boolean }

export const maxText = 100

const flags = ['true', 'false']

export const listFilters: Readonly<Record<string, Filter>> = {
  group: { values: groupNames, matches: (row, value) => row.group === value },
  generator: { values: flags, matches: (row, value) => String(row.generator) === value },
  deprecated: { values: flags, matches: (row, value) => String(row.deprecated) === value },
  readrights: { values: flags, matches: (row, value) => String(row.readrights) === value },
  prefix: { values: null, empty: true, matches: (row, value) => row.prefix === value },
  parameter: { values: null, matches: (row, value) => row.parameters.includes(value) },
  type: { values: typeNames, matches: (row, value) => row.types.some(type => type === value) },
  q: { values: null, matches: (row, value) => wordsOf(value).every(word => row.words.includes(word)) },
}

const expand = 'expand'

/** What the list of modules may be asked, and what each of it takes. */
export const listParameters: Readonly<Record<string, Taken>> = { ...listFilters, [expand]: { values: ['parameters'] } }
const names = Object.keys(listParameters)

/** What is wrong with a query string, and what is allowed in place of it. */
export type QueryRefusal = { code: 'unknown' | 'repeated' | 'invalid'; name: string; value: string; allowed: string[] }

/** A list that was asked for: how to tell whether a module is in it, and whether with its parameters. */
export type ListQuery = { whole: boolean; matches(row: Row): boolean }

/** Reads a raw query string; every parameter at most once, those of the list only where `isList`. */
export function readQuery(raw: string, isList: boolean): ListQuery | QueryRefusal {
  const values = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(raw)) {
    const allowed = isList ? names : []
    if (!allowed.includes(name)) return { code: 'unknown', name, value, allowed }
    if (values.has(name)) return { code: 'repeated', name, value, allowed }
    const refused = refuseValue(name, value)
    if (refused) return { code: 'invalid', name, value, allowed: refused }
    values.set(name, value)
  }
  const whole = values.delete(expand)
  const tests = [...values].flatMap(([name, value]) => {
    const filter = listFilters[name]
    return filter ? [(row: Row) => filter.matches(row, value)] : []
  })
  return { whole, matches: row => tests.every(test => test(row)) }
}

/** What the parameter takes, if `value` is something else. */
function refuseValue(name: string, value: string): string[] | null {
  const { values, empty } = listParameters[name] as Taken
  if (values) return values.includes(value) ? null : [...values]
  if (value.length <= maxText && (empty || value.trim())) return null
  return [`a text of ${empty ? 'at most' : '1 to'} ${maxText} characters`]
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean)
