import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { metricLine } from '../../../shared/base/log.ts'

const now = new Date('2026-03-01T12:00:00Z')
const event = { event: 'login-limited', account_id: '01890000-0000-7000-8000-000000000000', reason: 'pair' } as const

describe("an event's metric", () => {
  const line = metricLine(event, 'staging', now)

  test('is one line of JSON in the embedded metric format, counting one', () => {
    expect(line).not.toContain('\n')
    expect(JSON.parse(line)).toEqual({
      _aws: {
        Timestamp: now.getTime(),
        CloudWatchMetrics: [
          { Namespace: 'Gatehouse', Dimensions: [['Stage']], Metrics: [{ Name: 'login-limited', Unit: 'Count' }] },
        ],
      },
      Stage: 'staging',
      'login-limited': 1,
      reason: 'pair',
    })
  })

  test('knows the stage but never the account', () => {
    expect(line).not.toContain(event.account_id)
  })
})

test('an event is logged once for readers, and once for its alarm', async () => {
  const live = join(import.meta.dirname, '../../../api/live.ts')
  // As Lambda does with the JSON log format: it wraps the console, not standard output.
  const script = `
    const wrap = level => message => process.stdout.write(JSON.stringify({ level, message }) + '\\n')
    Object.assign(console, { log: wrap('INFO'), info: wrap('INFO'), error: wrap('ERROR') })
    const { system } = await import(${JSON.stringify(live)})
    system.log({ event: 'logged-in', account_id: 'x' })
    system.log({ event: 'registered', account_id: 'x' })`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env: { STAGE: 'test' },
  })
  const logged = (event: string) => ({ level: 'INFO', message: { event, account_id: 'x' } })
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line)),
  ).toEqual([logged('logged-in'), logged('registered'), { _aws: expect.anything(), Stage: 'test', registered: 1 }])
})
