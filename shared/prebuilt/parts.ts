// The pack as a file. Only the needed parts are read.
import { openSync, readSync } from 'node:fs'

/** Reads parts of an ASCII file, which stays open for the function's lifetime. */
export function readParts(file: string): (offset: number, length: number) => string {
  const descriptor = openSync(file, 'r')
  return (offset, length) => {
    const bytes = Buffer.allocUnsafe(length)
    readSync(descriptor, bytes, 0, length, offset)
    return bytes.toString('latin1')
  }
}
