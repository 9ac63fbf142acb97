import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { lifetimeInWords } from '../shared/accounts/tokens/one-time-token.ts'
import type { Granted } from '../shared/api/deps.ts'
import { lambda } from '../shared/api/lambda.ts'
import type { PathOf, RowsOf } from '../shared/api/routes.ts'
import { answerTo, problem } from '../shared/base/answer.ts'
import { settings } from '../shared/base/environment.ts'
import { DomainError } from '../shared/base/errors.ts'
import { pageAnswer } from '../shared/base/page-answer.ts'
import home from '../shared/pages/home.html'
import resetPassword from '../shared/pages/reset-password.html'
import verifyEmail from '../shared/pages/verify-email.html'

/** What one path answers: a page, the text for its gaps, and headers of its own. */
interface PageRow {
  page: typeof home
  gaps?: { newLink: string; newLinkFor: string; linkLifetime: string }
  headers?: Record<string, string>
}

/** One for each path of its rows. */
const pages: Record<PathOf<RowsOf<'pages'>>, PageRow> = {
  // RFC 8631: tells programs where the description of the API is.
  '/': { page: home, headers: { link: '</openapi.json>; rel="service-desc"' } },
  '/verify-email': {
    page: verifyEmail,
    gaps: {
      newLink: '/auth/resend-verification',
      newLinkFor: 'an account that is not verified yet',
      linkLifetime: lifetimeInWords('verification'),
    },
  },
  '/reset-password': {
    page: resetPassword,
    gaps: { newLink: '/auth/forgot-password', newLinkFor: 'an account', linkLifetime: lifetimeInWords('reset') },
  },
}
const pageAt = new Map<string, PageRow>(Object.entries(pages))

type PagesConfig = Granted<'pages'>['config']

/** Serves the API's own pages. */
const servePage =
  ({ config }: { config: PagesConfig }) =>
  async ({ rawPath, requestContext }: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const found = pageAt.get(rawPath)
    const { method } = requestContext.http
    if (found === undefined) return answerTo(method, problem(new DomainError('not-found')))
    const { page, gaps, headers } = found
    const { requireEmailVerification } = config
    return answerTo(method, pageAnswer(page, config, { gaps: { requireEmailVerification, ...gaps }, headers }))
  }

export default servePage
export const handler = lambda(servePage, () => settings)
