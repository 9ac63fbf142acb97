import { createHash } from 'node:crypto'

/** The weak ETag of a text: it is the same for every encoding. */
export function etagOf(text: string): string {
  return `W/"${hash(text, 16)}"`
}

/** The first characters of the text's SHA-256 in base64url, 6 bits each. */
export function hash(text: string, characters: number): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, characters)
}
