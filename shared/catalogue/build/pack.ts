// The build step's second half: every answer with its ETag and compressed forms, in the one file the function reads.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Catalogue } from '../model.ts'
import { type Compressed, compressAside } from '../serve/compress.ts'
import { headLength, type PackHead, type Place, type Span } from '../serve/pack.ts'
import { writeAnswers, writeLists, writeRows } from './answers.ts'
import { buildCatalogue } from './catalogue.ts'
import { readSource } from './source.ts'

/** The name of the pack, beside the function's bundle. */
export const packFile = 'catalogue.pack'

/**
 * Builds the pack from the source files and writes it, unless it is there already: a function may be reading it.
 *
 * @throws {CatalogueRefused} if the source files contradict themselves
 */
export async function writePack(file: string): Promise<void> {
  const pack = await packCatalogue(buildCatalogue(readSource()))
  if (existsSync(file) && readFileSync(file, 'latin1') === pack) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, pack, 'latin1')
}

/** The pack of a catalogue, as ASCII text; `openPack` reads it. */
export async function packCatalogue(catalogue: Catalogue): Promise<string> {
  const [answers, lists] = await Promise.all([compressAll(writeAnswers(catalogue)), compressAll(writeLists(catalogue))])
  const parts: string[] = []
  let length = headLength
  const append = (text: string): Span => {
    parts.push(ascii(text))
    length += text.length
    return [length - text.length, text.length]
  }
  const place = ({ json, brotli = '', gzip = '' }: Forms): Place => {
    const [offset] = append(json + brotli + gzip)
    return [`W/"${hash(json, 16)}"`, offset, json.length, brotli.length, gzip.length]
  }
  const index = (forms: [string, Forms][]): Span =>
    append(JSON.stringify(Object.fromEntries(forms.map(([key, form]) => [key, place(form)]))))

  const head: PackHead = {
    version: catalogue.catalogue_version,
    hash: hash(JSON.stringify(catalogue), 8),
    answers: index(answers),
    lists: index(lists),
    rows: append(JSON.stringify(writeRows(catalogue.modules))),
  }
  return [JSON.stringify(head).padEnd(headLength), ...parts].join('')
}

type Forms = { json: string } & Compressed

function compressAll(answers: Map<string, string>): Promise<[string, Forms][]> {
  return Promise.all([...answers].map(async ([key, json]) => [key, { json, ...(await compressAside(json)) }]))
}

/** The first characters of the text's SHA-256 in base64url, 6 bits each. */
function hash(text: string, characters: number): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, characters)
}

/** The pack counts characters for bytes. */
function ascii(text: string): string {
  const other = text.match(/[^\x20-\x7e]/)
  if (other) throw new Error(`The catalogue is ASCII, but holds ${JSON.stringify(other[0])}`)
  return text
}
