import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { DomainError } from '../shared/errors.ts'
import { answerTo } from '../shared/http/head.ts'
import { commonHeaders, problem } from '../shared/http/problem.ts'
import { lambda } from '../shared/lambda.ts'
import resetPassword from '../shared/pages/reset-password.html'
import verifyEmail from '../shared/pages/verify-email.html'

const pages = new Map([
  ['/verify-email', verifyEmail],
  ['/reset-password', resetPassword],
])

/** The page runs its own style and script, talks to its own origin, and is nobody's frame. */
const policyFor = ({ style, script }: typeof verifyEmail): string =>
  [
    "default-src 'none'",
    `style-src ${style}`,
    `script-src ${script}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')

/** The two pages that the mails link to. The address that they are opened with carries a secret: it is passed to no one. */
const servePage =
  () =>
  async ({ rawPath, requestContext }: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const page = pages.get(rawPath)
    const { method } = requestContext.http
    if (page === undefined) return answerTo(method, problem(new DomainError('not-found')))
    return answerTo(method, {
      statusCode: 200,
      headers: {
        ...commonHeaders,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policyFor(page),
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      },
      body: page.html,
    })
  }

export default servePage
export const handler = lambda(servePage, () => undefined)
