// GET, HEAD and OPTIONS /catalogue and everything below it. No SDK, no pipeline: the answers were written at build time.
import { openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { serveCatalogue } from '../shared/catalogue/serve/handler.ts'
import { openPack } from '../shared/catalogue/serve/pack.ts'

export const handler = serveCatalogue(() => openPack(readParts(join(import.meta.dirname, 'catalogue.pack'))))

/** Reads parts of a file of ASCII text, which stays open for as long as the function lives. */
function readParts(file: string): (offset: number, length: number) => string {
  const descriptor = openSync(file, 'r')
  return (offset, length) => {
    const bytes = Buffer.allocUnsafe(length)
    readSync(descriptor, bytes, 0, length, offset)
    return bytes.toString('latin1')
  }
}
