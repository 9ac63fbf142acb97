// The query parameters of `/catalogue/modules`: their values, and the matching modules.
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

/** The parameters of the list of modules, with their values. */
export const listParameters: Readonly<Record<string, Taken>> = { ...listFilters, [expand]: { values: ['parameters'] } }

/** A requested list: whether it contains a module, and whether with parameters. */
export type ListQuery = { whole: boolean; matches(row: Row): boolean }

/** Reads a raw query string; the list's parameters are allowed only with `isList`. */
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
