import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { answerLocation, readAuthorizationRequest } from '../accounts/application/authorization-request.ts'
import type { Client } from '../accounts/application/client.ts'
import { commonHeaders, problem } from '../shared/base/answer.ts'
import { DomainError } from '../shared/base/errors.ts'
import { type Page, pageAnswer, type pageLanguage, wantsPage } from '../shared/base/page-answer.ts'
import { pageFile } from '../shared/prebuilt/whole-page.ts'
import type { Granted } from './deps.ts'

export type PagesConfig = Granted<'pages'>['config']

/**
 * Asks people who they are, for an application that may ask (OpenID Connect Core §3.1.2).
 *
 * @param providers what the page sends people to other providers with; null where there are none
 * @param find finds a page as it was built
 */
export const authorizePage =
  (config: PagesConfig, clients: readonly Client[], providers: string | null, find: (file: string) => Page | null) =>
  (event: APIGatewayProxyEventV2, language: ReturnType<typeof pageLanguage>) => {
    const { issuer, passkeyRpId: rpId } = config
    const query = event.rawQueryString ?? ''
    const show = (name: string, options: Parameters<typeof pageAnswer>[2]) =>
      pageAnswer(find(pageFile(name, language.tag)) as Page, config, { language, ...options })
    const reading = readAuthorizationRequest(clients, query, issuer)
    // Nothing that was sent is said again, and nobody is led anywhere.
    if (reading.is === 'unknown') {
      const headers = { vary: 'Accept' }
      if (!wantsPage(event.headers.accept)) return problem(new DomainError(reading.code, { headers }))
      const gaps = { isUnknown: reading.code === 'unknown-client' }
      return show('no-application', { status: 400, gaps, headers, language: { ...language, kept: '' } })
    }
    if (reading.is === 'refused') return leadTo(reading.location)
    const { request } = reading
    const { client, prompt, maxAge, loginHint } = request
    // No cookie comes along in a frame of another site: said at once, not by waiting in vain.
    if (prompt.includes('none') && framed.has(event.headers['sec-fetch-dest'] ?? '')) {
      return leadTo(answerLocation(issuer, request, loginRequired))
    }
    const isOn = {
      sessions: config.sso && config.sessionDays > 0,
      verification: !client.unverified,
      languages: config.languages.length > 0,
      invitation: config.signUp === 'invited',
    }
    const gaps = {
      clientName: client.name,
      clientId: client.id,
      loginHint,
      cancel: answerLocation(issuer, request, canceled),
      flags: flagsOf(isOn),
      rpId,
      // People may have been logged in there for long: it shows nothing fresh.
      providers: maxAge !== null || prompt.includes('login') ? null : providers,
    }
    return openable(show('authorize', { gaps }))
  }

/** What is on of what a page's script asks for. */
export const flagsOf = (isOn: Record<string, boolean>): string =>
  Object.entries(isOn)
    .flatMap(([flag, on]) => (on ? [flag] : []))
    .join(' ')

/** RFC 9110 §15.4.3, §15.4.4. */
export const leadTo = (location: string, statusCode = 302) => ({ statusCode, headers: { ...commonHeaders, location } })

/** A page that may lie in a popup: it would look closed to the page that opened it. */
export function openable(answer: APIGatewayProxyStructuredResultV2): APIGatewayProxyStructuredResultV2 {
  const { 'cross-origin-opener-policy': _, ...headers } = answer.headers ?? {}
  return { ...answer, headers }
}

/** OpenID Connect Core §3.1.2.6, and RFC 6749 §4.1.2.1. */
const loginRequired = { error: 'login_required', error_description: 'Nobody is logged in here' }
const canceled = { error: 'access_denied', error_description: 'The login was canceled' }

/** The destinations of documents within another one (Fetch Metadata). */
const framed = new Set(['iframe', 'frame', 'embed', 'object', 'fencedframe'])
