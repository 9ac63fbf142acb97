import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { format } from 'node:util'
import { printable } from '../../shared/base/hidden-characters.ts'

/**
 * All output of commands to stdout and stderr. Parts of it come from others: an address bar, a provider, a person who
 * registered. So text is passed in lines, whose content can neither end a line nor steer the terminal.
 */

/** A line, or several. */
export type Shown = string | readonly string[]

const textOf = (shown: Shown): string => (typeof shown === 'string' ? [shown] : shown).map(printable).join('\n')

/** Prints a result. */
export function print(shown: Shown): void {
  process.stdout.write(`${textOf(shown)}\n`)
}

/** Prints part of a long result, and waits until it is written. */
export async function printPart(lines: readonly string[]): Promise<void> {
  if (lines.length > 0 && !process.stdout.write(`${textOf(lines)}\n`)) await once(process.stdout, 'drain')
}

/** Prints everything but results, to stderr. */
export function note(shown: Shown): void {
  process.stderr.write(`${textOf(shown)}\n`)
}

/** Shows a line on stderr, until `eraseLine`. */
export function showLine(line: string): void {
  process.stderr.write(textOf(line))
}

/** Returns to the beginning of the line and erases it (ECMA-48 §8.3.41, EL). */
export function eraseLine(): void {
  process.stderr.write('\r\x1b[K')
}

/** Catches libraries' output: the SDK warns of a queue's address, and quotes it. */
export function takeConsole(): void {
  const take = (...values: unknown[]) => note(format(...values))
  Object.assign(console, { debug: take, error: take, info: take, log: take, warn: take })
}

/** Asks on stderr. @returns the typed line, or `''` where stdin ends */
export async function ask(question: Shown): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const line = new Promise<string>(resolve => terminal.once('line', resolve).once('close', () => resolve('')))
  process.stderr.write(textOf(question))
  const answer = await line
  terminal.close()
  return answer.trim()
}

/** The lines of a template: only its own line ends count, not those in gaps. Lines of a gap continue the line before. */
export function toLines(own: TemplateStringsArray, ...gaps: readonly (Shown | number)[]): string[] {
  const lines = ['']
  const add = ([first = '', ...others]: readonly string[]) => lines.push(`${lines.pop()}${first}`, ...others)
  for (const [i, text] of own.entries()) {
    add(text.split('\n'))
    const gap = gaps[i] ?? ''
    add(typeof gap === 'object' ? gap : [String(gap)])
  }
  return lines
}
