import { authenticateRefuses } from '../accounts/tokens/authentication.ts'
import { needsOf, type Row } from '../endpoints/needs.ts'
import { functionRefusals } from '../endpoints/refusals.ts'
import { type ErrorCode, type Refuses, refusals } from '../errors.ts'
import { isUnsafe } from '../routes.ts'

/** What a member of a row implies: the refusals of the step that it asks for (`shared/http/`). */
export const implied = {
  unsafe: ['origin-not-allowed'],
  limit: ['too-many-requests', 'unavailable'],
  bearer: ['not-authenticated', authenticateRefuses],
  body: [
    'body-too-large',
    'missing-body',
    'unsupported-media-type',
    'unsupported-content-encoding',
    'malformed-json',
    'invalid-body',
  ],
} as const satisfies Record<string, Refuses>

/** Every code that a row answers with. @param refuses what is particular to it, where not the whole row is meant */
export function codesOf(row: Row, refuses: Row['refuses'] = row.refuses): ErrorCode[] {
  const steps: Refuses = [
    ...(isUnsafe(row) ? [implied.unsafe] : []),
    ...(row.limit ? [implied.limit] : []),
    ...(row.access === 'bearer' ? [implied.bearer] : []),
    ...(row.body ? [implied.body] : []),
    ...(refuses ?? []).map(name => functionRefusals[name]),
    // A function that touches nothing outside itself answers without the code that renders bugs.
    ...(Object.keys(needsOf(row).may).length > 0 ? ['internal' as const] : []),
  ]
  return inOrder(steps)
}

/** The codes in lists of lists, each once, in the order of `errors.ts`. */
export function inOrder(refuses: Refuses): ErrorCode[] {
  const found = new Set(flat(refuses))
  return (Object.keys(refusals) as ErrorCode[]).filter(code => found.has(code))
}

const flat = (refuses: Refuses): ErrorCode[] =>
  refuses.flatMap(refused => (typeof refused === 'string' ? [refused] : flat(refused)))
