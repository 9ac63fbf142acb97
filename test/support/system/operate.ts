import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

export interface Outcome {
  status: number
  stdout: string
  stderr: string
}

interface Circumstances {
  input?: string | Promise<string>
  env?: Record<string, string>
  /** Sends the process what Ctrl-C sends. */
  interrupted?: Promise<unknown>
}

const root = join(import.meta.dirname, '../../..')

/** So that a process need not compile the SDK anew. */
const { NODE_COMPILE_CACHE = '' } = process.env

/** Runs one of the commands in `operations/` in a process of its own, without this one's environment. */
export async function operate(
  program: string,
  args: readonly string[],
  { input = '', env = {}, interrupted }: Circumstances = {},
): Promise<Outcome> {
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
