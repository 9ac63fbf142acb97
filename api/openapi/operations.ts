import { caching } from '../../shared/base/answer.ts'
import { type ErrorCode, refusals } from '../../shared/base/errors.ts'
import { bodyRefusals } from '../implied.ts'
import { needsOf, refusalsOf } from '../needs.ts'
import { functions, type Route, type RouteName, routes } from '../routes.ts'

/** Every operation, in the order of the route table. Pages are not described. */
export const operations = (Object.entries(routes) as [RouteName, Route][]).flatMap(operationsOf)

/** A described GET, POST or PUT. HEAD answers wherever GET does, and is not described. */
export type Operation = (typeof operations)[number]

function operationsOf([rowName, row]: [RouteName, Route]) {
  const { reply, also, fields, summary, title = titleOf(rowName), type = 'application/json' } = row
  if (reply === 'page') return []
  const [method = '', path = ''] = row.on.split(' ')
  const [status, shape, message] = reply
  // A shared function answers the same for everybody, and changes with a release or a key.
  const kept = row.function && !row.rpc ? caching.fiveMinutes : caching.never
  const isPrebuilt =
    row.function !== undefined && !fields && !row.rpc && Object.keys(needsOf(functions[row.function]).may).length === 0
  // `responses.ts` describes refusals of forms, which are other objects.
  const codes = row.form ? [] : refusalsOf(row)
  const operation = {
    method,
    path,
    /** As in the rows: lower case, with hyphens. */
    name: rowName as string,
    /** Two or three words. */
    title,
    summary,
    row,
    /** The row's name, which names its limit. */
    rowName,
    status,
    shape,
    /** The sentence of an answer with no other content. */
    message,
    /** The media type of success. */
    type,
    codes: inOrder(codes),
    caching: kept as (typeof caching)[keyof typeof caching],
    /** Written at build time, and so with an ETag. */
    isPrebuilt,
  }
  if (fields) {
    // A wrong field gets the same refusal in a query string and in a body. A path without refusals answers 200.
    const ofBody = codes.length > 0 ? bodyRefusals.filter(code => code !== 'invalid-body') : []
    const byPost = { name: `${rowName}-by-post`, codes: inOrder([...codes, ...ofBody]), caching: caching.never }
    return [
      { ...operation, method: 'GET' },
      { ...operation, method: 'POST', ...byPost },
    ]
  }
  if (method === 'GET|POST') {
    return [
      { ...operation, method: 'GET' },
      { ...operation, method: 'POST', name: `${rowName}-by-post` },
    ]
  }
  if (!also) return [operation]
  return [
    operation,
    { ...operation, path: also, name: `${rowName}-directly`, summary: `${summary} The same as \`${path}\`.` },
  ]
}

/** `delete-account`: Delete account. */
function titleOf(name: RouteName): string {
  return (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('-', ' ')
}

/** Each code once, in the order of `errors.ts`. */
function inOrder(codes: readonly ErrorCode[]): ErrorCode[] {
  return (Object.keys(refusals) as ErrorCode[]).filter(code => codes.includes(code))
}
