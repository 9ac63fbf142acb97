import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const guides = ['integrate.md', 'verify.md'].map(name =>
  readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8'),
)

/** The guides' blocks of code in order, with their languages. */
export const blocks = guides
  .flatMap(guide => [...guide.matchAll(/^```(\w+)\n(.*?)^```$/gms)])
  .map(([, language = '', text = '']) => ({ language, text }))

/** The guides' program whose first line is a comment with its file name. */
function program(file: string): string {
  const block = blocks.find(({ text }) => [`// ${file}`, `# ${file}`].includes(text.split('\n', 1)[0] ?? ''))
  if (!block) throw new Error(`the guides have no ${file}`)
  return block.text
}

/** Within the project, so that Node finds the packages. None of it is committed. */
const parent = join(import.meta.dirname, '../../dist')

/** Writes programs of the guides, unchanged, to their files. @returns their folder */
export function folderOf(...files: string[]): string {
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'guide-'))
  for (const file of files) writeFileSync(join(folder, file), program(file))
  return folder
}
