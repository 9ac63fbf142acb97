import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { format } from 'node:util'
import { printable } from '../../shared/base/hidden-characters.ts'

/**
 * All that commands write to stdout and stderr. Others wrote part of it: an address bar, a provider, whoever registered. So text is
 * given in lines, and what is within one neither ends it nor steers the terminal.
 */

/** A line, or several. */
export type Shown = string | readonly string[]

const textOf = (shown: Shown): string => (typeof shown === 'string' ? [shown] : shown).map(printable).join('\n')

/** Prints a result. */
export function print(shown: Shown): void {
  process.stdout.write(`${textOf(shown)}\n`)
}

/** Prints part of a long result, and waits until it is taken. */
export async function printPart(lines: readonly string[]): Promise<void> {
  if (lines.length > 0 && !process.stdout.write(`${textOf(lines)}\n`)) await once(process.stdout, 'drain')
}

/** Prints to stderr what is no result. */
export function note(shown: Shown): void {
  process.stderr.write(`${textOf(shown)}\n`)
}

/** Shows a line of stderr that `eraseLine` takes back. */
export function showLine(line: string): void {
  process.stderr.write(textOf(line))
}

/** Back to the beginning of the line, and erase it (ECMA-48 §8.3.41, EL). */
export function eraseLine(): void {
  process.stderr.write('\r\x1b[K')
}

/** Takes what libraries print: the SDK warns of a queue's address, and quotes it. */
export function takeConsole(): void {
  const take = (...values: unknown[]) => note(format(...values))
  Object.assign(console, { debug: take, error: take, info: take, log: take, warn: take })
}

/** Asks on stderr. @returns the line that is typed, or `''` where stdin ends */
export async function ask(question: Shown): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const line = new Promise<string>(resolve => terminal.once('line', resolve).once('close', () => resolve('')))
  process.stderr.write(textOf(question))
  const answer = await line
  terminal.close()
  return answer.trim()
}

/**
 * The lines of a template: only its own line ends make lines, those of a text in a gap do not. Lines in a gap go on with the line
 * before them.
 */
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
