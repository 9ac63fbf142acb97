// How the explorer's pages and files go out.
import { caching } from '../../base/answer.ts'

export const explorerTypes = {
  page: 'text/html; charset=utf-8',
  script: 'text/javascript; charset=utf-8',
  style: 'text/css; charset=utf-8',
} as const

/**
 * Content Security Policy, Level 3. The page runs its own script and style, shows the icon that it carries, and makes no
 * request besides: what is pasted into it cannot leave. Nothing can be made into a script (Trusted Types), and nobody may frame it.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const immutable = { 'cache-control': caching.forever }

export const explorerFields: Record<string, Record<string, string>> = {
  [explorerTypes.page]: {
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  },
  [explorerTypes.script]: immutable,
  [explorerTypes.style]: immutable,
}
