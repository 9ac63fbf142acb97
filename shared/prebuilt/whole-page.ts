// Answers for pages that are the same for everybody.
import { fillHtml } from '../base/html.ts'
import type { Page } from '../base/page-answer.ts'
import { compressLater, type Effort } from './encoding.ts'
import { asAscii } from './markup.ts'
import type { Answer } from './pack.ts'

/**
 * A page's file in a language, beside the bundle of its function, which reads it on demand.
 *
 * @param name of its file in `shared/pages`
 */
export const pageFile = (name: string, tag: string): string => `${name}.${tag}.json`

/** The reference is in English only. */
export const referenceFile = 'reference.json'

export const pageType = 'text/html; charset=utf-8'

/**
 * Header fields of a page. Content Security Policy, Level 3: it runs its own script and style, shows its own icon, and
 * makes no other request, so pasted text cannot leave. Nothing can become a script (Trusted Types), and nobody may
 * frame it.
 *
 * @param script the source expression of its script
 * @param style the source expression of its style
 */
export const pageFields = (script: string, style: string): Record<string, string> => ({
  'content-security-policy': [
    "default-src 'none'",
    `script-src ${script}`,
    `style-src ${style}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
})

/** A page as an answer, its gaps filled with values of the running service. */
export function fillPage({ html, style, script }: Page, gaps: Record<string, string>) {
  return { answer: answerOf(fillHtml(html, gaps)), fields: pageFields(script ?? "'none'", style) }
}

/** A page's HTML as an answer, with its ETag and its compressed forms. */
export function answerOf(html: string, effort?: Effort): Answer {
  const text = asAscii(html)
  const { createHash } = process.getBuiltinModule('node:crypto')
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 16)}"`
  return Object.assign(compressLater(text, effort), { text, type: pageType, etag })
}
