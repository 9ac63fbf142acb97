import { expect, test } from 'vitest'
import { attributes } from '../../../accounts/account/attributes.ts'

test('attributes of one member go together, but for the times of requests', () => {
  const lines = Object.entries(attributes).filter(([name]) => !name.endsWith('_requested_at'))
  const members = Map.groupBy(lines, ([name, { member }]) => member ?? name)
  const torn = [...members.values()].filter(made => new Set(made.map(([, { taker }]) => taker)).size > 1)
  expect(torn.map(made => made.map(([name]) => name))).toEqual([])
})
