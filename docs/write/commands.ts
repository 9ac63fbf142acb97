import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { splitOperands } from '../../operations/command-line/command.ts'
import { code, table } from './markdown.ts'

const root = join(import.meta.dirname, '../..')

/** One of the operators' commands, as its program's own help lists it. */
interface ListedCommand {
  /** As in `npm run <program>`. */
  program: string
  /** `''` where the program has no other. */
  name: string
  /** With their brackets: `<email or id>`, `[<id>]`. */
  operands: readonly string[]
  summary: string
}

export async function listCommands(): Promise<ListedCommand[]> {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const commands = Object.entries(scripts).flatMap(([program, script]) =>
    (/operations\/\S+$/.exec(script) ?? []).map(async file => {
      const { stdout: help } = await promisify(execFile)(process.execPath, [file, '--help'], { cwd: root })
      const [summary = '', usage = ''] = help.split('\n\n')
      const single = splitOperands(usage.replace(' [options]', '')).slice(4)
      if (!usage.includes('<command>')) return [{ program, name: '', operands: single, summary }]
      return [...help.matchAll(/^ {2}([a-z-]+)((?: \S+)*) {2,}(.+)$/gm)].map(
        ([, name = '', operands = '', what = '']) => ({
          program,
          name,
          operands: splitOperands(operands),
          summary: what,
        }),
      )
    }),
  )
  return (await Promise.all(commands)).flat()
}

export const commandTable = async (): Promise<string> =>
  table(
    ['Command', 'What it does'],
    (await listCommands()).map(({ program, name, operands, summary }) => [
      code([program, '--', name, ...operands].filter(Boolean).join(' ')),
      summary,
    ]),
  )
