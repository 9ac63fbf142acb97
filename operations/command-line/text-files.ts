import { once } from 'node:events'
import { createReadStream, existsSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CommandError } from './command-error.ts'

/** A path as an operator gives it: npm runs scripts in the package's own directory. */
const pathOf = (given: string): string => resolve(process.env.INIT_CWD ?? '.', given)

/** Reads a file, or stdin for `-`, as UTF-8 without its byte order mark. @throws {CommandError} when it is none */
export async function* readText(given: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const source = given === '-' ? process.stdin : createReadStream(pathOf(given))
  try {
    for await (const chunk of source) yield decoder.decode(chunk as Buffer, { stream: true })
    yield decoder.decode()
  } catch (error) {
    const isEncoding = error instanceof Error && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
    if (isEncoding) throw new CommandError(`${given} is not UTF-8; convert it first`)
    throw new CommandError(`${given}: ${unreadable(error)}`)
  }
}

/** Why a file cannot be read, in a few words. */
export function unreadable(error: unknown, ifMissing = 'there is no such file'): string {
  const reasons: Record<string, string> = {
    ENOENT: ifMissing,
    EISDIR: 'is a directory, not a file',
    EACCES: 'may not be read',
  }
  const { code = '', message = '' } = error as NodeJS.ErrnoException
  return reasons[code] ?? message
}

/** Something to write a long text to. Disposed of before it is finished, it leaves no file. */
export interface TextSink extends AsyncDisposable {
  write(text: string): Promise<void>
  finish(): Promise<void>
}

/** A file for its owner's eyes alone, there only once it is whole; or stdout. @throws {CommandError} when it exists */
export async function openSink(given: string | undefined): Promise<TextSink> {
  return given === undefined ? stdout() : file(given)
}

async function file(given: string): Promise<TextSink> {
  const path = pathOf(given)
  const unfinished = `${path}.part`
  if (existsSync(path)) throw new CommandError(`${given} is there already`)
  rmSync(unfinished, { force: true })
  const handle = await open(unfinished, 'wx', 0o600)
  return {
    write: text => handle.appendFile(text),
    async finish() {
      await handle.sync()
      renameSync(unfinished, path)
    },
    async [Symbol.asyncDispose]() {
      await handle.close()
      rmSync(unfinished, { force: true })
    },
  }
}

function stdout(): TextSink {
  // Whoever reads it has seen enough.
  process.stdout.on('error', () => process.exit(1))
  return {
    async write(text) {
      if (!process.stdout.write(text)) await once(process.stdout, 'drain')
    },
    async finish() {},
    async [Symbol.asyncDispose]() {},
  }
}
