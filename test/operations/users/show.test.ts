import { describe, expect, test } from 'vitest'
import { type AccountItem, attributes } from '../../../accounts/account/attributes.ts'
import type { Stack } from '../../../operations/command-line/stack.ts'
import { describeHash, shownHash } from '../../../operations/users/hash-record.ts'
import { listCommand } from '../../../operations/users/list.ts'
import { leftOut, showCommand, shownAs } from '../../../operations/users/show.ts'
import hashes from '../../support/hashes.json' with { type: 'json' }
import { fullAccount } from '../../support/system/operator.ts'

/** `show --json`, as the answer to a request for one's data. */

const outputs = { SecondFactor: 'optional', SessionDays: '30', SessionIdleDays: '7' } as Stack['outputs']
const shown = (account: AccountItem): string =>
  JSON.stringify(shownAs(account, { outputs }, new Date(account.created_at)))

/** Another value of the same kind. */
function changed(value: unknown): unknown {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (value instanceof Uint8Array) return value.map(byte => byte + 1)
  const text = String(value)
  return /^\d{4}-/.test(text) ? new Date(Date.parse(text) + 1000).toISOString() : `${text}x`
}

/** A value's leaves: the path of each, and the value with another leaf there. */
function* leaves(value: unknown): Generator<[path: string[], other: unknown]> {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) {
    yield [[], changed(value)]
    return
  }
  for (const [name, member] of Object.entries(value instanceof Set ? [...value] : value))
    for (const [path, other] of leaves(member)) {
      const all = { ...(value instanceof Set ? [...value] : value), [name]: other }
      const whole = value instanceof Set ? new Set(Object.values(all)) : Array.isArray(value) ? Object.values(all) : all
      yield [[name, ...path], whole]
    }
}

// Keys of maps and places in lists have no name: `sessions.salt`, `roles`.
const maps = Object.entries(fullAccount('a')).flatMap(([name, value]) =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array) ? [name] : [],
)
const nameOf = ([name = '', ...path]: readonly string[]): string =>
  [name, ...path.slice(maps.includes(name) ? 1 : 0).filter(step => !/^\d+$/.test(step))].join('.')

const account = fullAccount('ada@example.com')
const each = [...leaves(account)].map(([path, other]) => ({ name: nameOf(path), other: other as AccountItem }))

describe('what is stored of an account', () => {
  test('has each attribute in the table', () => {
    expect([...new Set(each.map(({ name }) => name.split('.')[0]))].sort()).toEqual(Object.keys(attributes).sort())
    expect(leftOut.filter(name => !each.some(leaf => leaf.name === name))).toEqual([])
  })

  test.each(each)('is shown, or named as left out: $name', ({ name, other }) => {
    expect({ name, isShown: shown(other) !== shown(account) }).toEqual({ name, isShown: !leftOut.includes(name) })
  })
})

test('the help names each member that the copy has beside those of the list', () => {
  const named: string[] = `${listCommand.details} ${showCommand.details}`.match(/\w+/g) ?? []
  expect(Object.keys(JSON.parse(shown(account))).filter(name => !named.includes(name))).toEqual([])
})

test.each(hashes.map(({ short }) => short))('of a hash its form and cost are shown, and no other part: %s', hash => {
  const said = `${describeHash(hash)} ${JSON.stringify(shownHash(hash))}`
  expect(said).toMatch(/\d/)
  expect((hash.match(/[./+A-Za-z0-9]{12,}/g) ?? []).filter(part => said.includes(part))).toEqual([])
})

test('of a hash from another system its parameters are shown in words', () => {
  const read = describeHash('pbkdf2_sha256$1000000$AeyRRADFnI8Z1E5wMBx7fd$O7nE88EQuKw4YYJ30+YUbrjitxVVmr+u7XWxM0XIWwE=')
  expect(read).toBe('pbkdf2-sha256, 1,000,000 rounds, from before')
  expect(describeHash(`$bcrypt-sha256$v=2,t=2b,r=12$${'a'.repeat(22)}$${'b'.repeat(31)}`)).toBe(
    'bcrypt-sha256, cost 12',
  )
  expect(describeHash('*')).toBeNull()
})
