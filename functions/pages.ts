import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { type Client, clientsFile, findClient } from '../accounts/application/client.ts'
import { answerIn } from '../accounts/identity/form-post.ts'
import { findProvider, offeredIn, type Provider, providersFile, providerView } from '../accounts/identity/provider.ts'
import { allowOpener, authorizePage, flagsOf, leadTo, type PagesConfig } from '../api/authorize-page.ts'
import { lambda } from '../api/lambda.ts'
import type { PathOf } from '../api/routes.ts'
import { answerTo, caching, commonHeaders, problem } from '../shared/base/answer.ts'
import { settings } from '../shared/base/environment.ts'
import { DomainError } from '../shared/base/errors.ts'
import { iconOf } from '../shared/base/html.ts'
import { type Page, pageAnswer, pageLanguage } from '../shared/base/page-answer.ts'
import { greatest } from '../shared/prebuilt/encoding.ts'
import { once } from '../shared/prebuilt/pack.ts'
import { compressed, respond } from '../shared/prebuilt/response.ts'
import { answerOf, fillPage, pageFile, referenceFile } from '../shared/prebuilt/whole-page.ts'

const referencePath: PathOf<'reference'> = '/reference'
const accountPath: PathOf<'account-page'> = '/account'
const changePasswordPath: PathOf<'change-password-page'> = '/.well-known/change-password'

const passkeyEndpointsPath: PathOf<'passkey-endpoints'> = '/.well-known/passkey-endpoints'

/** RFC 8631: tells where the descriptions of the API are, for programs and for people. */
const homeFields = { link: `</openapi.json>; rel="service-desc", <${referencePath}>; rel="service-doc"` }

const authorizePath: PathOf<'authorize-page'> = '/authorize'
const logoutPath: PathOf<'logout-page'> = '/logout'
const signInPath: PathOf<'sign-in-page'> = '/sign-in/{provider}'
const signInFolder = signInPath.slice(0, signInPath.indexOf('{'))

interface Parts {
  config: PagesConfig
  clients: readonly Client[]
  providers: readonly Provider[]
  /** Reads a page as it was built. @returns null if there is no such file */
  read(file: string): Page | null
}

/** The page of a path has its name. */
const nameOf = (path: string): string => (path === '/' ? 'home' : (/^\/([a-z-]+)$/.exec(path)?.[1] ?? ''))

