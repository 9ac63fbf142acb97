import { expect, test } from 'vitest'
import { keepRecent } from '../../catalogue/serve/list.ts'

test('the last values are kept, and no more of them', () => {
  const recent = keepRecent<number>(2)
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
    ['c', 4],
  ] as const)
    recent.set(key, value)
  expect([recent.get('a'), recent.get('b'), recent.get('c')]).toEqual([3, undefined, 4])
  expect(recent.size).toBe(2)
})
