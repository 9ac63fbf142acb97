import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What `docs/integrate.md` says: its tables, and the programs that it prints. */

const guide = readFileSync(join(import.meta.dirname, '../../docs/integrate.md'), 'utf8')

/** The text under a heading, up to the next of its level or above. */
function section(heading: string): string {
  const [, level = '', rest = ''] = new RegExp(`^(#+) ${heading}\\n(.*)`, 'ms').exec(guide) ?? []
  return rest.split(new RegExp(`^#{2,${level.length}} `, 'm'))[0] ?? ''
}

/** The lines of the tables under a heading, without the heads. */
export const tableUnder = (heading: string): string[] =>
  section(heading)
    .split('\n')
    .filter(line => line.startsWith('| `'))

export const cellsOf = (line: string): string[] => line.slice(2, -2).split(' | ')

export const line = (...cells: string[]): string => `| ${cells.join(' | ')} |`

/** The text under a heading, with each run of white space as one space. */
export const proseUnder = (heading: string): string => section(heading).replaceAll(/\s+/g, ' ')

/** Its blocks of a language, under a heading. */
export const blocksUnder = (heading: string, language: string): string[] =>
  [...section(heading).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, text = '']) => text)

/** The program whose first line is a comment with its file's name. */
export function program(file: string): string {
  const [block] = [...guide.matchAll(/^```\w+\n(.*?)^```$/gms)].flatMap(([, text = '']) =>
    text.startsWith(`// ${file}\n`) ? [text] : [],
  )
  if (!block) throw new Error(`docs/integrate.md has no ${file}`)
  return block
}
