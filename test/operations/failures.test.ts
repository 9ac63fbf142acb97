import { expect, test } from 'vitest'
import { explain } from '../../operations/command-line/failures.ts'

test('a refused message names the policy for mail, for every command', () => {
  const error = Object.assign(new Error('not authorized to perform: sqs:SendMessage on x'), { name: 'AccessDenied' })
  expect(explain(error, 'users')).toContain('OperatorMailPolicy')
})
