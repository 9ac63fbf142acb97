import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { attackOnHashes } from '../../bench/costs/attack.ts'
import { type Journeys, recordJourneys } from '../../bench/costs/journeys.ts'
import { prices } from '../../bench/costs/prices.ts'
import { guideTables } from '../../bench/costs/tables.ts'
import { smallRegions } from '../../infra/constructs/throttles.ts'
import { runSystem } from '../support/system/running.ts'

/** What the documents say of costs, held against the calls that people's journeys cause on the running system. */

const read = (file: string): string => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
const prose = (file: string): string => read(file).replaceAll(/\s+\*?\s*/g, ' ')

const running = runSystem()
let journeys: Journeys
beforeAll(async () => {
  journeys = await recordJourneys(running.system)
})

test('docs/deploy.md has the tables as they are computed', () => {
  const lines = read('docs/deploy.md').split('\n')
  for (const table of Object.values(guideTables(journeys))) {
    const due = table.split('\n')
    const from = lines.indexOf(due[0] ?? '')
    const until = lines.findIndex((line, i) => i >= from && !line.startsWith('|'))
    expect(from < 0 ? [] : lines.slice(from, until)).toEqual(due)
  }
})

test.each(['README.md', 'docs/deploy.md'])('%s says in one round figure what an attack on the hashes costs', file => {
  const stated = [...prose(file).matchAll(/about (\S+) dollars a day/g)].map(([, dollars]) => Number(dollars))
  expect(stated).not.toEqual([])
  for (const dollars of stated) expect(dollars).toBe(attackOnHashes(journeys))
})

test('docs/deploy.md lists the prices that the tables are computed from', () => {
  const [, list = ''] = prose('docs/deploy.md').split('Check them at aws.amazon.com/pricing')
  const [text = ''] = list.split('A hash at cost 12')
  const stated = new Set([...text.matchAll(/\d+\.\d+/g)].map(([number]) => Number(number)))
  const due = [
    ...[prices.gigabyteSecond, prices.invocation, prices.gateway, prices.write, prices.read, prices.sqs].map(
      dollars => dollars * 1e6,
    ),
    ...[prices.trace, prices.cdnRequest, prices.kilobyte, prices.cdnKilobyte].map(dollars => dollars * 1e6),
    ...[prices.kms * 1e4, prices.mail * 1e3, prices.key, prices.metric, prices.alarmMetric, prices.dashboard],
  ].map(dollars => Number(dollars.toFixed(4)))
  for (const dollars of due) expect([...stated]).toContain(dollars)
})

test('docs/deploy.md names each region whose quota of API Gateway is small', () => {
  for (const [region, name] of Object.entries(smallRegions)) {
    expect(prose('docs/deploy.md')).toContain(`${name} (\`${region}\`)`)
  }
})
