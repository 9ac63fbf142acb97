import { parseArgs } from 'node:util'
import { StartError } from './start-error.ts'

/** What follows `npm start --`. */
export interface StartOptions {
  /** Whether a change of the sources gives the functions new code. */
  watch: boolean
  /** Whether the terminal shows what functions print. */
  logs: boolean
  /** Whether it shows errors alone. */
  quiet: boolean
  /** The function that a debugger may attach to. */
  inspect: string | undefined
}

/**
 * Reads the command line.
 *
 * @param isTerminal whether somebody watches the output: only then the sources are watched and logs shown, unless an option
 *   says otherwise
 * @throws {StartError}
 */
export function readOptions(args: readonly string[], isTerminal: boolean): StartOptions {
  try {
    const { values } = parseArgs({
      args: [...args],
      allowNegative: true,
      options: {
        watch: { type: 'boolean', default: isTerminal },
        logs: { type: 'boolean', default: isTerminal },
        quiet: { type: 'boolean', default: false },
        inspect: { type: 'string' },
      },
    })
    return { ...values, inspect: values.inspect }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // The first sentence names the option; the others explain parseArgs.
    const [what] = error.message.split('. ')
    throw new StartError(
      `${what}; the options of npm start are --[no-]watch, --[no-]logs, --quiet and --inspect <function>`,
    )
  }
}
