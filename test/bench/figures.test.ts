import { expect, test } from 'vitest'
import { compareByRank } from '../../bench/measure/figures.ts'

const range = (from: number, count: number, step = 1) => Array.from({ length: count }, (_, i) => from + i * step)

test('interleaved samples do not differ', () => {
  const { superiority, p } = compareByRank(range(0, 100, 2), range(1, 100, 2))
  expect(superiority).toBeCloseTo(0.495, 3)
  expect(p).toBeGreaterThan(0.9)
})

test('samples with the same values do not differ', () => {
  const { superiority, p } = compareByRank([1, 1, 1, 2], [1, 1, 1, 2])
  expect(superiority).toBe(0.5)
  expect(p).toBeCloseTo(1, 6)
})

test('a sample whose values are all larger has a superiority of 1', () => {
  const { superiority, p } = compareByRank(range(100, 50), range(0, 50))
  expect(superiority).toBe(1)
  expect(p).toBeLessThan(1e-15)
})

test('the textbook example of tortoises and hares has its U of 25 and 11 (p = 0.30 by the approximation)', () => {
  // T H H H H H T T T T T H, by the order in which they reach the goal.
  const order = [...'THHHHHTTTTTH']
  const places = (animal: string) => order.flatMap((letter, i) => (letter === animal ? [i] : []))
  const { superiority, p } = compareByRank(places('T'), places('H'))
  expect(superiority * 36).toBeCloseTo(25, 9)
  expect(p).toBeCloseTo(0.298, 2)
})
