import { expect, test } from 'vitest'
import { explain } from '../../operations/command-line/failures.ts'

const named = (name: string): Error => Object.assign(new Error('User is not authorized'), { name })

const policies = { users: 'OperatorUsersPolicy', mail: 'OperatorMailPolicy', keys: 'OperatorKeysPolicy' }
test('a refused message names the policy for mail, for every command', () => {
  const error = Object.assign(new Error('not authorized to perform: sqs:SendMessage on x'), { name: 'AccessDenied' })
  expect(explain(error, 'users')).toContain('OperatorMailPolicy')
})

const denials = ['AccessDeniedException', 'AccessDenied'].flatMap(name =>
  Object.entries(policies).map(([program, policy]) => [program, name, policy] as const),
)
test.each(denials)('%s, denied by AWS with %s, names the policy that it needs', (program, name, policy) => {
  expect(explain(named(name), program)).toContain(policy)
})
