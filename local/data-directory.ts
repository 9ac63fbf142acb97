import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from './start-error.ts'

/**
 * Opens a data directory and locks it for this process. The lock is SQLite's file lock: the operating system releases it
 * when the process ends, even after `kill -9`.
 *
 * @param path null keeps everything in memory
 * @throws {StartError} if the directory is not writable, or another instance uses it
 */
export function openDataDirectory(path: string | null) {
  if (path === null) {
    const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-'))
    const database = new DatabaseSync(':memory:')
    const close = () => {
      database.close()
      rmSync(scratch, { recursive: true, force: true })
    }
    return { at: (): string | null => null, scratch, database, close }
  }
  const root = resolve(path)
  try {
    mkdirSync(root, { recursive: true, mode: 0o700 })
    // It holds private keys and mails. mkdir does not change the mode of an existing directory.
    chmodSync(root, 0o700)
  } catch (error) {
    throw new StartError(`DATA_DIR ${path} cannot be used: ${reasonOf(error)}`)
  }
  const database = lock(path, join(root, 'gatehouse.db'))
  const scratch = join(root, 'cdk.out')
  rmSync(scratch, { recursive: true, force: true })
  /** The path for a part's files; null if everything is in memory. */
  const at = (part: string): string | null => join(root, part)
  return { at, scratch, database, close: () => database.close() }
}

export type DataDirectory = ReturnType<typeof openDataDirectory>

function lock(path: string, file: string): DatabaseSync {
  try {
    const database = new DatabaseSync(file)
    // With a write-ahead log, NORMAL survives a crash of the process; only a power failure may lose the last writes.
    database.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      BEGIN IMMEDIATE;
      COMMIT;
    `)
    return database
  } catch (error) {
    const isLocked = /locked/.test(reasonOf(error))
    throw new StartError(
      isLocked
        ? `DATA_DIR ${path} is in use by another instance: stop that one, or set DATA_DIR, PORT and INBOX_PORT to run a second one`
        : `DATA_DIR ${path} cannot be used: ${reasonOf(error)}`,
    )
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
