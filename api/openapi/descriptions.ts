import { minute } from '../../shared/base/limits/windows.ts'
import type { Route } from '../routes.ts'
import type { Operation } from './operations.ts'
import type { partNames } from './served.ts'

/** The document's texts for people. */

const description = `An account service and a read-only catalogue of query modules.

**Accounts.** Bodies are JSON (\`application/json\`, or any \`application/...+json\`) in UTF-8, at most 16 KiB, not compressed.
Members that nobody knows are ignored; \`/catalogue/validate\` alone refuses them, with 400. \`/auth\` only grows: a breaking
change would be \`/v2/auth\`.

**Errors** are problem documents (RFC 9457), \`application/problem+json\`: \`detail\` is a sentence for people, \`code\` is
stable and for programs. Each response names the codes that it is known to have; later versions may add some, so treat an
unknown code by its status. What a setting of the service adds or takes away says so.

**API Gateway answers some requests by itself**, with \`{"message": "..."}\` as \`application/json\`: 413 over 10 MB, 429 when
all callers together send more than a route takes, 431 over 10,240 bytes of request line and headers, 500 and 503 when a
function fails or takes too long. A malformed request gets its 400. Where one of these statuses is ours too, both are
described.

**Methods.** HEAD answers wherever GET does, with the same status and header fields and without a body. OPTIONS tells the
methods of a path in \`Allow\`, and answers preflights of CORS. Other methods are answered 405 (\`method-not-allowed\`,
with \`Allow\`), and other paths 404 (\`not-found\`).

**Limits** count requests by remote address in fixed windows. \`RateLimit\` and \`RateLimit-Policy\` tell how they stand, and
\`Retry-After\` how long to wait; none of it comes while the setting RATE_LIMITS is off.

**Pages** that mails link to are not described here.`

/** The service adds `contact` where the setting SUPPORT_EMAIL is set. */
export const information = (version: string) => ({
  title: 'Gatehouse',
  version,
  description,
  license: { name: 'MIT', identifier: 'MIT' },
})

const perMinute = (limit: number) =>
  `At most ${limit} requests in ${minute} seconds from one remote address, until the setting RATE_LIMITS says otherwise.`

const spellings =
  'A module may be asked for by `query+` and its name, with `%2B` or a space in place of the plus, or by its bare name.'

const filters =
  'Each filter says something of a module, once; all of them must hold. `q` takes words that must each occur.'

const fieldTexts: Record<NonNullable<Route['fields']>, string> = {
  ValidationRequest:
    'The query goes percent-encoded as a whole: 8,000 characters of query string at most, or a body of 64 KiB. The ' +
    'answer is 200, whatever the report says, and is not kept where a name in the query contains `token`.',
  ParaminfoRequest:
    'This is `action=paraminfo` of MediaWiki, and no other action. Fields that are not known are ignored; `modules` are up ' +
    'to 50 paths, joined with `|`. Errors are as in MediaWiki: 200, with `error`, and its code in `MediaWiki-API-Error`. ' +
    'They are not kept.',
}

const rpcText =
  'Versions 2025-03-26 to 2025-11-25 of the protocol, and 2026-07-28, whose requests name it in `_meta` and in their fields. ' +
  'There is no session and no stream. A body has at most 64 KiB, an answer 32 KiB.'

/** The description of an operation. */
export function descriptionOf({ row, path, summary }: Operation): string {
  return [
    summary,
    row.limit ? perMinute(row.limit) : '',
    path.includes('query+') ? spellings : '',
    row.query === 'filters' ? filters : '',
    row.fields ? fieldTexts[row.fields] : '',
    row.rpc ? rpcText : '',
  ]
    .filter(Boolean)
    .join(' ')
}

/** The description of a success. */
export function successWords({ shape, summary, message }: Operation): string {
  if (shape === 'UserResponse') return 'The account, as it is now.'
  if (shape === 'Token') return 'An access token.'
  return message ?? summary
}

/** The tags of operations: the prefixes of their paths, and their descriptions in the document. */
const tags: readonly { name: (typeof partNames)[number] | 'description'; paths: string; description: string }[] = [
  {
    name: 'accounts',
    paths: '/auth/',
    description: 'Opening, using and deleting accounts; access tokens; forgotten passwords; verified addresses.',
  },
  {
    name: 'keys',
    paths: '/auth/.well-known/',
    description: 'The public keys by which other services verify access tokens, and where they are.',
  },
  {
    name: 'catalogue',
    paths: '/catalogue',
    description:
      'The read-only catalogue of query modules, their parameters and values. On AWS, CloudFront serves it too.',
  },
  { name: 'description', paths: '/openapi.json', description: 'This document.' },
]

export const describedTags = tags.map(({ name, description }) => ({ name, description }))

/** The tag of a path; undefined for pages and unknown paths, which are not described. */
export const tagOf = (path: string): string | undefined => tags.findLast(({ paths }) => path.startsWith(paths))?.name
