import { join } from 'node:path'
import { stop } from 'esbuild'
import { composePage } from '../../infra/build/html-page.ts'
import { iconOf } from '../../shared/base/html.ts'

const { html, script } = await composePage(join(import.meta.dirname, 'page', 'inbox.html'))
// Ends esbuild's process, which would otherwise keep running.
await stop()

/**
 * The page of the local inbox.
 *
 * The mail's frame inherits this policy. It allows inline styles, which mails use. Both it and the frame's sandbox
 * forbid a mail's scripts.
 */
export const inboxPage = {
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      "style-src 'unsafe-inline'",
      `script-src ${script}`,
      'img-src data:',
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  },
  body: html.replace('{{icon}}', iconOf('Inbox')),
} as const
