import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { program } from './guide.ts'

/** Within the project, so that Node finds the packages there. Nothing of it is committed. */
const parent = join(import.meta.dirname, '../../dist')

/** Writes programs of the guide as they stand, each to its file. @returns their folder */
export function folderOf(...files: string[]): string {
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'guide-'))
  for (const file of files) writeFileSync(join(folder, file), program(file))
  return folder
}
