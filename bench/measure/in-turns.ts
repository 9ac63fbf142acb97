import { execFile } from 'node:child_process'
import { createPublicKey, createVerify } from 'node:crypto'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import bcrypt from 'bcryptjs'
import { rawCall } from '../aws/raw-call.ts'

/** Work to measure. */
type Work =
  | { kind: 'function'; file: string; event: object }
  | { kind: 'compare'; password: string; hash: string }
  | { kind: 'raw-me'; token: string; publicKey: string }

interface Task {
  works: readonly Work[]
  /** Measured rounds. A fifth as many come first, to warm up. */
  rounds: number
  /** How often each work runs in a round. */
  times: number
}

/** Milliseconds of one run, by round. */
export interface Spent {
  cpu: number[]
  wall: number[]
}

/**
 * Measures works in turns, in a process of their own: what slows the machine down slows all of them.
 *
 * @param environment of that process
 */
export async function inTurns(task: Task, environment: Record<string, string>): Promise<Spent[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [import.meta.filename, JSON.stringify(task)], {
    env: environment,
    maxBuffer: 64 * 1024 * 1024,
  })
  return JSON.parse(stdout)
}

function prepare(work: Work): () => Promise<unknown> {
  switch (work.kind) {
    case 'function': {
      const { handler } = createRequire(import.meta.url)(work.file)
      const context = { getRemainingTimeInMillis: () => 10_000 }
      return () => handler(work.event, context)
    }
    case 'compare':
      return () => bcrypt.compare(work.password, work.hash)
    case 'raw-me': {
      const key = createPublicKey(work.publicKey)
      const [header, claims, signature = ''] = work.token.split('.')
      const { email } = JSON.parse(Buffer.from(claims ?? '', 'base64url').toString())
      const input = { TableName: 'Users', Key: { email: { S: email } }, ConsistentRead: true }
      return async () => {
        createVerify('sha256').update(`${header}.${claims}`).verify(key, signature, 'base64url')
        return rawCall('dynamodb', 'GetItem', input)
      }
    }
  }
}

if (import.meta.main) {
  console.info = () => {}
  // Metrics are written without the console.
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = () => true
  const { works, rounds, times } = JSON.parse(process.argv[2] ?? '') as Task
  const all = works.map(work => ({ run: prepare(work), spent: { cpu: [], wall: [] } as Spent }))
  for (let round = -Math.ceil(rounds / 5); round < rounds; round++) {
    // In alternating order: what a work leaves behind (caches, garbage) affects each of the others.
    for (const { run, spent } of round % 2 ? all.toReversed() : all) {
      const [cpu, wall] = [process.cpuUsage(), performance.now()]
      for (let i = 0; i < times; i++) await run()
      const { user, system } = process.cpuUsage(cpu)
      if (round < 0) continue
      spent.wall.push((performance.now() - wall) / times)
      spent.cpu.push((user + system) / 1000 / times)
    }
  }
  write(JSON.stringify(all.map(({ spent }) => spent)), () => process.exit())
}
