import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Running } from '../local/system.ts'
import type { Assembly } from '../local/template/assembly.ts'
import { request, startLocal } from './local.ts'
import { type Figure, printFigures, quantile, rounded } from './measure/figures.ts'

/** The local system under load, against the same system with the floor (`floor.ts`) for three functions. */

/** Requests at once: enough to keep every core busy, few enough that p99 does not measure a queue. */
const concurrency = 4
const counts = { registrations: 200, logins: 200, 'GET /auth/me': 3000 }
type Kind = keyof typeof counts

const password = 'correct horse'

/** Replaces the code of three functions by the floor. */
async function useFloor({ template, directory }: Assembly): Promise<void> {
  const built = await build({
    entryPoints: [join(import.meta.dirname, 'floor.ts')],
    bundle: true,
    minify: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
  })
  const handlers = { RegisterFunction: 'register', LoginFunction: 'login', GetMeFunction: 'me' }
  for (const [id, { Properties }] of Object.entries(template.Resources)) {
    const name = Object.entries(handlers).find(([prefix]) => id.startsWith(prefix))?.[1]
    if (!name || !Properties) continue
    const { S3Key } = Properties.Code as { S3Key: string }
    const code = join(directory, `asset.${S3Key.replace(/\.zip$/, '')}`)
    writeFileSync(join(code, 'index.cjs'), built.outputFiles[0]?.text ?? '')
    Properties.Handler = `index.${name}`
  }
}

/** Milliseconds of each request, and of all of them. */
interface Measured {
  times: number[]
  wall: number
}

/** Sends `count` requests, some at once, and measures them. */
async function load(count: number, send: (i: number) => Promise<{ status: number }>): Promise<Measured> {
  const times: number[] = []
  let next = 0
  const began = performance.now()
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < count) {
        const start = performance.now()
        const { status } = await send(next++)
        if (status >= 300) throw new Error(`answers ${status}`)
        times.push(performance.now() - start)
      }
    }),
  )
  return { times, wall: performance.now() - began }
}

/** What sends the i-th request of each kind. */
async function requestsTo(system: Running): Promise<Record<Kind, (i: number) => Promise<{ status: number }>>> {
  const person = (i: number) => ({ email: `p${i}@example.com`, password })
  await request(system, '/auth/register', person(-1))
  const { body } = await request(system, '/auth/login', person(-1))
  return {
    registrations: i => request(system, '/auth/register', person(i)),
    logins: i => request(system, '/auth/login', person(i)),
    'GET /auth/me': () => request(system, '/auth/me', undefined, body.access_token),
  }
}

/** The resident memory of a process, in megabytes. */
const memoryOf = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024

/** Megabytes of the largest environment of `get-me`, and of this process, which runs the system and its load. */
function memory({ environments }: Running): { environment: number; system: number } {
  const pids = environments.filter(({ caller }) => caller === 'get-me').map(({ pid }) => pid)
  return { environment: Math.max(...pids.map(memoryOf)), system: memoryOf(process.pid) }
}

const kinds = Object.keys(counts) as Kind[]
/** System and floor take turns in so many parts, so that other work on the machine slows both down alike. */
const parts = 10

await using floor = await startLocal({}, useFloor)
await using system = await startLocal()
const senders = [await requestsTo(floor), await requestsTo(system)]
const none = (): Measured => ({ times: [], wall: 0 })
const measured = Object.fromEntries(kinds.map(kind => [kind, [none(), none()]])) as Record<Kind, Measured[]>

for (const kind of kinds) {
  const size = counts[kind] / parts
  for (let part = 0; part < parts; part++) {
    for (const [which, send] of senders.entries()) {
      const { times, wall } = await load(size, i => send[kind](part * size + i))
      const sum = measured[kind][which] ?? none()
      sum.times.push(...times)
      sum.wall += wall
    }
  }
}

const figures = kinds.flatMap((kind): Figure[] => {
  const [least = none(), ours = none()] = measured[kind]
  const perSecond = ({ times, wall }: Measured) => (times.length / wall) * 1000
  const quantiles = (share: number): Figure => ({
    what: `${kind}: p${share * 100} (floor ${rounded(quantile(least.times, share))} ms)`,
    figure: quantile(ours.times, share),
    unit: 'ms',
  })
  return [
    { what: `${kind} (floor ${rounded(perSecond(least))} a second)`, figure: perSecond(ours), unit: 'a second' },
    { what: `${kind}: of the floor's`, figure: perSecond(ours) / perSecond(least), unit: '×' },
    quantiles(0.5),
    quantiles(0.99),
  ]
})
printFigures(`Load: ${concurrency} requests at once on this machine, bcrypt's cost 10`, figures)

const [, { 'GET /auth/me': getMe } = {}] = senders
if (!getMe) throw new Error('there are no requests')
await load(1000, getMe)
const early = memory(system)
await load(9000, getMe)
const late = memory(system)
printFigures('Memory', [
  { what: 'a function, after 1,000 more requests', figure: early.environment, unit: 'MB' },
  { what: 'a function, after 10,000 over that', figure: late.environment / early.environment, unit: '×', target: 1.1 },
  {
    what: 'the system and its load, after 10,000 over 1,000',
    figure: late.system / early.system,
    unit: '×',
    target: 1.1,
  },
])
