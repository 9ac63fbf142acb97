import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { common } from '../../../catalogue/explorer/client/query/rewrite.ts'
import { seed } from '../../support/property.ts'

describe('what two texts have in common', () => {
  test.each([
    ['a start and an end', 'a=1&b=2', 'a=3&b=2', [2, 4]],
    ['each letter once, where letters repeat', 'aa', 'aaa', [2, 0]],
    ['all of the shorter', 'a=1', 'a=1&b=2', [3, 0]],
    ['nothing', 'a', 'b', [0, 0]],
    ['no half of a character, at the start', '\u{1f600}', '\u{1f601}', [0, 0]],
    ['no half of a character, at the end', '\ud83d\ude00', '\ud83e\ude00', [0, 0]],
  ])('is %s', (_, one, other, expected) => {
    expect(common(one, other)).toEqual(expected)
  })

  test('is the same text, and each rewriting replaces whole characters', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '\u{1f600}', '\u{1f601}', '\u{1fa00}')).map(parts => parts.join(''))
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [start, end] = common(one, other)
        const added = other.slice(start, other.length - end)
        expect(one.slice(0, start) + added + one.slice(one.length - end)).toBe(other)
        expect(added.isWellFormed()).toBe(true)
        expect(one.slice(start, one.length - end).isWellFormed()).toBe(true)
      }),
      { seed },
    )
  })
})
