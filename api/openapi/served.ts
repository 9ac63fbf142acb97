import type { Taken } from '../../shared/base/query.ts'
import { compressNow } from '../../shared/prebuilt/encoding.ts'
import { type Answer, finder, type Read, readHead, type Span } from '../../shared/prebuilt/pack.ts'

/** The name of the documents' pack, beside the function's bundle. */
export const documentFile = 'openapi.pack'

/** The tags of the parts that are served alone. */
export const partNames = ['accounts', 'keys', 'catalogue'] as const

/** The parameters of the document's path. */
export const documentParameters: Readonly<Record<'tags', Taken>> = { tags: { values: partNames } }

/** The index of the documents in their pack. */
export interface DocumentHead {
  answers: Span
}

/** The key of the whole document in the pack's index; the key of a part is its tag. */
export const wholeDocument = 'openapi.json'

/** The document, or the part of a tag. */
export type Documents = (part?: string) => Answer

/** Opens the documents' pack. `read` returns parts of it. */
export function openDocuments(read: Read): Documents {
  const find = finder(readHead<DocumentHead>(read).answers, read)
  return (part = wholeDocument) => {
    const found = find(part)
    if (!found) throw new Error(`the pack holds no document ${part}`)
    return found
  }
}

/**
 * The same documents with the support address, which is known only once a stage is deployed. Each is compressed again
 * on its first request, and kept.
 */
export function withContact(documents: Documents, email: string): Documents {
  const kept = new Map<string | undefined, Answer>()
  return part => {
    const known = kept.get(part)
    if (known) return known
    const { text: bare, etag } = documents(part)
    const text = bare.replace('"info":{', start => `${start}"contact":${JSON.stringify({ email })},`)
    const answer = {
      etag: etag.replace(/"$/, `-${Buffer.from(email).toString('base64url')}"`),
      text,
      ...compressNow(text),
    }
    kept.set(part, answer)
    return answer
  }
}
