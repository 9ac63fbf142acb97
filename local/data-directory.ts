import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { InUseError, StartError } from './start-error.ts'

/**
 * Opens a data directory and locks it for this process. The lock is SQLite's file lock, which the operating system
 * releases when the process ends, even after `kill -9`.
 *
 * @param path null keeps everything in memory
 * @param onLost called once with a sentence, when the open directory is removed, emptied or replaced
 * @throws {StartError} if the directory is not writable, or another instance uses it
 */
export function openDataDirectory(path: string | null, onLost: (reason: string) => void = () => {}) {
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
  /** @throws {StartError} */
  const use = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (/locked/.test(reason)) throw new InUseError([`DATA_DIR ${path}`])
      throw new StartError(
        `DATA_DIR ${path} cannot be used: ${reason}; set DATA_DIR to a directory that you may write to`,
      )
    }
  }
  use(() => {
    makeFolder(root)
    // It holds private keys and mails. mkdir does not change the mode of an existing directory.
    chmodSync(root, 0o700)
  })
  const file = join(root, 'gatehouse.db')
  const database = use(() => lock(file))
  const own = fileAt(file)
  const watching = setInterval(() => {
    if (fileAt(file) === own) return
    clearInterval(watching)
    onLost(`DATA_DIR ${path} was removed or replaced while it was in use, so it stops: run \`npm start\` again`)
  }, lookEvery)
  const scratch = join(root, 'cdk.out')
  use(() => rmSync(scratch, { recursive: true, force: true }))
  /** The path for a part's files; null if everything is in memory. */
  const at = (part: string): string | null => join(root, part)
  const close = () => {
    clearInterval(watching)
    database.close()
  }
  return { at, scratch, database, close }
}

export type DataDirectory = ReturnType<typeof openDataDirectory>

/** Milliseconds. Until then requests may fail; a look takes microseconds. Containers' file systems report no events. */
const lookEvery = 100

/** Identifies a file. An open file keeps its inode, so no other file gets its number. */
function fileAt(path: string): string | null {
  try {
    const { dev, ino } = statSync(path)
    return `${dev}:${ino}`
  } catch {
    return null
  }
}

/** Without `recursive`: Node 24 loops forever where an existing folder answers ENOENT, as in /proc. */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  makeFolder(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

function lock(file: string): DatabaseSync {
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
}
