import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Order } from './command-process.ts'

export interface Outcome {
  status: number
  stdout: string
  stderr: string
}

interface Circumstances {
  input?: string | Promise<string>
  env?: Record<string, string>
  /** Whether it runs in a process of its own, as for operators. */
  isAlone?: boolean
  /** Sends its own process the signal of Ctrl-C. */
  interrupted?: Promise<unknown>
}

const root = join(import.meta.dirname, '../../..')

/** So that a process need not compile the SDK again. */
const { NODE_COMPILE_CACHE = '' } = process.env

/** Runs one of the commands in `operations/`, without this process's environment. */
export async function operate(
  program: string,
  args: readonly string[],
  { input = '', env = {}, interrupted, isAlone = interrupted !== undefined }: Circumstances = {},
): Promise<Outcome> {
  if (!isAlone) return operateBesides({ program, args, env }, input)
  const child = spawn(process.execPath, [join(root, 'operations', `${program}.ts`), ...args], {
    cwd: root,
    env: { NODE_COMPILE_CACHE, ...env },
  })
  child.stdin.on('error', () => {})
  void Promise.resolve(input).then(answers => child.stdin.end(answers))
  void interrupted?.then(() => child.kill('SIGINT'))
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { status: Number(status), stdout, stderr }
}

const commandProcess = join(import.meta.dirname, 'command-process.ts')

/** Processes that have run commands, and wait for the next. They end with this one. */
const idle: ChildProcess[] = []

async function operateBesides(order: Order, input: string | Promise<string>): Promise<Outcome> {
  const child = idle.pop() ?? fork(commandProcess, { cwd: root, env: { NODE_COMPILE_CACHE }, execArgv: [] })
  const ended = new AbortController()
  const outcome = Promise.race([
    once(child, 'message', { signal: ended.signal }).then(([outcome]) => outcome as Outcome),
    once(child, 'exit', { signal: ended.signal }).then(([code]) => {
      throw new Error(`the process of commands has ended: ${code}`)
    }),
  ])
  child.ref()
  child.channel?.ref()
  child.send(order)
  void Promise.resolve(input).then(answers => {
    if (!ended.signal.aborted) child.send({ input: answers } satisfies Order)
  })
  try {
    const result = await outcome
    child.unref()
    child.channel?.unref()
    idle.push(child)
    return result
  } finally {
    ended.abort()
  }
}
