import { expect, test } from 'vitest'
import { functionNames, routeKeysOf } from '../../api/route-keys.ts'
import { findClear, findLikely, findNearest } from '../../catalogue/nearest.ts'

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

test('the name that is surely meant is found for up to 64 letters', () => {
  expect(findClear('a'.repeat(64), ['a'.repeat(63)])).toBe('a'.repeat(63))
  expect(findClear('a'.repeat(65), ['a'.repeat(64)])).toBeUndefined()
})

test('a name of any length is compared in bounded time', () => {
  const start = process.cpuUsage()
  expect(findNearest('a'.repeat(1_000_000), names)).toHaveLength(3)
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(200)
})

/** Letters added, removed, changed, or swapped with the next, computed by definition, without shortcuts. */
function distanceOf(a: string, b: string): number {
  if (a !== b && Math.min(a.length, b.length) >= 3 && (a.includes(b) || b.includes(a))) return 1
  const known = new Map<string, number>()
  const from = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j
    const key = `${i} ${j}`
    const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
    const distance =
      known.get(key) ??
      Math.min(
        from(i - 1, j) + 1,
        from(i, j - 1) + 1,
        from(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        isSwap ? from(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    known.set(key, distance)
    return distance
  }
  return from(a.length, b.length)
}

test('the three are those of a comparison with every name', () => {
  const paths = [...new Set(functionNames.flatMap(routeKeysOf).flatMap(key => key.split(' ').slice(1)))]
  for (const path of paths) {
    const middle = path.length >> 1
    const [start, end] = [path.slice(0, middle), path.slice(middle)]
    for (const typed of [`${start}x${end}`, `${start}${end.slice(1)}`, `${end}${start}`, end]) {
      const ranked = paths
        .map(name => ({ name, distance: distanceOf(typed, name), gap: Math.abs(name.length - typed.length) }))
        .sort((a, b) => a.distance - b.distance || a.gap - b.gap)
      const firstThree = (most: number) =>
        ranked.flatMap(({ name, distance }) => (distance <= most ? [name] : [])).slice(0, 3)
      expect(findNearest(typed, paths)).toEqual(firstThree(Number.POSITIVE_INFINITY))
      expect(findLikely(typed, paths)).toEqual(firstThree(Math.ceil(typed.length / 3)))
    }
  }
})
