import { join } from 'node:path'
import { stop } from 'esbuild'
import { composePage } from '../../build/html-page.ts'

const { html, script } = await composePage(join(import.meta.dirname, 'page', 'inbox.html'))
// Its process would live on for as long as this one.
await stop()

/**
 * The page to read the local inbox's mails on: what its server answers at `GET /`, beside the mails at `GET /store`.
 *
 * Styles may be inline because the frame that shows a mail inherits this policy, and mails are styled inline. Scripts
 * may not: the frame's sandbox and the inherited policy both forbid a mail's own.
 */
export const inboxPage = {
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      "style-src 'unsafe-inline'",
      `script-src ${script}`,
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  },
  body: html,
} as const
