import type { Context } from 'aws-lambda'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { lambda } from '../../api/lambda.ts'
import { timed } from '../../shared/base/timing.ts'

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
  await expect(handler({}, context)).rejects.toThrow('a variable is missing')
  isThere = true
  expect(await handler({}, context)).toBe('done')
})

describe('what an event waits for', () => {
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  /** The log lines of a function. */
  async function loggedBy(work: () => Promise<unknown>) {
    const logged = vi.spyOn(console, 'info').mockImplementation(() => {})
    await lambda(
      () => work,
      () => ({}),
    )({}, context).catch(() => {})
    return logged.mock.calls.splice(0).flat()
  }
  const passing = (milliseconds: number) => async () => void vi.advanceTimersByTime(milliseconds)

  test.each([
    [1000, []],
    [1001, [{ event: 'slow', milliseconds: 1001 }]],
  ])('is logged when it takes over a second: %d ms', async (milliseconds, logged) => {
    vi.useFakeTimers({ toFake: ['hrtime'] })
    expect(await loggedBy(passing(milliseconds))).toEqual(logged)
  })

  test('is added up by service, from each event anew, and of calls that fail too', async () => {
    vi.useFakeTimers({ toFake: ['hrtime'] })
    const failing = async () => {
      await timed('DynamoDB', passing(700))
      await timed('DynamoDB', passing(200))
      await timed('KMS', async () => {
        vi.advanceTimersByTime(300)
        throw new Error('no answer')
      })
    }
    expect(await loggedBy(failing)).toEqual([{ event: 'slow', milliseconds: 1200, DynamoDB: 900, KMS: 300 }])
    expect(await loggedBy(() => timed('hash', passing(1500)))).toEqual([
      { event: 'slow', milliseconds: 1500, hash: 1500 },
    ])
  })
})
