import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from './start-error.ts'

/** Where everything is kept that survives a restart. */
export interface DataDirectory {
  /** Where a part may keep its files, or null when nothing is kept. */
  at(part: string): string | null
  /** A directory for files that no later start needs. */
  scratch: string
  database: DatabaseSync
  close(): void
}

/**
 * Opens a data directory for this process alone. The lock is SQLite's, and so the operating system's: it goes with the
 * process that holds it, whatever ends that.
 *
 * @param path null keeps everything in memory
 * @throws {StartError} when it cannot be written, or another instance has it
 */
export function openDataDirectory(path: string | null): DataDirectory {
  if (path === null) {
    const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-'))
    const database = new DatabaseSync(':memory:')
    const close = () => {
      database.close()
      rmSync(scratch, { recursive: true, force: true })
    }
    return { at: () => null, scratch, database, close }
  }
  const root = resolve(path)
  try {
    mkdirSync(root, { recursive: true, mode: 0o700 })
    // It holds private keys and mails, also where it was there before.
    chmodSync(root, 0o700)
  } catch (error) {
    throw new StartError(`DATA_DIR ${path} cannot be used: ${reasonOf(error)}`)
  }
  const database = lock(path, join(root, 'gatehouse.db'))
  const scratch = join(root, 'cdk.out')
  rmSync(scratch, { recursive: true, force: true })
  return { at: part => join(root, part), scratch, database, close: () => database.close() }
}

function lock(path: string, file: string): DatabaseSync {
  try {
    const database = new DatabaseSync(file)
    // NORMAL with a write-ahead log survives the death of the process; only a loss of power may cost the last moments.
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
        ? `DATA_DIR ${path} is in use by another instance; stop that one, or set DATA_DIR to another directory`
        : `DATA_DIR ${path} cannot be used: ${reasonOf(error)}`,
    )
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
