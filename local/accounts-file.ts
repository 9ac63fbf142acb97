import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from './start-error.ts'

const program = join(import.meta.dirname, '../operations/users/accounts-file.ts')

interface Circumstances {
  dataDirectory: string
  bcryptCost: number
  signal?: AbortSignal | undefined
}

/**
 * Opens the missing accounts of a file, by an operators' command in a process of its own, as the build is.
 *
 * @returns a line with their number
 * @throws {StartError} for a bad line; then nothing is written
 */
export async function openAccounts(
  file: string,
  { dataDirectory, bcryptCost, signal }: Circumstances,
): Promise<string> {
  const args = [program, file, String(bcryptCost)]
  const env = { ...process.env, DATA_DIR: resolve(dataDirectory) }
  const run = promisify(execFile)(process.execPath, args, { env, ...(signal && { signal }) })
  const { stdout } = await run.catch(({ stderr, message }) => {
    throw new StartError((stderr || message).trim())
  })
  return stdout.trim()
}
