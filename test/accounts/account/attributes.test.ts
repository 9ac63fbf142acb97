import { expect, test } from 'vitest'
import { attributes } from '../../../accounts/account/attributes.ts'

test('attributes of one member go together, but for the times of requests', () => {
  const lines = Object.entries(attributes).filter(([name]) => !name.endsWith('_requested_at'))
  const members = Map.groupBy(lines, ([name, { member }]) => member ?? name)
  const torn = [...members.values()].filter(made => new Set(made.map(([, { taker }]) => taker)).size > 1)
  expect(torn.map(made => made.map(([name]) => name))).toEqual([])
})

test('functions may write without a guard only what opens nothing', () => {
  const free = Object.entries(attributes).flatMap(([name, { guard }]) => (guard === undefined ? [name] : []))
  expect(free.filter(name => !name.endsWith('_by'))).toEqual([
    'name',
    'created_at',
    'id',
    'token_version',
    'language',
    'language_before',
    'language_until',
    'remembered_remotes',
    'updated_at',
  ])
})
