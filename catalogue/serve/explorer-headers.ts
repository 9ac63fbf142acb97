// Headers of the explorer's pages and files.
import { caching } from '../../shared/base/answer.ts'
import { pageFields, pageType } from '../../shared/prebuilt/whole-page.ts'

export const explorerTypes = {
  page: pageType,
  script: 'text/javascript; charset=utf-8',
  style: 'text/css; charset=utf-8',
} as const

const immutable = { 'cache-control': caching.forever }

export const explorerFields: Record<string, Record<string, string>> = {
  [explorerTypes.page]: pageFields("'self'", "'self'"),
  [explorerTypes.script]: immutable,
  [explorerTypes.style]: immutable,
}
