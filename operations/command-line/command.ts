import { parseArgs } from 'node:util'
import { canonicalEmail } from '../../accounts/address/address.ts'
import { CommandError, explain, type Status } from './failures.ts'
import { note, print, takeConsole, toLines } from './terminal.ts'

interface Option {
  type: 'boolean' | 'string'
  meaning: string
  /** The placeholder of a string in the help: `FILE`. */
  value?: string
  /** Whether a string may be given several times. */
  multiple?: true
}

/** The options of a command line: `true` for a flag, text for the others, a list of texts where repeatable. */
export type OptionValues<O extends Record<string, Option>> = {
  [N in keyof O]?: O[N]['type'] extends 'boolean' ? boolean : O[N]['multiple'] extends true ? string[] : string
}

/** For commands with a machine-readable result. */
export const jsonOption = { json: { type: 'boolean', meaning: 'print the result as JSON' } } as const

export interface Command<O extends Record<string, Option> = Record<string, Option>> {
  summary: string
  /** The operands in the help, separated by spaces: `FILE`, `<email or id> on|off`; `[<email>]` is optional. */
  operand?: string
  options: O
  /** Paragraphs of the help. */
  details?: string
  run(options: OptionValues<O>, ...operands: string[]): Promise<Status>
}

/** Infers the types of a command's options. */
export const command = <const O extends Record<string, Option>>(definition: Command<O>): Command =>
  definition as unknown as Command

/**
 * Runs the command of the command line, and sets the process's exit code.
 *
 * @param name of `npm run <name>`
 * @param commands by name; a single command has the name `''`
 */
export async function run(name: string, summary: string, commands: Record<string, Command>): Promise<void> {
  // The reader of the output is gone.
  process.stdout.on('error', () => process.exit(1))
  process.stderr.on('error', () => {})
  takeConsole()
  try {
    process.exitCode = await dispatch(name, summary, commands, process.argv.slice(2))
  } catch (error) {
    const reason = explain(error, name)
    note(reason === null ? traceOf(error) : toLines`${name}: ${reason}`)
    process.exitCode = error instanceof CommandError ? error.status : 1
    const args = process.argv.slice(2)
    const isKnown = '' in commands || Object.hasOwn(commands, args[0] ?? '')
    if (process.exitCode === 2 && isKnown && mayLackOptions(args)) {
      const words = args.join(' ')
      note(`npm keeps options for itself unless they stand after --: ${usageOf(name, words)} <options>`)
    }
  }
}

/** A bug's message and stack: Node would print the message unescaped. */
const traceOf = (error: unknown): string[] =>
  error instanceof Error
    ? [
        String(error),
        ...(error.stack ?? '').split('\n').filter(line => /^ {4}at /.test(line)),
        ...(error.cause === undefined ? [] : traceOf(error.cause)),
      ]
    : [String(error)]

/** Whether npm may have taken options for itself: it takes those before `--`, most of them silently. */
const mayLackOptions = (args: readonly string[]): boolean =>
  process.env.npm_lifecycle_event !== undefined && args.length > 0 && !args.some(word => word.startsWith('-'))

async function dispatch(
  name: string,
  summary: string,
  commands: Record<string, Command>,
  args: readonly string[],
): Promise<Status> {
  const isSingle = '' in commands
  const [first = '', ...rest] = isSingle ? ['', ...args] : args
  const found = Object.hasOwn(commands, first) ? commands[first] : undefined
  if (!found) {
    const wantsHelp = first === '--help' || first === '-h' || first === ''
    if (!wantsHelp) {
      const what = first.startsWith('-') ? 'the command comes before its options' : `there is no command '${first}'`
      throw new CommandError(`${what}; see npm run ${name} -- --help`, 2)
    }
    print(overview(name, summary, commands).split('\n'))
    return first === '' ? 2 : 0
  }
  const { values, operands } = parse(name, first, found, rest)
  if (values.help) {
    print(help(name, first, found).split('\n'))
    return 0
  }
  if (operands.length < operandsOf(found).filter(operand => !operand.startsWith('[')).length) {
    throw new CommandError(`${first || 'the command'} takes ${found.operand}; see ${usageOf(name, first)} --help`, 2)
  }
  return found.run(values, ...operands)
}

/** The names of a command's operands. */
const operandsOf = ({ operand = '' }: Pick<Command, 'operand'>): string[] => splitOperands(operand)

/** Splits operands as the help writes them: the spaces of a name in angle brackets are its own. */
export const splitOperands = (text: string): string[] => text.match(/(?:<[^>]*>|\S)+/g) ?? []

function parse(program: string, name: string, found: Command, args: readonly string[]) {
  const describe = { ...found.options, help: { type: 'boolean', short: 'h' } } as const
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: describe, allowPositionals: true })
    if (positionals.length > operandsOf(found).length) {
      throw new CommandError(
        `'${positionals.at(-1)}' is one argument too many; see ${usageOf(program, name)} --help`,
        2,
      )
    }
    return { values: values as OptionValues<Record<string, never>> & { help?: boolean }, operands: positionals }
  } catch (error) {
    if (error instanceof CommandError || !(error instanceof TypeError)) throw error
    // The first sentence names the option; the rest explains parseArgs.
    const [what = ''] = error.message.split(/\.\s/)
    throw new CommandError(`${what}; see ${usageOf(program, name)} --help`, 2)
  }
}

const usageOf = (program: string, command: string): string => `npm run ${program} -- ${command}`.trimEnd()

function overview(name: string, summary: string, commands: Record<string, Command>): string {
  const usages = Object.entries(commands).map(([command, { operand = '' }]) => `${command} ${operand}`.trim())
  const width = Math.max(...usages.map(({ length }) => length)) + 2
  const lines = Object.values(commands).map(({ summary }, i) => `  ${usages[i]?.padEnd(width)}${summary}`.trimEnd())
  return `${summary}\n\nnpm run ${name} -- <command> [options]\n\n${lines.join('\n')}\n\nEach command has a --help.`
}

function help(name: string, command: string, { summary, operand = '', options, details }: Command): string {
  const usage = `${usageOf(name, command)} ${operand} [options]`.replace(/ +/g, ' ')
  const lines = Object.entries(options).map(([option, { value = '', meaning }]) => {
    const [first = '', ...rest] = meaning.split('\n')
    const indented = rest.map(line => `\n${' '.repeat(24)}${line.trim()}`).join('')
    return `  ${`--${option} ${value}`.padEnd(22)}${first}${indented}`
  })
  return [summary, usage, ...(details ? [details] : []), lines.join('\n')].join('\n\n')
}

/** The stored form of a typed address. @throws {CommandError} */
export function emailOf(address: string): string {
  const email = canonicalEmail(address)
  if (email === null) throw new CommandError(`'${address}' is not an email address`, 2)
  return email
}
