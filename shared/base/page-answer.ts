import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { commonHeaders } from './answer.ts'
import { accentSheet } from './colour.ts'
import type { Config } from './config.ts'
import { escapeHtml, fillHtml, iconOf } from './html.ts'
import { chooseLanguage, lookUp } from './language.ts'

/** A built page: its HTML, and the CSP source expressions of its style and script. */
export interface Page {
  html: string
  style: string
  script: string | null
  /** The switch of languages: its label, and their names by tag. */
  languages?: { label: string; all: Record<string, { name: string; dir: string }> }
}

/** The language of a page. */
interface PageLanguage {
  /** The tags of the setting LANGUAGES; empty while unset. */
  offered: readonly string[]
  tag: string
  /** The address's choice as a query, which links to other pages keep. */
  query: string
  /** The rest of the page's query, which links to its other languages keep. */
  kept?: string
}

/** The product's names on every page. */
export type ShownNames = Pick<
  Config,
  'accentColor' | 'appUrl' | 'logoUrl' | 'privacyUrl' | 'productName' | 'supportEmail' | 'termsUrl'
>

interface PageOptions {
  status?: number
  /** Values of the page's own gaps. */
  gaps?: Parameters<typeof fillHtml>[1]
  headers?: Record<string, string> | undefined
  /** Absent for a page in one language. */
  language?: PageLanguage
}

/** The languages in a request for a page. */
interface PageRequest {
  rawQueryString?: string
  headers: Record<string, string | undefined>
}

/**
 * The language of a requested page. A query without an offered language changes nothing.
 *
 * @param isAuthorizing whether an application sends people there, with their languages in `ui_locales`
 */
export function pageLanguage(
  { rawQueryString = '', headers }: PageRequest,
  offered: readonly string[],
  isAuthorizing = false,
): PageLanguage {
  // Parsing languages would slow the cold start of functions that offer none.
  if (offered.length === 0) return { offered, tag: 'en', query: '' }
  const lang = onlyIn(rawQueryString, 'lang')
  const uiLocales = isAuthorizing ? onlyIn(rawQueryString, 'ui_locales') : undefined
  const said = lookUp(offered, lang ?? '')
  return {
    offered,
    tag: chooseLanguage(offered, { lang, uiLocales, accept: headers['accept-language'] }),
    query: said === null ? '' : `?lang=${said}`,
  }
}

/** A query's parameter, if given exactly once. */
function onlyIn(query: string, name: string): string | undefined {
  const [value, ...more] = query ? new URLSearchParams(query).getAll(name) : []
  return more.length > 0 ? undefined : value
}

/** Whether a request asks for a page (RFC 9110 §12.5.1): browsers send `text/html` when a person opens an address. */
export const wantsPage = (accept = ''): boolean =>
  accept.split(',').some(range => {
    const [type, ...parameters] = range.split(';').map(part => part.trim().toLowerCase())
    return type === 'text/html' && !parameters.some(parameter => /^q=0(?:\.0*)?$/.test(parameter))
  })

/** Answers with a page. */
export function pageAnswer(
  page: Page,
  { accentColor, appUrl, logoUrl, privacyUrl, productName, supportEmail, termsUrl }: ShownNames,
  { status = 200, gaps, headers, language }: PageOptions = {},
): APIGatewayProxyStructuredResultV2 {
  const supportAddress = supportEmail && mailtoAddress(supportEmail)
  const accent = accentColor && accentSheet(accentColor)
  const icon = iconOf(productName, accentColor)
  const hasFooter = Boolean(supportEmail ?? termsUrl ?? privacyUrl)
  const ofOperator = { appUrl, privacyUrl, productName, supportAddress, supportEmail, termsUrl }
  const names = { ...ofOperator, hasFooter, icon, logo: logoUrl ?? icon }
  return {
    statusCode: status,
    headers: {
      ...commonHeaders,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyFor(page, accent, logoUrl),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      ...headers,
      ...languageFields(headers?.vary, language),
    },
    body: fillHtml(page.html, { ...names, lang: language?.query, ...gaps })
      .replace('</head>', end => (accent === null ? '' : `<style>${accent}</style>`) + end)
      .replace('</body>', end => switchOf(page, language) + end),
  }
}

/** Header fields of a page with a language (RFC 9110 §8.5, §12.5.5). */
function languageFields(
  vary: string | undefined,
  { offered, tag }: Partial<PageLanguage> = {},
): Record<string, string> {
  if (!offered?.length || tag === undefined) return {}
  const varies = [vary, offered.length > 1 ? 'Accept-Language' : undefined].filter(each => each !== undefined)
  return { 'content-language': tag, ...(varies.length > 0 && { vary: varies.join(', ') }) }
}

/** The links to the same page in other languages, if there are any. */
function switchOf({ languages }: Page, language: PageLanguage | undefined): string {
  if (!language || !languages || language.offered.length < 2) return ''
  const links = language.offered.map(tag => {
    const { name = tag, dir = 'ltr' } = languages.all[tag] ?? {}
    const current = tag === language.tag ? ' aria-current="true"' : ''
    const kept = language.kept ? `${escapeHtml(language.kept)}&amp;` : ''
    return `<a href="?${kept}lang=${tag}" lang="${tag}" hreflang="${tag}" dir="${dir}"${current}>${escapeHtml(name)}</a>`
  })
  return `<nav class="languages" aria-label="${escapeHtml(languages.label)}">${links.join('\n')}</nav>`
}

/**
 * A page runs only its own style and script, shows only its own images and an operator's logo, calls only its own
 * origin, and cannot be framed.
 */
const policyFor = ({ style, script }: Page, accent: string | null, logoUrl: string | null): string =>
  [
    "default-src 'none'",
    `style-src ${style}${accent === null ? '' : ` ${hashSource(accent)}`}`,
    `img-src data:${logoUrl?.startsWith('https:') ? ` ${new URL(logoUrl).origin}` : ''}`,
    ...(script === null ? [] : [`script-src ${script}`, "connect-src 'self'"]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

/** The CSP source expression of a text (CSP Level 3 §2.3.1). An import statement would load the module at every cold start. */
const hashSource = (text: string): string =>
  `'sha256-${process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('base64')}'`

/** An address, encoded for a `mailto` URL (RFC 6068 §2). */
const mailtoAddress = (email: string): string => email.split('@').map(encodeURIComponent).join('@')
