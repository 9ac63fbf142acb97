import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from './start-error.ts'

const program = join(import.meta.dirname, '../operations/users/accounts-file.ts')

interface Circumstances {
  dataDirectory: string
  bcryptCost: number
  signal?: AbortSignal | undefined
}

/**
 * Opens the accounts of a file that are not there yet, by a command of operators: a process of its own, as the build is.
 *
 * @returns a line that says how many there are
 * @throws {StartError} where a line is bad: then nothing is written
 */
export async function openAccounts(
  file: string,
  { dataDirectory, bcryptCost, signal }: Circumstances,
): Promise<string> {
  const args = [program, file, String(bcryptCost)]
  const env = { ...process.env, DATA_DIR: dataDirectory }
  const run = promisify(execFile)(process.execPath, args, { env, ...(signal && { signal }) })
  const { stdout } = await run.catch(({ stderr, message }) => {
    throw new StartError((stderr || message).trim())
  })
  return stdout.trim()
}
