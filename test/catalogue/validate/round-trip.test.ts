// A query written as programs write it is read as it was: equal, or said. Nothing is lost in silence.
import { describe, expect, test } from 'vitest'
import { readPairs } from '../../../catalogue/validate/text/query.ts'
import { languages } from './idioms.ts'
import { isEqual, isSaid, rows, tried } from './written.ts'

describe('a query that a program says', () => {
  test('has a hundred rows, of forty languages', () => {
    expect(rows.length).toBeGreaterThanOrEqual(100)
    expect(new Set(Object.keys(languages).map(name => name.split(/ with| of/)[0])).size).toBeGreaterThanOrEqual(40)
  })

  test.each(rows)('in $name is read as it is, or the check says that it is not', row => {
    const lost = tried(row).filter(written => !isEqual(written) && !isSaid(written))
    expect(lost.map(({ text }) => [text, readPairs(text).map(({ name, value }) => `${name}=${value}`)])).toEqual([])
  })

  test('is read as it is nine times of ten', () => {
    const all = rows.flatMap(row => tried(row))
    const equal = all.filter(isEqual)
    expect(equal.length / all.length).toBeGreaterThanOrEqual(0.9)
  })
})
