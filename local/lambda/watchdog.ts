import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Reads `+ <pid>` and `- <pid>` until its input ends, then kills the processes that are left. */
const script = `
left=' '
while read -r sign pid; do
  case $sign in
    +) left="$left$pid " ;;
    -) left="\${left%% $pid *} \${left#* $pid }" ;;
  esac
done
[ "$left" = ' ' ] || kill -9 $left
`

/**
 * Kills the functions' processes when this process ends, even by `kill -9`: then the pipe to a small shell closes. A
 * function's process would notice by itself only after the hash that it computes.
 */
export class Watchdog {
  readonly #shell: ChildProcess

  constructor() {
    this.#shell = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], env: {} })
    this.#shell.stdin?.on('error', () => {})
    this.#shell.unref()
  }

  watch(child: ChildProcess): void {
    const { pid } = child
    if (pid === undefined) return
    this.#shell.stdin?.write(`+ ${pid}\n`)
    child.once('exit', () => this.#shell.stdin?.write(`- ${pid}\n`))
  }

  async close(): Promise<void> {
    const { exitCode, signalCode } = this.#shell
    const exit = exitCode === null && signalCode === null ? once(this.#shell, 'exit') : null
    this.#shell.stdin?.end()
    await exit
  }
}
