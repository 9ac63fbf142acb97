import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const script = join(import.meta.dirname, 'first-call.cjs')

/**
 * Calls a handler for the first time, in a process of its own.
 *
 * @param file exports `handler`
 * @returns milliseconds of CPU from the start of the process to the answer, and the status of the answer, or the whole
 * answer if it has none
 */
export async function firstCall(file: string, event: object, env: Record<string, string> = {}) {
  const { stdout } = await promisify(execFile)(process.execPath, [script, file, JSON.stringify(event)], { env })
  return JSON.parse(stdout)
}

/** Writes a handler that does nothing. @returns its file */
export function emptyHandler(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'gatehouse-empty-')), 'index.cjs')
  writeFileSync(file, 'exports.handler = async () => ({ statusCode: 200 })')
  return file
}
