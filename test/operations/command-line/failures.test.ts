import { expect, test } from 'vitest'
import { explain } from '../../../operations/command-line/failures.ts'

const named = (name: string): Error => Object.assign(new Error('User is not authorized'), { name })

test.each([
  ['users', 'AccessDeniedException', 'OperatorUsersPolicy'],
  ['mail', 'AccessDeniedException', 'OperatorMailPolicy'],
  ['mail', 'AccessDenied', 'OperatorMailPolicy'],
  ['keys', 'AccessDeniedException', 'OperatorKeysPolicy'],
])('%s, denied by AWS with %s, names the policy that it needs', (program, name, policy) => {
  expect(explain(named(name), program)).toContain(policy)
})
