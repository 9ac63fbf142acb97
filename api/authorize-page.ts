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
 * Logs people in for an application, or asks them to (OpenID Connect Core §3.1.2).
 *
 * @param providers the providers to offer; null where there are none
 * @param find finds a prebuilt page
 */
export const authorizePage =
  (config: PagesConfig, clients: readonly Client[], providers: string | null, find: (file: string) => Page | null) =>
  (event: APIGatewayProxyEventV2, language: ReturnType<typeof pageLanguage>) => {
    const { issuer, passkeyRpId: rpId } = config
    const query = event.rawQueryString ?? ''
    const show = (name: string, options: Parameters<typeof pageAnswer>[2]) =>
      pageAnswer(find(pageFile(name, language.tag)) as Page, config, { language, ...options })
    const reading = readAuthorizationRequest(clients, query, issuer)
    // Repeats no input, and redirects nowhere.
    if (reading.is === 'unknown') {
      const headers = { vary: 'Accept' }
      if (!wantsPage(event.headers.accept)) return problem(new DomainError(reading.code, { headers }))
      const gaps = { isUnknown: reading.code === 'unknown-client' }
      return show('no-application', { status: 400, gaps, headers, language: { ...language, kept: '' } })
    }
    if (reading.is === 'refused') return leadTo(reading.location)
    const { request } = reading
    const { client, prompt, maxAge, loginHint } = request
    // A frame of another site gets no cookie, so this fails at once.
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
      // A provider's session may be old, so it proves no fresh login.
      providers: maxAge !== null || prompt.includes('login') ? null : providers,
    }
    return allowOpener(show('authorize', { gaps }))
  }

/** The features that are on, for a page's script. */
export const flagsOf = (isOn: Record<string, boolean>): string =>
  Object.entries(isOn)
    .flatMap(([flag, on]) => (on ? [flag] : []))
    .join(' ')

/** RFC 9110 §15.4.3, §15.4.4. */
export const leadTo = (location: string, statusCode = 302) => ({ statusCode, headers: { ...commonHeaders, location } })

/** A page that may be in a popup; otherwise it would look closed to its opener. */
export function allowOpener(answer: APIGatewayProxyStructuredResultV2): APIGatewayProxyStructuredResultV2 {
  const { 'cross-origin-opener-policy': _, ...headers } = answer.headers ?? {}
  return { ...answer, headers }
}

/** OpenID Connect Core §3.1.2.6, RFC 6749 §4.1.2.1. */
const loginRequired = { error: 'login_required', error_description: 'Nobody is logged in here' }
const canceled = { error: 'access_denied', error_description: 'The login was canceled' }

/** Destinations of documents within another document (Fetch Metadata). */
const framed = new Set(['iframe', 'frame', 'embed', 'object', 'fencedframe'])
