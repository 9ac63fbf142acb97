// The query parameters of `/catalogue/modules`: which there are, what each takes, and which modules match.
import { type QueryRefusal, type Taken, takeQuery } from '../../shared/base/query.ts'
import { groupNames, typeNames } from '../fixed-names.ts'
import type { Row } from './pack.ts'

type Filter = Taken & { matches(row: Row, value: string): boolean }

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

/** A list that was asked for: how to tell whether a module is in it, and whether with its parameters. */
export type ListQuery = { whole: boolean; matches(row: Row): boolean }

/** Reads a raw query string; it may hold the parameters of the list only where `isList`. */
export function readQuery(raw: string, isList: boolean): ListQuery | QueryRefusal {
  const values = takeQuery(raw, isList ? listParameters : {})
  if (!(values instanceof Map)) return values
  const whole = values.delete(expand)
  const tests = [...values].flatMap(([name, value]) => {
    const filter = listFilters[name]
    return filter ? [(row: Row) => filter.matches(row, value)] : []
  })
  return { whole, matches: row => tests.every(test => test(row)) }
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean)
