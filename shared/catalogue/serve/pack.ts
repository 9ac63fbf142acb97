// The prebuilt answers as one ASCII file, so laid out that little of it need be read, and less parsed, to give one.
import type { GroupName, TypeName } from '../model.ts'

/** An answer as it goes over the wire. The compressed forms are in base64, and absent where they are no shorter. */
export type Answer = { etag: string; json: string; brotli?: string; gzip?: string }

/** What the filters look at of one module. `words` is lower case; `summary` is the module's JSON in a plain list. */
export type Row = {
  name: string
  group: GroupName
  prefix: string
  generator: boolean
  readrights: boolean
  deprecated: boolean
  parameters: string[]
  types: TypeName[]
  words: string
  summary: string
}

/** Where an answer lies: its ETag, the offset of its JSON, then the lengths of JSON, brotli and gzip (0: absent). */
export type Place = [etag: string, offset: number, json: number, brotli: number, gzip: number]

/** Where a part of the pack lies, in characters. */
export type Span = [offset: number, length: number]

/**
 * The head of a pack: JSON, filled up with spaces. `answers` and `lists` are indices, JSON objects of places:
 * answers by the path below `/catalogue/`, lists by their filters. `rows` is the JSON of the rows.
 */
export type PackHead = { version: string; hash: string; answers: Span; lists: Span; rows: Span }

/** The length of a head in characters. */
export const headLength = 256

/** A pack, opened. */
export type Pack = {
  version: string
  /** Differs when any fact of the catalogue does. */
  hash: string
  find(path: string): Answer | undefined
  findList(key: string): Answer | undefined
  paths(): string[]
  rows(): Row[]
}

/** Opens a pack of which `read` gives parts. An answer is read when first asked for, and kept. */
export function openPack(read: (...span: Span) => string): Pack {
  const { version, hash, answers, lists, rows } = JSON.parse(read(0, headLength)) as PackHead
  return {
    version,
    hash,
    find: finder(answers, read),
    findList: finder(lists, read),
    paths: once(() => Object.keys(JSON.parse(read(...answers)))),
    rows: once(() => JSON.parse(read(...rows)) as Row[]),
  }
}

/** Looks an answer up by searching the index's text: parsing all of it would show in the cold start. */
function finder(index: Span, read: (...span: Span) => string) {
  const text = once(() => read(...index))
  const kept = new Map<string, Answer>()
  return (key: string): Answer | undefined => {
    const known = kept.get(key)
    if (known) return known
    const member = `${JSON.stringify(key)}:`
    const found = text().indexOf(member)
    if (found < 0) return undefined
    const start = found + member.length
    const [etag, offset, json, brotli, gzip] = JSON.parse(text().slice(start, text().indexOf(']', start) + 1)) as Place
    const bytes = read(offset, json + brotli + gzip)
    const answer = {
      etag,
      json: bytes.slice(0, json),
      ...(brotli > 0 && { brotli: bytes.slice(json, json + brotli) }),
      ...(gzip > 0 && { gzip: bytes.slice(json + brotli) }),
    }
    kept.set(key, answer)
    return answer
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
