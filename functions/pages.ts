import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import type { Granted } from '../shared/api/deps.ts'
import { lambda } from '../shared/api/lambda.ts'
import type { PathOf } from '../shared/api/routes.ts'
import { answerTo, caching, commonHeaders, problem } from '../shared/base/answer.ts'
import { settings } from '../shared/base/environment.ts'
import { DomainError } from '../shared/base/errors.ts'
import { iconOf } from '../shared/base/html.ts'
import { type Page, pageAnswer, pageLanguage } from '../shared/base/page-answer.ts'
import { greatest } from '../shared/prebuilt/encoding.ts'
import { once } from '../shared/prebuilt/pack.ts'
import { respond } from '../shared/prebuilt/response.ts'
import { answerOf, fillPage, pageFile, referenceFile } from '../shared/prebuilt/whole-page.ts'

const referencePath: PathOf<'reference'> = '/reference'
const accountPath: PathOf<'account-page'> = '/account'
const changePasswordPath: PathOf<'change-password-page'> = '/.well-known/change-password'

/** RFC 8631: tells where the descriptions of the API are, for programs and for people. */
const homeFields = { link: `</openapi.json>; rel="service-desc", <${referencePath}>; rel="service-doc"` }

type PagesConfig = Granted<'pages'>['config']

interface Parts {
  config: PagesConfig
  /** Reads a page as it was built. @returns null if there is no such file */
  read(file: string): Page | null
}

/** The page of a path has its name. */
const nameOf = (path: string): string => (path === '/' ? 'home' : (/^\/([a-z-]+)$/.exec(path)?.[1] ?? ''))

/** Serves the API's own pages. */
const servePage = ({ config, read }: Parts) => {
  const known = new Map<string, Page>()
  const find = (file: string): Page | null => {
    const page = known.get(file) ?? read(file)
    if (page !== null) known.set(file, page)
    return page
  }
  const { accentColor, accountPage, appUrl, languages, productName, requireEmailVerification } = config
  // Its examples go to the API's address, which the build does not know.
  const filledReference = once(() => {
    const icon = iconOf(productName, accentColor)
    return fillPage(read(referenceFile) as Page, { origin: new URL(config.issuer).origin, productName, icon })
  })
  // It is the same for everybody, and holds the words of all its views: compressing it once is worth the time.
  const fillAccount = (tag: string) => {
    const isOn = {
      sessions: config.sessionDays > 0,
      verification: requireEmailVerification,
      factor: config.secondFactor !== 'off',
      languages: languages.length > 0,
    }
    const flags = Object.entries(isOn).flatMap(([flag, on]) => (on ? [flag] : []))
    const { headers, body = '' } = pageAnswer(read(pageFile('account', tag)) as Page, config, {
      gaps: { flags: flags.join(' ') },
      headers: { 'cache-control': caching.fiveMinutes },
      language: { offered: languages, tag, query: '' },
    })
    return { answer: answerOf(body, greatest), fields: headers as Record<string, string> }
  }
  const filledAccounts = new Map<string, ReturnType<typeof fillAccount>>()
  const filledAccount = (tag: string) => {
    const filled = filledAccounts.get(tag) ?? fillAccount(tag)
    filledAccounts.set(tag, filled)
    return filled
  }
  return async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const { rawPath, requestContext } = event
    const language = pageLanguage(event, languages)
    if (rawPath === referencePath || (rawPath === accountPath && accountPage)) {
      const { answer, fields } = rawPath === accountPath ? filledAccount(language.tag) : filledReference()
      return respond(answer, event, fields)
    }
    const { method } = requestContext.http
    const ownPage = `${accountPath}${language.query}`
    if (rawPath === changePasswordPath && accountPage) {
      return { statusCode: 302, headers: { ...commonHeaders, location: `${ownPage}#security` } }
    }
    const page = rawPath === accountPath ? null : find(pageFile(nameOf(rawPath), language.tag))
    if (page === null) return answerTo(method, problem(new DomainError('not-found')))
    const account = accountPage ? ownPage : null
    const logIn = appUrl === null ? account : null
    const toLogIn = appUrl ?? (account && `${account}#log-in`)
    const gaps = { account, logIn, toLogIn, requireEmailVerification }
    const headers = rawPath === '/' ? homeFields : {}
    return answerTo(method, pageAnswer(page, config, { gaps, headers, language }))
  }
}

export default servePage
export const handler = lambda(servePage, () => ({ ...settings, read: readPage }))

/** An import statement would load the file system at every cold start. */
function readPage(name: string): Page | null {
  const { existsSync, readFileSync } = process.getBuiltinModule('node:fs')
  const file = `${import.meta.dirname}/${name}`
  return existsSync(file) ? JSON.parse(readFileSync(file, 'latin1')) : null
}
