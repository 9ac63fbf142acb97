import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { lifetimeInWords } from '../shared/accounts/tokens/lifetimes.ts'
import type { Granted } from '../shared/deps.ts'
import { DomainError } from '../shared/errors.ts'
import { fillHtml } from '../shared/html.ts'
import { answerTo } from '../shared/http/head.ts'
import { commonHeaders, problem } from '../shared/http/problem.ts'
import home from '../shared/pages/home.html'
import resetPassword from '../shared/pages/reset-password.html'
import verifyEmail from '../shared/pages/verify-email.html'
import { settings } from '../shared/runtime/environment.ts'
import { lambda } from '../shared/runtime/lambda.ts'

/** What one path answers: a page, the text for its gaps, and headers of its own. */
interface PageRow {
  page: typeof home
  gaps?: { newLink: string; linkLifetime: string }
  headers?: Record<string, string>
}

const pages = new Map<string, PageRow>([
  // RFC 8631: tells programs where the description of the API is.
  ['/', { page: home, headers: { link: '</openapi.json>; rel="service-desc"' } }],
  [
    '/verify-email',
    {
      page: verifyEmail,
      gaps: { newLink: '/auth/resend-verification', linkLifetime: lifetimeInWords('verification') },
    },
  ],
  [
    '/reset-password',
    { page: resetPassword, gaps: { newLink: '/auth/forgot-password', linkLifetime: lifetimeInWords('reset') } },
  ],
])

/** A page runs only its own style and script, calls only its own origin, and cannot be framed. */
const policyFor = ({ style, script }: typeof home): string =>
  [
    "default-src 'none'",
    `style-src ${style}`,
    ...(script === null ? [] : [`script-src ${script}`, "connect-src 'self'"]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')

/** An address, encoded for a `mailto` URL (RFC 6068 §2). */
const mailtoAddress = (email: string): string => email.split('@').map(encodeURIComponent).join('@')

type PagesConfig = Granted<'pages'>['config']

/** Serves the API's own pages. The URL of a request may carry a one-time token, so no header passes it on. */
const servePage =
  ({ config }: { config: PagesConfig }) =>
  async ({ rawPath, requestContext }: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const found = pages.get(rawPath)
    const { method } = requestContext.http
    if (found === undefined) return answerTo(method, problem(new DomainError('not-found')))
    const { page, gaps, headers } = found
    const { appUrl, productName, requireEmailVerification, supportEmail } = config
    const supportAddress = supportEmail && mailtoAddress(supportEmail)
    const values = { appUrl, productName, requireEmailVerification, supportAddress, supportEmail, ...gaps }
    return answerTo(method, {
      statusCode: 200,
      headers: {
        ...commonHeaders,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policyFor(page),
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        ...headers,
      },
      body: fillHtml(page.html, values),
    })
  }

export default servePage
export const handler = lambda(servePage, () => settings)
