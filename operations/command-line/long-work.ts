import { CommandError } from './failures.ts'
import { eraseLine, note, showLine } from './terminal.ts'

/** Milliseconds between two reports. A log keeps all of them, so it gets few. */
const intervals = { terminal: 500, log: 10_000 }

/** Prints the progress of long work to stderr; stdout has results alone. @param lineOf the progress in one line */
export function showProgress(lineOf: () => string) {
  const isTerminal = process.stderr.isTTY
  let isShown = false
  /** Makes room for a line of results, which may go to the same terminal. */
  const hide = () => {
    if (isShown) eraseLine()
    isShown = false
  }
  const show = () => {
    hide()
    if (isTerminal) showLine(lineOf())
    else note(lineOf())
    isShown = isTerminal
  }
  const timer = setInterval(show, isTerminal ? intervals.terminal : intervals.log)
  return {
    hide,
    /** Prints a permanent line. */
    note(line: string): void {
      hide()
      note(line)
    },
    end(): void {
      clearInterval(timer)
      hide()
    },
  }
}

const signals = ['SIGINT', 'SIGTERM'] as const

/**
 * Takes the first Ctrl-C as a request to stop between two steps: the signal aborts, with an error for the operator. A
 * second one ends the process at once. Its disposal returns Ctrl-C to Node.
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
