import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, clientsFile } from '../../shared/accounts/applications/client.ts'

/**
 * Makes a copy of a bundle in which the applications lie beside it, for as long as it takes to use it.
 *
 * The bundle itself stays as it was built: stages with other applications are synthesised from it too.
 *
 * @param bundle its folder
 */
export function withClients<T>(bundle: string, clients: readonly Client[], use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  try {
    cpSync(bundle, folder, { recursive: true })
    writeFileSync(join(folder, clientsFile), JSON.stringify(clients))
    return use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Gives a new copy of a bundle the applications of the one that it replaces, if that has some. */
export function keepClients(former: string, folder: string): void {
  const file = join(former, clientsFile)
  if (existsSync(file)) cpSync(file, join(folder, clientsFile))
}

/** The files of a bundle, without its applications. */
export const builtFiles = (folder: string): string[] => readdirSync(folder).filter(name => name !== clientsFile)
