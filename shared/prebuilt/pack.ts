// Prebuilt answers as one ASCII file, laid out so that reading one answer reads and parses little of the file.

/** An answer's text. It is JSON unless another media type is given. */
export type Content = { text: string; type?: string }

/** An answer as it goes over the wire. The compressed forms are in base64, and absent where they are no shorter. */
export type Answer = Content & { etag: string; brotli?: string | undefined; gzip?: string | undefined }

/**
 * Where an answer lies: its ETag, the offset of its text, then the lengths of text, brotli and gzip (0: absent), and the
 * media type if it is not JSON.
 */
export type Place = [etag: string, offset: number, text: number, brotli: number, gzip: number, type?: string]

/** Where a part of the pack lies, in characters. */
export type Span = [offset: number, length: number]

/** Gives a part of a pack. */
export type Read = (...span: Span) => string

/** The length of a head in characters: JSON, filled up with spaces, that says where the indices of places lie. */
export const headLength = 256

export const readHead = <H>(read: Read): H => JSON.parse(read(0, headLength)) as H

/**
 * Finds answers by their keys in an index: a JSON object of places. An answer is read when first asked for, and kept.
 *
 * It searches the index's text, because parsing all of it would slow the cold start.
 */
export function finder(index: Span, read: Read) {
  const text = once(() => read(...index))
  const kept = new Map<string, Answer>()
  return (key: string): Answer | undefined => {
    const known = kept.get(key)
    if (known) return known
    const member = `${JSON.stringify(key)}:`
    const found = text().indexOf(member)
    if (found < 0) return undefined
    const start = found + member.length
    const [etag, offset, length, brotli, gzip, type] = JSON.parse(
      text().slice(start, text().indexOf(']', start) + 1),
    ) as Place
    const bytes = read(offset, length + brotli + gzip)
    const answer = {
      etag,
      text: bytes.slice(0, length),
      ...(type !== undefined && { type }),
      ...(brotli > 0 && { brotli: bytes.slice(length, length + brotli) }),
      ...(gzip > 0 && { gzip: bytes.slice(length + brotli) }),
    }
    kept.set(key, answer)
    return answer
  }
}

export function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
