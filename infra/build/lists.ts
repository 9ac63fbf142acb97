import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, clientsFile } from '../../accounts/application/client.ts'
import { type Provider, providersFile } from '../../accounts/identity/provider.ts'

/** The lists that lie beside a bundle, by file: Lambda has 4 KB for all variables of a function. */
export interface Lists {
  [clientsFile]?: readonly Client[]
  [providersFile]?: readonly Provider[]
}

const files: readonly string[] = [clientsFile, providersFile]

/**
 * Makes a copy of a bundle with lists beside it, for as long as it takes to use it.
 *
 * The bundle itself stays as it was built: stages with other lists are synthesised from it too.
 *
 * @param bundle its folder
 */
export function withLists<T>(bundle: string, lists: Lists, use: (folder: string) => T): T {
  const stated = Object.entries(lists)
  if (stated.length === 0) return use(bundle)
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  try {
    cpSync(bundle, folder, { recursive: true })
    for (const [file, list] of stated) writeFileSync(join(folder, file), JSON.stringify(list))
    return use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The applications that lie beside a bundle. */
export function clientsBeside(folder: string): readonly Client[] {
  const file = join(folder, clientsFile)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
}

/** Gives a copy of a bundle the lists of another copy. */
export function copyLists(from: string, folder: string): void {
  for (const file of files) if (existsSync(join(from, file))) cpSync(join(from, file), join(folder, file))
}

/** Whether the same lists lie beside two copies of a bundle. */
export const haveSameLists = (one: string, other: string): boolean =>
  files.every(file => textAt(join(one, file)) === textAt(join(other, file)))

const textAt = (file: string): string | null => (existsSync(file) ? readFileSync(file, 'utf8') : null)

/** The files of a bundle, without its lists. */
export const builtFiles = (folder: string): string[] => readdirSync(folder).filter(name => !files.includes(name))
