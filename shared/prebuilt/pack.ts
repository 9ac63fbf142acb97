// Prebuilt answers in one ASCII file, laid out so that reading an answer reads and parses little of it.

/** An answer's text. It is JSON unless another media type is given. */
export type Content = { text: string; type?: string }

/** An answer on the wire. Compressed forms are in base64, and absent where no shorter. */
export type Answer = Content & { etag: string; brotli?: string | undefined; gzip?: string | undefined }

/**
 * The place of an answer: its ETag, the offset of its text, the lengths of text, brotli and gzip (0: absent), and the
 * media type if not JSON.
 */
export type Place = [etag: string, offset: number, text: number, brotli: number, gzip: number, type?: string]

/** A part of the pack, in characters. */
export type Span = [offset: number, length: number]

/** Reads a part of a pack. */
export type Read = (...span: Span) => string

/** The head's length in characters: JSON, padded with spaces, with the spans of the indices. */
export const headLength = 256

export const readHead = <H>(read: Read): H => JSON.parse(read(0, headLength)) as H

/**
 * Finds answers by key in an index: a JSON object of places. Answers are read lazily and kept.
 *
 * It searches the index's text, because parsing it all would slow the cold start.
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
