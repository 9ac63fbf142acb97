import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { commonHeaders } from './answer.ts'
import { accentSheet } from './colour.ts'
import type { Config } from './config.ts'
import { fillHtml, iconOf } from './html.ts'

/** A page in one piece, as the build makes it: its HTML, and the CSP source expressions of its style and its script. */
export interface Page {
  html: string
  style: string
  script: string | null
}

/** What every page shows of the product. */
export type ShownNames = Pick<Config, 'accentColor' | 'appUrl' | 'logoUrl' | 'productName' | 'supportEmail'>

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

/** Answers with a page. */
export function pageAnswer(
  page: Page,
  { accentColor, appUrl, logoUrl, productName, supportEmail }: ShownNames,
  { status = 200, gaps, headers }: PageOptions = {},
): APIGatewayProxyStructuredResultV2 {
  const supportAddress = supportEmail && mailtoAddress(supportEmail)
  const accent = accentColor && accentSheet(accentColor)
  const icon = iconOf(productName, accentColor)
  const names = { appUrl, icon, logo: logoUrl ?? icon, productName, supportAddress, supportEmail }
  return {
    statusCode: status,
    headers: {
      ...commonHeaders,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyFor(page, accent, logoUrl),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      ...headers,
    },
    body: fillHtml(page.html, { ...names, ...gaps }).replace(
      '</head>',
      end => (accent === null ? '' : `<style>${accent}</style>`) + end,
    ),
  }
}

/**
 * A page runs only its own style and script, shows only the images that it carries and an operator's logo, calls only its
 * own origin, and cannot be framed.
 */
const policyFor = ({ style, script }: Page, accent: string | null, logoUrl: string | null): string =>
  [
    "default-src 'none'",
    `style-src ${style}${accent === null ? '' : ` ${hashSource(accent)}`}`,
    `img-src data:${logoUrl?.startsWith('https:') ? ` ${new URL(logoUrl).origin}` : ''}`,
    ...(script === null ? [] : [`script-src ${script}`, "connect-src 'self'"]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')

/** The CSP source expression of a text (CSP Level 3 §2.3.1). An import statement would load the module at every cold start. */
const hashSource = (text: string): string =>
  `'sha256-${process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('base64')}'`

/** An address, encoded for a `mailto` URL (RFC 6068 §2). */
const mailtoAddress = (email: string): string => email.split('@').map(encodeURIComponent).join('@')
