import { CommandError } from './command-error.ts'

const signals = ['SIGINT', 'SIGTERM'] as const

/**
 * Takes the first Ctrl-C as a request to stop between two steps: the signal aborts, with an error for the operator. A
 * second one ends the process at once. Disposed of, it leaves Ctrl-C to Node again.
 */
export function takeInterruption(): { signal: AbortSignal } & Disposable {
  const controller = new AbortController()
  const abort = () => {
    leave()
    controller.abort(new CommandError('interrupted', 130))
  }
  const leave = () => {
    for (const name of signals) process.off(name, abort)
  }
  for (const name of signals) process.on(name, abort)
  return { signal: controller.signal, [Symbol.dispose]: leave }
}
