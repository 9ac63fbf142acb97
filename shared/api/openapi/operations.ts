import { caching } from '../../base/caching.ts'
import type { ErrorCode } from '../../base/errors.ts'
import type { replies as catalogueReplies } from '../../catalogue/model.ts'
import { type CataloguePath, paths as cataloguePaths } from '../../catalogue/paths.ts'
import { needsOf } from '../needs.ts'
import type { replies } from '../replies.ts'
import { type Route, type RouteName, routes } from '../routes.ts'
import { codesOf, implied, inOrder } from './refusals.ts'

/** A GET, POST or PUT that is described; a GET stands for its HEAD too. */
export interface Operation {
  method: string
  path: string
  /** As in the rows: lower case, with hyphens. */
  name: string
  summary: string
  row: Route
  /** The row's name, by which its limit is told. */
  rowName: RouteName
  status: 200 | 201
  shape: keyof typeof replies | keyof typeof catalogueReplies
  /** The media type of success. */
  type: string
  codes: ErrorCode[]
  caching: (typeof caching)[keyof typeof caching]
  /** It was written at build time, and so has an ETag. */
  isPrebuilt: boolean
  takesFilters: boolean
  /** What it is asked with: in the query of a GET, in the body of a POST. */
  asked?: NonNullable<CataloguePath['asked']>
}

const json = 'application/json'

const rows: [RouteName, Route][] = Object.entries(routes) as [RouteName, Route][]

/** Every operation, in the order of the route table. */
export const operations: Operation[] = rows.flatMap(([rowName, row]) =>
  rowName === 'catalogue'
    ? Object.values(cataloguePaths).flatMap(ofCatalogue)
    : row.on.flatMap(key => of(rowName, row, key)),
)

function of(rowName: RouteName, row: Route, key: string): Operation[] {
  const [method = '', path = ''] = key.split(' ')
  const answer = row.answers?.[path]
  const common = { method, path, rowName, row, type: json, takesFilters: false }
  if (row.reply) {
    const [status, shape] = row.reply
    const { summary } = row
    return [
      {
        ...common,
        name: rowName,
        summary,
        status,
        shape,
        codes: codesOf(row),
        caching: caching.never,
        isPrebuilt: false,
      },
    ]
  }
  if (!answer) return []
  const isPrebuilt = Object.keys(needsOf(row).may).length === 0
  const codes = codesOf(row, answer.refuses ?? [])
  const { name, summary, shape } = answer
  return [{ ...common, name, summary, status: 200, shape, codes, caching: caching.fiveMinutes, isPrebuilt }]
}

function ofCatalogue({
  path,
  also,
  name,
  summary,
  shape,
  type = json,
  refuses = [],
  filters,
  asked,
}: CataloguePath): Operation[] {
  const operation: Operation = {
    method: 'GET',
    path,
    name,
    summary,
    row: routes.catalogue,
    rowName: 'catalogue',
    status: 200,
    shape,
    type,
    codes: inOrder([
      'query-parameter-unknown',
      ...(filters ? (['query-parameter-repeated', 'query-parameter-invalid'] as const) : []),
      ...refuses,
    ]),
    caching: caching.fiveMinutes,
    isPrebuilt: true,
    takesFilters: filters ?? false,
  }
  if (asked) return ofAsked({ ...operation, asked, codes: inOrder(refuses) })
  const other = also && {
    ...operation,
    path: also,
    name: `${name}-directly`,
    summary: `${summary} The same as ${path}.`,
  }
  return [operation, ...(other ? [other] : [])]
}

/** The same answer by GET and by POST; neither is prebuilt. */
function ofAsked(operation: Operation): Operation[] {
  const { codes } = operation
  // A wrong field gets the same refusal in a query string and in a body. A path that refuses none answers 200.
  const ofBody = codes.length > 0 ? implied.body.filter(code => code !== 'invalid-body') : []
  return [
    { ...operation, isPrebuilt: false },
    {
      ...operation,
      method: 'POST',
      name: `${operation.name}-by-post`,
      isPrebuilt: false,
      codes: inOrder([...codes, ...ofBody]),
      caching: caching.never,
    },
  ]
}
