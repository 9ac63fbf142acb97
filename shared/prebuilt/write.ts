// Used at build time: writes answers with their ETags and compressed forms into a function's single file.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Compressed, compressAside, compressNow, type Effort, quick } from './encoding.ts'
import { type Content, headLength, type Place, type Span } from './pack.ts'

/** An answer in all its forms. */
type Forms = Content & Compressed

/** Compresses each answer, by its key. */
export function compressAll(answers: Map<string, Content>, effort: Effort): Promise<[string, Forms][]> {
  // Quick compression takes a third of the cost of another thread.
  const compress = effort === quick ? compressNow : compressAside
  return Promise.all(
    [...answers].map(async ([key, content]) => [key, { ...content, ...(await compress(content.text, effort)) }]),
  )
}

/** A pack, written part after part as ASCII text. */
export function startPack() {
  const parts: string[] = []
  let length = headLength
  const append = (text: string): Span => {
    parts.push(ascii(text))
    length += text.length
    return [length - text.length, text.length]
  }
  const place = ({ text, type, brotli = '', gzip = '' }: Forms): Place => {
    const [offset] = append(text + brotli + gzip)
    const place = [`W/"${hash(text, 16)}"`, offset, text.length, brotli.length, gzip.length] as const
    return type === undefined ? [...place] : [...place, type]
  }
  return {
    append,
    /** Appends answers, and then the index of their places. */
    index: (forms: [string, Forms][]): Span =>
      append(JSON.stringify(Object.fromEntries(forms.map(([key, form]) => [key, place(form)])))),
    /** The whole pack. @param head with the spans of its indices */
    seal: (head: object): string => [JSON.stringify(head).padEnd(headLength), ...parts].join(''),
  }
}

/** The first characters of the text's SHA-256 in base64url, 6 bits each. */
export const hash = (text: string, characters: number): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, characters)

/** Writes ASCII text to a file unless unchanged: a function may be reading it. */
export function writeIfChanged(file: string, text: string): void {
  if (existsSync(file) && readFileSync(file, 'latin1') === text) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text, 'latin1')
}

/** JSON, or a script whose raw templates are ASCII, with all other characters escaped. */
export const escapeNonAscii = (code: string): string =>
  code.replaceAll(/[\x7f-\uffff]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** A pack counts characters as bytes. */
function ascii(text: string): string {
  const other = text.match(/[\u0080-\uffff]/)
  if (other) throw new Error(`Prebuilt answers are ASCII, but one holds ${JSON.stringify(other[0])}`)
  return text
}
