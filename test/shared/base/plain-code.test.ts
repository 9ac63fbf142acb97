import { expect, test } from 'vitest'
import { toPlainCode } from '../../../shared/base/plain-code.ts'
import { decimalDigits, digitSystems } from '../../support/code-forms.ts'

test('every decimal digit of Unicode counts by its value', () => {
  const values = new Map(digitSystems.flatMap(([, digits]) => digits.map((digit, value) => [digit, String(value)])))
  expect(decimalDigits.length).toBeGreaterThan(700)
  expect(decimalDigits.map(digit => [digit, toPlainCode(digit)])).toEqual(
    decimalDigits.map(digit => [digit, values.get(digit)]),
  )
})

test.each([
  ['letters of all scripts, in their case', 'Äβ字', 'Äβ字'],
  ['numbers that are no decimal digits', '四〇❶', '四〇❶'],
  ['nothing of marks, spaces and halves of pairs', '\u200e–\u00ad\u0301 \ud800', ''],
])('keeps %s', (_, typed, plain) => {
  expect(toPlainCode(typed)).toBe(plain)
})
