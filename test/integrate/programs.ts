import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const guide = readFileSync(join(import.meta.dirname, '../../docs/integrate.md'), 'utf8')

/** The program of the guide whose first line is a comment with its file's name. */
function program(file: string): string {
  const [block] = [...guide.matchAll(/^```\w+\n(.*?)^```$/gms)].flatMap(([, text = '']) =>
    text.startsWith(`// ${file}\n`) ? [text] : [],
  )
  if (!block) throw new Error(`docs/integrate.md has no ${file}`)
  return block
}

/** Within the project, so that Node finds the packages there. Nothing of it is committed. */
const parent = join(import.meta.dirname, '../../dist')

/** Writes programs of the guide as they stand, each to its file. @returns their folder */
export function folderOf(...files: string[]): string {
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'guide-'))
  for (const file of files) writeFileSync(join(folder, file), program(file))
  return folder
}
