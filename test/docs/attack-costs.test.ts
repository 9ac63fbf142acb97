import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isHashing, memory, type Row, rows as table } from '../../shared/api/needs.ts'
import { functionNames, routeKeysOf } from '../../shared/api/route-keys.ts'
import type { FunctionName } from '../../shared/api/routes.ts'
import { everything } from '../support/stack/settings.ts'
import { synthesize } from '../support/stack/template.ts'

/** What the documents and comments say that an attack costs a day, computed from the throttles and AWS's prices. */

const read = (file: string): string => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
const prose = (file: string): string => read(file).replaceAll(/\s+\*?\s*/g, ' ')

const stack = synthesize(everything)
const { DefaultRouteSettings, RouteSettings } = stack.only('AWS::ApiGatewayV2::Stage').Properties as {
  DefaultRouteSettings: { ThrottlingRateLimit: number }
  RouteSettings: Record<string, { ThrottlingRateLimit: number }>
}
const rateOf = (key: string): number => (RouteSettings[key] ?? DefaultRouteSettings).ThrottlingRateLimit

/** Dollars per million, as `docs/deploy.md` lists them. */
const price = { request: 1, invocation: 0.2, gigabyteSecond: 13.33, write: 0.625, signature: 3, message: 0.4 }
/** Of a request's logs and its part of the traces: the table's for a login, and for what does not log an event. */
const logs = { login: 1.75, other: 1.5 }

const lambda = (name: FunctionName, seconds: number): number =>
  price.invocation + seconds * (Number(stack.functionProperties(name).MemorySize) / 1024) * price.gigabyteSecond

/** `routes.ts`: a function that hashes twice has 20 seconds. */
const hashesOf = ({ timeout }: Row): number => (timeout === 20 ? 2 : 1)

const rows = functionNames.map(name => [name, table[name]] as const)
const hashing = rows.filter(([, row]) => isHashing(row))
const perDay = (rate: number): number => (rate * 24 * 60 * 60) / 1e6

/** A day of requests at a route's throttle, each of which counts three times, hashes and signs. */
const attackOnHashes = hashing.flatMap(([name, row]) =>
  routeKeysOf(name).map(key => ({
    rate: rateOf(key),
    each: price.request + lambda(name, 0.55 * hashesOf(row)) + 3 * price.write + price.signature + logs.login,
  })),
)
const rate = attackOnHashes.reduce((sum, { rate }) => sum + rate, 0)
const average = attackOnHashes.reduce((sum, { rate, each }) => sum + rate * each, 0) / rate

const counted = rows.filter(([, row]) => row.limit && !isHashing(row))
/** 10 ms, one count and one message to the queue. */
const other = price.request + lambda('forgot-password', 0.01) + price.write + price.message + logs.other

/** 130 ms of a full vCPU, of which a function without a hash has 0.29. */
const validation = price.request + lambda('catalogue', (0.13 * memory.fullCpu) / memory.usual) + logs.other

const due: [what: string, rate: number, each: number][] = [
  ['All routes that hash, together', rate, average],
  ['Each other route', DefaultRouteSettings.ThrottlingRateLimit, other],
  ["Each of the catalogue's two", rateOf('ANY /catalogue'), validation],
]

test('docs/deploy.md says what an attack at the throttles costs', () => {
  const [, section = ''] = read('docs/deploy.md').split('\n### What an attack costs\n')
  const told = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| ([A-Z].+?) \| ([\d. |]+) \|$/gm)]
  expect(told.map(([, what, cells = '']) => [what, ...cells.split(' | ')])).toEqual(
    due.map(([what, rate, each]) => [
      what,
      String(rate),
      perDay(rate).toFixed(2),
      each.toFixed(2),
      (perDay(rate) * each).toFixed(2),
    ]),
  )
})

/** To one digit: the prices are no more certain than that. */
const about = (dollars: number): number => Number(dollars.toPrecision(1))

test.each(['README.md', 'docs/deploy.md', 'infra/constructs/throttles.ts'])(
  '%s says the same of the routes that hash in one round figure',
  file => {
    const stated = [...prose(file).matchAll(/about (\S+) dollars a day/g)].map(([, dollars]) => Number(dollars))
    expect(stated).not.toEqual([])
    for (const dollars of stated) expect(dollars).toBe(about(perDay(rate) * average))
  },
)

test('no other route that counts costs more than is said of each', () => {
  for (const [name] of counted) for (const key of routeKeysOf(name)) expect(rateOf(key)).toBe(due[1]?.[1])
})
