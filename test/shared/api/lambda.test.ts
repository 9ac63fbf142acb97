import type { Context } from 'aws-lambda'
import { expect, test } from 'vitest'
import { lambda } from '../../../shared/api/lambda.ts'

const context = {} as Context

test('a function is bound when the first event comes, and stays bound', async () => {
  let made = 0
  const handler = lambda(
    ({ greeting }: { greeting: string }) =>
      async (name: string) =>
        `${greeting}, ${name}`,
    () => {
      made += 1
      return { greeting: 'Hello' }
    },
  )
  expect(made).toBe(0)
  expect(await handler('Ada', context)).toBe('Hello, Ada')
  expect(await handler('Bob', context)).toBe('Hello, Bob')
  expect(made).toBe(1)
})

test('a function that could not be bound is bound by the next event', async () => {
  let isThere = false
  const handler = lambda(
    () => async () => 'done',
    () => {
      if (!isThere) throw new Error('a variable is missing')
      return {}
    },
  )
  expect(() => handler({}, context)).toThrow('a variable is missing')
  isThere = true
  expect(await handler({}, context)).toBe('done')
})
