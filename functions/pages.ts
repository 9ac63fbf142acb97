import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { lifetimeInWords } from '../shared/accounts/tokens/one-time-token.ts'
import type { Granted } from '../shared/api/deps.ts'
import { lambda } from '../shared/api/lambda.ts'
import type { PathOf, RowsOf } from '../shared/api/routes.ts'
import { answerTo, problem } from '../shared/base/answer.ts'
import { settings } from '../shared/base/environment.ts'
import { DomainError } from '../shared/base/errors.ts'
import { iconOf } from '../shared/base/html.ts'
import { type Page, pageAnswer } from '../shared/base/page-answer.ts'
import changeEmail from '../shared/pages/change-email.html'
import home from '../shared/pages/home.html'
import resetPassword from '../shared/pages/reset-password.html'
import undo from '../shared/pages/undo.html'
import verifyEmail from '../shared/pages/verify-email.html'
import { once } from '../shared/prebuilt/pack.ts'
import { respond } from '../shared/prebuilt/response.ts'
import { fillPage, referenceFile } from '../shared/prebuilt/whole-page.ts'

/** What one path answers: a page, the text for its gaps, and headers of its own. */
interface PageRow {
  page: typeof home
  gaps?: { newLink?: string; newLinkFor?: string; linkLifetime: string }
  headers?: Record<string, string>
}

const referencePath: PathOf<'reference'> = '/reference'

/** One for each path of its rows but the reference. */
const pages: Record<Exclude<PathOf<RowsOf<'pages'>>, typeof referencePath>, PageRow> = {
  // RFC 8631: tells where the descriptions of the API are, for programs and for people.
  '/': {
    page: home,
    headers: { link: `</openapi.json>; rel="service-desc", <${referencePath}>; rel="service-doc"` },
  },
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
  // Only who is logged in asks for the first of these links, and nobody for the second.
  '/change-email': { page: changeEmail, gaps: { linkLifetime: lifetimeInWords('verification') } },
  '/undo': { page: undo, gaps: { linkLifetime: lifetimeInWords('undo') } },
}
const pageAt = new Map<string, PageRow>(Object.entries(pages))

type PagesConfig = Granted<'pages'>['config']

interface Parts {
  config: PagesConfig
  /** Reads the reference as it was built. */
  reference(): Page
}

/** Serves the API's own pages. */
const servePage = ({ config, reference }: Parts) => {
  const { productName } = config
  // Its examples go to the API's address, which the build does not know.
  const filledReference = once(() =>
    fillPage(reference(), { origin: new URL(config.issuer).origin, productName, icon: iconOf(productName) }),
  )
  return async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const { rawPath, requestContext } = event
    if (rawPath === referencePath) {
      const { answer, fields } = filledReference()
      return respond(answer, event, fields)
    }
    const found = pageAt.get(rawPath)
    const { method } = requestContext.http
    if (found === undefined) return answerTo(method, problem(new DomainError('not-found')))
    const { page, gaps, headers } = found
    const { requireEmailVerification } = config
    return answerTo(method, pageAnswer(page, config, { gaps: { requireEmailVerification, ...gaps }, headers }))
  }
}

export default servePage
export const handler = lambda(servePage, () => ({ ...settings, reference: readReference }))

/** An import statement would load the file system at every cold start, though the other pages never need it. */
function readReference(): Page {
  const { readFileSync } = process.getBuiltinModule('node:fs')
  return JSON.parse(readFileSync(`${import.meta.dirname}/${referenceFile}`, 'utf8'))
}
