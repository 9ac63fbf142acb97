import { describe, expect, test } from 'vitest'
import { countRequest, countWhile } from '../../../../shared/base/limits/request-limit.ts'
import { createHarness } from '../../../support/service/harness.ts'
import { refusalOf } from '../../../support/service/refusal.ts'

const harness = createHarness()

describe('requests of a client address', () => {
  const policy = { limit: 3, seconds: 60 }
  const count = () => countRequest(harness.deps, 'login', policy, '203.0.113.7')

  test('are refused beyond the limit, until the window ends', async () => {
    harness.advance(10_000)
    const standings = [await count(), await count(), await count(), await count()]
    expect(standings.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0])
    expect(standings.map(({ isRefused }) => isRefused)).toEqual([false, false, false, true])
    expect(standings.map(({ resetSeconds }) => resetSeconds)).toEqual([50, 50, 50, 50])
    harness.advance(49_999)
    expect((await count()).isRefused).toBe(true)
    harness.advance(1)
    expect((await count()).isRefused).toBe(false)
  })

  test('are counted exactly when they come at once', async () => {
    const standings = await Promise.all(Array.from({ length: 20 }, () => count()))
    expect(standings.filter(({ isRefused }) => !isRefused)).toHaveLength(3)
  })

  test('leave an item that expires with its window', async () => {
    await count()
    const [item] = await harness.items('RateLimits')
    expect(item?.expires).toBe(harness.deps.now().getTime() / 1000 + 60)
  })

  test('are given back after a failure; where that fails too, it is logged', async () => {
    const fail = async (broken: typeof harness.broken) => {
      await expect(
        countWhile(harness.deps, 'login', policy, '203.0.113.7', async () => {
          harness.broken = broken
          throw new Error('lost')
        }),
      ).rejects.toThrow('lost')
      harness.broken = null
      return harness.failures.map(({ error }) => error)
    }
    expect(await fail(null)).toEqual([])
    expect((await count()).remaining).toBe(2)
    expect(await fail('RateLimits')).toEqual([expect.stringMatching(/Error$/)])
    expect((await count()).remaining).toBe(0)
  })

  test('are refused while the counters do not answer', async () => {
    harness.broken = 'RateLimits'
    expect((await refusalOf(count())).code).toBe('unavailable')
  })
})
