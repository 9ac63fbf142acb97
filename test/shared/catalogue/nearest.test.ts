import { expect, test } from 'vitest'
import { findNearest } from '../../../shared/catalogue/nearest.ts'

const names = ['allpages', 'alllinks', 'images', 'tags', 'revisions', 'deletedrevisions', 'users']

const meantBy = {
  'a letter left out': ['allpags', 'allpages'],
  'a letter too many': ['tagss', 'tags'],
  'two letters swapped': ['tgas', 'tags'],
  'another letter': ['usars', 'users'],
  'a part of a name': ['links', 'alllinks'],
  'a name and more': ['query-revisions', 'revisions'],
  'other case': ['IMAGES', 'images'],
} as const
test.each(Object.entries(meantBy))('%s finds the name that was meant', (_, [typed, meant]) => {
  expect(findNearest(typed, names)[0]).toBe(meant)
})

test('three names are given, the nearest first', () => {
  const nearest = findNearest('revision', names)
  expect(nearest).toHaveLength(3)
  expect(nearest.slice(0, 2)).toEqual(['revisions', 'deletedrevisions'])
})

test('swapped letters are one slip, not two', () => {
  expect(findNearest('ab', ['abxx', 'ba'])[0]).toBe('ba')
})

test('a name of any length is compared in bounded time', () => {
  const start = process.cpuUsage()
  expect(findNearest('a'.repeat(1_000_000), names)).toHaveLength(3)
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(200)
})