/** Serves the API's own pages. */
const servePage = ({ config, clients, providers, read }: Parts) => {
  const known = new Map<string, Page>()
  const find = (file: string): Page | null => {
    const page = known.get(file) ?? read(file)
    if (page !== null) known.set(file, page)
    return page
  }
  const {
    accentColor,
    accountPage,
    appUrl,
    languages,
    passkeyRpId: rpId,
    productName,
    requireEmailVerification,
  } = config
  const offered = offeredIn(providers)
  const pagesUrl = config.browserUrl ?? new URL(config.issuer).origin
  /** The providers as the pages need them to send people there; null without any. */
  const listed = offered.length > 0 ? JSON.stringify(offered.map(each => providerView(each, pagesUrl))) : null
  // Its examples go to the API's address, which the build does not know.
  const filledReference = once(() => {
    const icon = iconOf(productName, accentColor)
    const account = accountPage ? accountPath : ''
    return fillPage(read(referenceFile) as Page, { origin: new URL(config.issuer).origin, productName, icon, account })
  })
  // It is the same for everybody, and holds the words of all its views: compressing it once is worth the time.
  const fillAccount = (tag: string) => {
    const isOn = {
      sessions: config.sessionDays > 0,
      verification: requireEmailVerification,
      factor: config.secondFactor !== 'off',
      required: config.secondFactor === 'required',
      languages: languages.length > 0,
      invitation: config.signUp === 'invited',
    }
    const { headers, body = '' } = pageAnswer(read(pageFile('account', tag)) as Page, config, {
      gaps: { flags: flagsOf(isOn), rpId, providers: listed },
      headers: { 'cache-control': caching.fiveMinutes },
      language: { offered: languages, tag, query: '' },
    })
    return { answer: answerOf(body, greatest), fields: headers as Record<string, string> }
  }
  const passkeys = `${pagesUrl}${accountPath}`
  const passkeyEndpoints = {
    statusCode: 200,
    headers: { ...commonHeaders, 'content-type': 'application/json', 'cache-control': caching.fiveMinutes },
    body: JSON.stringify({ enroll: `${passkeys}#add-passkey`, manage: `${passkeys}#security` }),
  }
  const authorize = authorizePage(config, clients, listed, find)
  const filledAccounts = new Map<string, ReturnType<typeof fillAccount>>()
  const filledAccount = (tag: string) => {
    const filled = filledAccounts.get(tag) ?? fillAccount(tag)
    filledAccounts.set(tag, filled)
    return filled
  }
  return async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const { rawPath, requestContext } = event
    const isAuthorizing = rawPath === authorizePath || rawPath === logoutPath
    const isFromProvider = rawPath.startsWith(signInFolder)
    // A query from a provider is ignored.
    const kept = isFromProvider ? '' : keptOf(event, isAuthorizing)
    const language = { ...pageLanguage(event, languages, isAuthorizing), kept }
    if (rawPath === referencePath || (rawPath === accountPath && accountPage)) {
      const { answer, fields } = rawPath === accountPath ? filledAccount(language.tag) : filledReference()
      return respond(answer, event, fields)
    }
    const { method } = requestContext.http
    const ownPage = `${accountPath}${language.query}`
    if (rawPath === changePasswordPath && accountPage) {
      return { statusCode: 302, headers: { ...commonHeaders, location: `${ownPage}#change-password` } }
    }
    if (rawPath === passkeyEndpointsPath && accountPage && rpId !== null) return answerTo(method, passkeyEndpoints)
    if (rawPath === authorizePath && config.hasClients) return compressed(authorize(event, language), event)
    const isAbsent = rawPath === accountPath || (isAuthorizing && !config.hasClients)
    const provider = isFromProvider ? findProvider(providers, rawPath.slice(signInFolder.length)) : null
    if (provider && method === 'POST') return comeBack(event, provider)
    const name = provider ? 'sign-in' : nameOf(rawPath)
    const page = isAbsent ? null : find(pageFile(name, language.tag))
    if (page === null) return answerTo(method, problem(new DomainError('not-found')))
    const account = accountPage ? ownPage : null
    const logIn = appUrl === null ? account : null
    const toLogIn = appUrl ?? (account && `${account}#log-in`)
    const sender = isAuthorizing ? null : findClient(clients, new URLSearchParams(language.kept).get('client') ?? '')
    const ofSender = sender?.home && { clientHome: sender.home, clientName: sender.name }
    // Who is not invited opens no account.
    const ways = config.signUp === 'open' ? { join: account } : { enter: account }
    const isAwaited = accountPage || config.hasClients
    const gaps = { ...ways, isAwaited, logIn, toLogIn, requireEmailVerification, providers: listed, ...ofSender }
    const headers = rawPath === '/' ? homeFields : {}
    const answer = pageAnswer(page, config, { gaps, headers, language })
    return compressed(provider ? allowOpener(answer) : answer, event)
  }
}

/** The part of a page's query that stays when its language changes: an application's request, or the sender of its mail. */
function keptOf({ rawQueryString = '' }: APIGatewayProxyEventV2, isAuthorizing: boolean): string {
  if (!rawQueryString) return ''
  const query = new URLSearchParams(rawQueryString)
  if (!isAuthorizing)
    return query.has('client') ? String(new URLSearchParams({ client: query.get('client') ?? '' })) : ''
  query.delete('lang')
  return String(query)
}

/**
 * Redirects a provider's answer by POST to an address that has it in the fragment, which no log has: the page in the tab
 * reads it.
 */
function comeBack({ rawPath, body = '', isBase64Encoded }: APIGatewayProxyEventV2, { formPost }: Provider) {
  if (formPost) return leadTo(`${rawPath}#${answerIn(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'))}`, 303)
  const headers = { allow: 'GET, HEAD, OPTIONS' }
  const detail = `${rawPath} answers ${headers.allow}, not POST`
  return problem(new DomainError('method-not-allowed', { detail, headers }))
}

export default servePage
export const handler = lambda(servePage, () => ({
  ...settings,
  clients: readClients(),
  providers: readProviders(),
  read: readPage,
}))

/** The applications and the other providers lie beside the bundle. */
const readClients = (): Client[] => (settings.config.hasClients ? readBeside(clientsFile) : [])
const readProviders = (): Provider[] => (settings.config.hasProviders ? readBeside(providersFile) : [])
/** In ASCII. */
const readPage = (name: string): Page | null => readBeside(name, 'latin1')

/** An import statement would load the file system at every cold start. @returns null if there is no such file */
function readBeside(name: string, encoding: 'latin1' | 'utf8' = 'utf8') {
  const { existsSync, readFileSync } = process.getBuiltinModule('node:fs')
  const file = `${import.meta.dirname}/${name}`
  return existsSync(file) ? JSON.parse(readFileSync(file, encoding)) : null
}
