import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import type { Granted } from '../shared/deps.ts'
import { settings } from '../shared/environment.ts'
import { DomainError } from '../shared/errors.ts'
import { fillHtml } from '../shared/html.ts'
import { answerTo } from '../shared/http/head.ts'
import { commonHeaders, problem } from '../shared/http/problem.ts'
import { lambda } from '../shared/lambda.ts'
import home from '../shared/pages/home.html'
import resetPassword from '../shared/pages/reset-password.html'
import verifyEmail from '../shared/pages/verify-email.html'

/** The pages, which endpoint mails another link like the one that opens them, and what headers they have besides. */
const pages = new Map([
  // RFC 8631: programs that come here find the description of the API.
  ['/', { page: home, newLink: null, others: { link: '</openapi.json>; rel="service-desc"' } }],
  ['/verify-email', { page: verifyEmail, newLink: '/auth/resend-verification', others: {} }],
  ['/reset-password', { page: resetPassword, newLink: '/auth/forgot-password', others: {} }],
])

/** The page runs its own style and script, talks to its own origin, and is nobody's frame. */
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

/** An address as a `mailto` URL takes it (RFC 6068 §2). */
const mailtoAddress = (email: string): string => email.split('@').map(encodeURIComponent).join('@')

type PagesConfig = Granted<'pages'>['config']

/** The API's own pages. The address that one is opened with may carry a secret: it is passed to no one. */
const servePage =
  ({ config }: { config: PagesConfig }) =>
  async ({ rawPath, requestContext }: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const found = pages.get(rawPath)
    const { method } = requestContext.http
    if (found === undefined) return answerTo(method, problem(new DomainError('not-found')))
    const { page, newLink, others } = found
    const { appUrl, productName, requireEmailVerification, supportEmail } = config
    const supportAddress = supportEmail && mailtoAddress(supportEmail)
    const values = { appUrl, newLink, productName, requireEmailVerification, supportAddress, supportEmail }
    return answerTo(method, {
      statusCode: 200,
      headers: {
        ...commonHeaders,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policyFor(page),
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        ...others,
      },
      body: fillHtml(page.html, values),
    })
  }

export default servePage
export const handler = lambda(servePage, () => settings)
