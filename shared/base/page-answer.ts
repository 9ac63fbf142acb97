import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { commonHeaders } from './answer.ts'
import type { Config } from './config.ts'
import { fillHtml, iconOf } from './html.ts'

/** A page in one piece, as the build makes it: its HTML, and the CSP source expressions of its style and its script. */
export interface Page {
  html: string
  style: string
  script: string | null
}

/** The names and addresses that every page shows. */
export type ShownNames = Pick<Config, 'appUrl' | 'productName' | 'supportEmail'>

interface PageOptions {
  status?: number
  /** The text for the page's own gaps. */
  gaps?: Parameters<typeof fillHtml>[1]
  headers?: Record<string, string> | undefined
}

/** Whether a request asks for a page (RFC 9110 §12.5.1): browsers name `text/html` when a person opens an address. */
export const wantsPage = (accept = ''): boolean =>
  accept.split(',').some(range => {
    const [type, ...parameters] = range.split(';').map(part => part.trim().toLowerCase())
    return type === 'text/html' && !parameters.some(parameter => /^q=0(?:\.0*)?$/.test(parameter))
  })

/** Answers with a page. The URL of a request may carry a one-time token, so no header passes it on. */
export function pageAnswer(
  page: Page,
  { appUrl, productName, supportEmail }: ShownNames,
  { status = 200, gaps, headers }: PageOptions = {},
): APIGatewayProxyStructuredResultV2 {
  const supportAddress = supportEmail && mailtoAddress(supportEmail)
  const names = { appUrl, icon: iconOf(productName), productName, supportAddress, supportEmail }
  return {
    statusCode: status,
    headers: {
      ...commonHeaders,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyFor(page),
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      ...headers,
    },
    body: fillHtml(page.html, { ...names, ...gaps }),
  }
}

/**
 * A page runs only its own style and script, shows only the icon that it carries, calls only its own origin, and cannot
 * be framed.
 */
const policyFor = ({ style, script }: Page): string =>
  [
    "default-src 'none'",
    `style-src ${style}`,
    'img-src data:',
    ...(script === null ? [] : [`script-src ${script}`, "connect-src 'self'"]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')

/** An address, encoded for a `mailto` URL (RFC 6068 §2). */
const mailtoAddress = (email: string): string => email.split('@').map(encodeURIComponent).join('@')
