import { type Answer, finder, type Read, readHead, type Span } from '../../prebuilt/pack.ts'

/** The name of the document's pack, beside the function's bundle. */
export const documentFile = 'openapi.pack'

/** The document's place in its pack. */
export interface DocumentHead {
  answers: Span
}

/** The only key of the pack's index. */
export const documentKey = 'openapi.json'

/** Opens the document's pack. `read` returns parts of it. */
export function openDocument(read: Read): Answer {
  const found = finder(readHead<DocumentHead>(read).answers, read)(documentKey)
  if (!found) throw new Error('the pack holds no document')
  return found
}
