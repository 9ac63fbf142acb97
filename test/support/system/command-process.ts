import { Console } from 'node:console'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import type { Outcome } from './operate.ts'

/**
 * Runs commands of `operations/` one after the other, each with a command line, environment and streams of its own.
 * Modules are loaded once, which takes most of a command's time.
 */

/** Input of the process: a command to run, or its stdin. The process answers with the outcome. */
export type Order = { program: string; args: readonly string[]; env: Record<string, string> } | { input: string }

const operations = join(import.meta.dirname, '../../../operations')
let count = 0
let stdin = new PassThrough()

const define = (stream: 'stdin' | 'stdout' | 'stderr', value: PassThrough | Writable) =>
  Object.defineProperty(process, stream, { configurable: true, value })

function collector() {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk, _, done) {
      chunks.push(Buffer.from(chunk))
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString() }
}

async function run({ program, args, env }: Exclude<Order, { input: string }>): Promise<Outcome> {
  const file = join(operations, `${program}.ts`)
  const stdout = collector()
  const stderr = collector()
  stdin = new PassThrough()
  define('stdin', stdin)
  define('stdout', stdout.stream)
  define('stderr', stderr.stream)
  globalThis.console = new Console(stdout.stream, stderr.stream)
  process.argv = [process.execPath, file, ...args]
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.exitCode = undefined
  try {
    // With another URL, so that it runs again.
    await import(`${pathToFileURL(file)}?${count++}`)
  } catch (error) {
    process.exitCode = 1
    console.error(inspect(error))
  }
  const status = Number(process.exitCode ?? 0)
  process.exitCode = undefined
  return { status, stdout: stdout.text(), stderr: stderr.text() }
}

process.on('message', async (order: Order) => {
  if ('input' in order) stdin.end(order.input)
  else process.send?.(await run(order))
})

process.on('disconnect', () => process.exit())
