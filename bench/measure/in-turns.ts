import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { cpuOf } from './figures.ts'

/** A call to measure: of a module's export, by default `handler`, with an event. */
interface Work {
  file: string
  name?: string
  event: unknown
}

interface Task {
  works: readonly Work[]
  /** Measured rounds. A fifth as many come first, to warm up. */
  rounds: number
  /** How often each work runs in a round. */
  times?: number
}

/**
 * Measures works in turns, in a process of their own: what slows the machine down slows all of them.
 *
 * @param environment of that process
 * @returns for each work milliseconds of CPU of one run, by round
 */
export async function inTurns(task: Task, environment: Record<string, string>): Promise<number[][]> {
  const { stdout } = await promisify(execFile)(process.execPath, [import.meta.filename, JSON.stringify(task)], {
    env: environment,
    maxBuffer: 64 * 1024 * 1024,
  })
  return JSON.parse(stdout)
}

const context = { getRemainingTimeInMillis: () => 10_000 }

if (import.meta.main) {
  console.info = () => {}
  // Metrics are written without the console.
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = () => true
  const { works, rounds, times = 1 } = JSON.parse(process.argv[2] ?? '') as Task
  const all = works.map(({ file, name = 'handler', event }) => {
    const call = createRequire(import.meta.url)(file)[name]
    return { run: () => call(event, context), spent: [] as number[] }
  })
  for (let round = -Math.ceil(rounds / 5); round < rounds; round++) {
    // In alternating order: what a work leaves behind (caches, garbage) affects each of the others.
    for (const { run, spent } of round % 2 ? all.toReversed() : all) {
      const cpu = await cpuOf(async () => {
        for (let i = 0; i < times; i++) await run()
      })
      if (round >= 0) spent.push(cpu / times)
    }
  }
  write(JSON.stringify(all.map(({ spent }) => spent)), () => process.exit())
}
