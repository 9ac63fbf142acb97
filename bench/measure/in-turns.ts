import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { codeOf, stepOf } from '../../accounts/factor/totp.ts'
import { cpuOf } from './figures.ts'

/** A call to measure: of a module's export, by default `handler`, with an event. */
export interface Work {
  file: string
  name?: string
  event: unknown
  /** The status of every answer. */
  status?: number
  /** The secret of an authenticator in base64, whose code goes into the event's body each round. */
  secret?: string
}

interface Task {
  works: readonly Work[]
  /** Measured rounds, after a fifth as many to warm up. */
  rounds: number
  /** How often each work runs in a round. */
  times?: number
}

/**
 * Measures works in turns, in a process of their own, so that a slow machine slows all of them.
 *
 * @param environment of the process
 * @returns milliseconds of CPU of one run, by work and round
 */
export async function inTurns(task: Task, environment: Record<string, string>): Promise<number[][]> {
  const { stdout } = await promisify(execFile)(process.execPath, [import.meta.filename, JSON.stringify(task)], {
    env: environment,
    maxBuffer: 64 * 1024 * 1024,
  })
  return JSON.parse(stdout)
}

type Sent = { body: string }

const withCode = (event: Sent, secret: string): Sent => {
  const code = codeOf(Buffer.from(secret, 'base64'), stepOf(new Date()))
  return { ...event, body: JSON.stringify({ ...JSON.parse(event.body), code }) }
}

const context = { getRemainingTimeInMillis: () => 10_000 }

if (import.meta.main) {
  console.info = () => {}
  // Metrics bypass the console.
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = () => true
  const { works, rounds, times = 1 } = JSON.parse(process.argv[2] ?? '') as Task
  const all = works.map(({ file, name = 'handler', event, status, secret }) => {
    const call = createRequire(import.meta.url)(file)[name]
    const run = async (sent: unknown) => {
      const answer = await call(sent, context)
      if (status !== undefined && answer.statusCode !== status) throw new Error(`${file} answers ${answer.body}`)
    }
    return {
      eventNow: () => (secret === undefined ? event : withCode(event as Sent, secret)),
      run,
      spent: [] as number[],
    }
  })
  for (let round = -Math.ceil(rounds / 5); round < rounds; round++) {
    // In alternating order: each work's leftovers (caches, garbage) affect the next.
    for (const { eventNow, run, spent } of round % 2 ? all.toReversed() : all) {
      const event = eventNow()
      const cpu = await cpuOf(async () => {
        for (let i = 0; i < times; i++) await run(event)
      })
      if (round >= 0) spent.push(cpu / times)
    }
  }
  write(JSON.stringify(all.map(({ spent }) => spent)), () => process.exit())
}
