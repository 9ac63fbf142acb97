import { join } from 'node:path'
import { stop } from 'esbuild'
import { composePage } from '../../infra/build/html-page.ts'
import { iconOf } from '../../shared/base/html.ts'

const { html, script } = await composePage(join(import.meta.dirname, 'page', 'inbox.html'))
// Ends esbuild's process, which would otherwise stay.
await stop()

/**
 * The page that shows the mails of the local inbox.
 *
 * The frame that shows a mail inherits this policy. It allows inline styles, because mails use them. It forbids a mail's
 * scripts, and so does the frame's sandbox.
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
