// A query written as programs write it is read as it was: equal, or said. Nothing is lost in silence.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plainText, readPairs } from '../../../catalogue/validate/text/query.ts'
import { validate } from '../../support/catalogue/validate.ts'
import { seed } from '../../support/property.ts'
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

  test('is read as it is, but for a line break in MATLAB', () => {
    const others = rows.flatMap(row =>
      tried(row).flatMap(written => (isEqual(written) ? [] : [[row.name, written.text]])),
    )
    expect(others).toEqual([['MATLAB, map', expect.stringContaining("'aa\nbb'")]])
  })

  test('is read without a fault where it is cut or mistyped, as the same query', () => {
    const texts = rows.flatMap(row => tried(row).map(({ text }) => text))
    const text = fc.constantFrom(...texts)
    const sign = fc.constantFrom(...`"'\`$\{}()[]#\\%&|~^\n`, '')
    const said = (text: string) => readPairs(text).map(({ name, value }) => `${name}=${value}`)
    fc.assert(
      fc.property(text, text, sign, fc.nat(400), fc.nat(3), (first, second, sign, at, cut) => {
        for (const broken of [
          first.slice(0, at) + sign + first.slice(at + cut),
          first.slice(0, at) + second.slice(cut),
        ]) {
          for (const { span } of validate(broken).findings) {
            const [start, end] = [span?.name[0] ?? 0, span?.value[1] ?? 0]
            expect(0 <= start && start <= end && end <= broken.length).toBe(true)
          }
          expect(said(plainText(broken))).toEqual(said(broken))
        }
      }),
      { seed, numRuns: 600 },
    )
  })
})
