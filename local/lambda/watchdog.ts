import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Reads `+ <pid>` and `- <pid>` until its input ends, then kills the remaining processes. */
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
 * Kills the functions' processes when this process ends, even by `kill -9`: the pipe to a small shell closes. A
 * function's process would notice only after its current hash.
 */
export function startWatchdog() {
  const shell = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], env: {} })
  shell.stdin.on('error', () => {})
  shell.unref()
  return {
    watch(child: ChildProcess): void {
      const { pid } = child
      if (pid === undefined) return
      shell.stdin.write(`+ ${pid}\n`)
      child.once('exit', () => shell.stdin.write(`- ${pid}\n`))
    },
    async close(): Promise<void> {
      const exit = shell.exitCode === null && shell.signalCode === null ? once(shell, 'exit') : null
      shell.stdin.end()
      await exit
    },
  }
}
