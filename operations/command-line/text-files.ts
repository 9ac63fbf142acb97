import { createReadStream, existsSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { addAbortSignal } from 'node:stream'
import { standingIn, unreadable } from '../../infra/settings/files.ts'
import { CommandError } from './failures.ts'
import { printPart } from './terminal.ts'

/** Resolves a path from the folder in which the operator stands. */
export const pathOf = (file: string): string => resolve(standingIn(process.env).folder, file)

/**
 * Reads a file, or stdin for `-`, as UTF-8 without a byte order mark.
 *
 * @param signal ends the reading, even while stdin is silent
 * @throws {CommandError} and the signal's reason
 */
export async function* readText(file: string, signal?: AbortSignal): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const source = file === '-' ? process.stdin : createReadStream(pathOf(file))
  if (signal) addAbortSignal(signal, source)
  try {
    for await (const chunk of source) yield decoder.decode(chunk as Buffer, { stream: true })
    yield decoder.decode()
  } catch (error) {
    signal?.throwIfAborted()
    const isEncoding = error instanceof Error && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
    if (isEncoding) throw new CommandError(`${file} is not UTF-8; convert it first`)
    throw new CommandError(`${file}: ${unreadable(error)}`)
  }
}

/** Takes a long text in parts. Disposed of before `finish`, it leaves no file. */
interface TextSink extends AsyncDisposable {
  write(lines: readonly string[]): Promise<void>
  finish(): Promise<void>
}

/**
 * Opens stdout, or a new file that only its owner can read. The file appears when complete.
 *
 * @throws {CommandError} when the file exists
 */
export async function openSink(file: string | undefined): Promise<TextSink> {
  return file === undefined ? stdout() : newFile(file)
}

async function newFile(file: string): Promise<TextSink> {
  const path = pathOf(file)
  const unfinished = `${path}.part`
  if (existsSync(path)) throw new CommandError(`${file} exists already`)
  const handle = await open(unfinished, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw new CommandError(`${file}: ${unreadable(error, 'there is no such folder')}`)
    throw new CommandError(
      `${file}.part exists already: another command writes it, or was killed. Remove it, if it was`,
    )
  })
  let isFinished = false
  return {
    write: lines => handle.appendFile(lines.map(line => `${line}\n`).join('')),
    async finish() {
      await handle.sync()
      renameSync(unfinished, path)
      isFinished = true
    },
    async [Symbol.asyncDispose]() {
      await handle.close()
      // After `finish` this name may belong to another export.
      if (!isFinished) rmSync(unfinished, { force: true })
    },
  }
}

function stdout(): TextSink {
  return {
    write: printPart,
    async finish() {},
    async [Symbol.asyncDispose]() {},
  }
}
