import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { lifetimeInWords } from '../shared/accounts/tokens/one-time-token.ts'
import type { Granted } from '../shared/api/deps.ts'
import { lambda } from '../shared/api/lambda.ts'
import type { PathOf, RowsOf } from '../shared/api/routes.ts'
import { answerTo, caching, commonHeaders, problem } from '../shared/base/answer.ts'
import { settings } from '../shared/base/environment.ts'
import { DomainError } from '../shared/base/errors.ts'
import { iconOf } from '../shared/base/html.ts'
import { type Page, pageAnswer } from '../shared/base/page-answer.ts'
import { accountWords } from '../shared/pages/messages.ts'
import { greatest } from '../shared/prebuilt/encoding.ts'
import { once } from '../shared/prebuilt/pack.ts'
import { respond } from '../shared/prebuilt/response.ts'
import { answerOf, fillPage, type PageName, pageFile } from '../shared/prebuilt/whole-page.ts'

/** What one path answers: the name of a page, the text for its gaps, and headers of its own. */
interface PageRow {
  page: PageName
  gaps?: { newLink?: string; newLinkFor?: string; linkLifetime: string }
  headers?: Record<string, string>
}

const referencePath: PathOf<'reference'> = '/reference'
const accountPath: PathOf<'account-page'> = '/account'
const changePasswordPath: PathOf<'change-password-page'> = '/.well-known/change-password'

/** One for each path of its rows but those above. */
const pages: Record<
  Exclude<PathOf<RowsOf<'pages'>>, typeof referencePath | typeof accountPath | typeof changePasswordPath>,
  PageRow
> = {
  // RFC 8631: tells where the descriptions of the API are, for programs and for people.
  '/': {
    page: 'home',
    headers: { link: `</openapi.json>; rel="service-desc", <${referencePath}>; rel="service-doc"` },
  },
  '/verify-email': {
    page: 'verify-email',
    gaps: {
      newLink: '/auth/resend-verification',
      newLinkFor: 'an account that is not verified yet',
      linkLifetime: lifetimeInWords('verification'),
    },
  },
  '/reset-password': {
    page: 'reset-password',
    gaps: { newLink: '/auth/forgot-password', newLinkFor: 'an account', linkLifetime: lifetimeInWords('reset') },
  },
  '/second-factor': { page: 'second-factor', gaps: { linkLifetime: lifetimeInWords('second-factor') } },
  // Only who is logged in asks for the first of these links, and nobody for the second.
  '/change-email': { page: 'change-email', gaps: { linkLifetime: lifetimeInWords('verification') } },
  '/undo': { page: 'undo', gaps: { linkLifetime: lifetimeInWords('undo') } },
}
const pageAt = new Map<string, PageRow>(Object.entries(pages))

type PagesConfig = Granted<'pages'>['config']

interface Parts {
  config: PagesConfig
  /** Reads a page as it was built. */
  read(page: PageName): Page
}

/** Serves the API's own pages. */
const servePage = ({ config, read }: Parts) => {
  const { accentColor, accountPage, appUrl, productName, requireEmailVerification } = config
  // Its examples go to the API's address, which the build does not know.
  const filledReference = once(() => {
    const icon = iconOf(productName, accentColor)
    return fillPage(read('reference'), { origin: new URL(config.issuer).origin, productName, icon })
  })
  // It is the same for everybody, and holds the words of all its views: compressing it once is worth the time.
  const filledAccount = once(() => {
    const isOn = {
      sessions: config.sessionDays > 0,
      verification: requireEmailVerification,
      factor: config.secondFactor !== 'off',
    }
    const flags = Object.entries(isOn).flatMap(([flag, on]) => (on ? [flag] : []))
    const { headers, body = '' } = pageAnswer(read('account'), config, {
      gaps: { ...accountWords, flags: flags.join(' ') },
      headers: { 'cache-control': caching.fiveMinutes },
    })
    return { answer: answerOf(body, greatest), fields: headers as Record<string, string> }
  })
  const known = new Map<PageName, Page>()
  const pageOf = (name: PageName): Page => {
    const page = known.get(name) ?? read(name)
    known.set(name, page)
    return page
  }
  return async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const { rawPath, requestContext } = event
    if (rawPath === referencePath || (rawPath === accountPath && accountPage)) {
      const { answer, fields } = (rawPath === accountPath ? filledAccount : filledReference)()
      return respond(answer, event, fields)
    }
    const { method } = requestContext.http
    if (rawPath === changePasswordPath && accountPage) {
      return { statusCode: 302, headers: { ...commonHeaders, location: `${accountPath}#security` } }
    }
    const found = pageAt.get(rawPath)
    if (found === undefined) return answerTo(method, problem(new DomainError('not-found')))
    const { page, gaps, headers } = found
    const account = accountPage ? accountPath : null
    const shown = { account, logIn: appUrl === null ? account : null, requireEmailVerification, ...gaps }
    return answerTo(method, pageAnswer(pageOf(page), config, { gaps: shown, headers }))
  }
}

export default servePage
export const handler = lambda(servePage, () => ({ ...settings, read: readPage }))

/** An import statement would load the file system at every cold start. */
function readPage(name: PageName): Page {
  const { readFileSync } = process.getBuiltinModule('node:fs')
  return JSON.parse(readFileSync(`${import.meta.dirname}/${pageFile(name)}`, 'utf8'))
}
