import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { routeKeysOf } from '../../api/route-keys.ts'
import notFound from '../../functions/not-found.ts'
import servePage from '../../functions/pages.ts'
import { routeFinder } from '../../local/gateway/routes.ts'
import { builtNotFound, builtPage } from '../support/built-page.ts'
import { clients } from '../support/clients.ts'
import { serve, type WebServer } from '../support/web-server.ts'

/** A product with every name and address that pages and mails can show. */
export const acme = {
  accentColor: null as string | null,
  accountPage: true,
  appUrl: 'https://app.acme.example/',
  browserUrl: null as string | null,
  issuer: 'https://api.acme.example/auth',
  languages: [] as readonly string[],
  logoUrl: null,
  privacyUrl: null as string | null,
  passkeyRpId: null as string | null,
  productName: 'Acme',
  hasClients: false,
  hasProviders: false,
  sso: true,
  requireEmailVerification: false,
  secondFactor: 'optional' as const,
  sessionDays: 30,
  signUp: 'open' as const,
  supportEmail: 'help@acme.example',
  termsUrl: null as string | null,
}

/** The operator's documents, with the longest addresses. */
export const documents = {
  privacyUrl: `https://acme.example/${'p'.repeat(229)}`,
  termsUrl: 'https://acme.example/terms',
}

export interface Answer {
  status?: number
  headers?: Record<string, string>
  /** `null`: the connection breaks. */
  body: unknown
}

/** The page of a reset link sends this when it is opened, before a person acts. */
export const loaded = '/auth/reset-password/logins'

interface Post {
  path: string
  contentType: string | undefined
  body: unknown
}

export interface Site extends WebServer {
  /** Every request, as `GET /path?query`, but for what `loaded` answers. */
  requests: string[]
  /** What people sent. */
  posts: Post[]
  /** The next answer of `POST /auth/*`; a pending promise makes the page wait. */
  answer: Answer | Promise<Answer>
  /** Answers of some paths, in place of that one. */
  answers: Record<string, Answer | Promise<Answer>>
  /** The product that the pages belong to. */
  config: Parts['config']
  clients: Parts['clients']
  providers: Parts['providers']
  read: Parts['read']
}

type Parts = Parameters<typeof servePage>[0]

const pagePaths = routeFinder(new Map(routeKeysOf('pages').map(key => [key, key])))

/** The pages' function by its parts. It compresses the account page as small as possible, which takes longest. */
const made = new Map<string, ReturnType<typeof servePage>>()
function pagesOf({ config, clients, providers, read }: Parts): ReturnType<typeof servePage> {
  const parts = JSON.stringify({ config, clients, providers })
  const pages = made.get(parts) ?? servePage({ config: { ...config }, clients, providers, read })
  made.set(parts, pages)
  return pages
}

/** The pages' functions over HTTP, with an `/auth/*` whose answers a test sets. */
export async function openSite(): Promise<Site> {
  const requests: string[] = []
  const posts: Post[] = []
  const server = await serve(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://site').pathname
    if (path !== loaded) requests.push(`${request.method} ${request.url}`)
    const isPage = pagePaths(request.method ?? '', path) !== null
    if (isPage || request.method !== 'POST') {
      const serve = isPage ? pagesOf(site) : notFound({ ...site, read: builtNotFound })
      return reply(response, await serve({ ...eventOf(request, path), body: await text(request) }))
    }
    const sent = JSON.parse((await text(request)) || 'null')
    if (path !== loaded) posts.push({ path, contentType: request.headers['content-type'], body: sent })
    const { status = 200, headers = {}, body } = await (site.answers[path] ?? site.answer)
    if (body === null) return request.socket.destroy()
    reply(response, {
      statusCode: status,
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  })
  const site: Site = {
    ...server,
    requests,
    posts,
    answer: { body: {} },
    answers: { [loaded]: { body: { logins: [] } } },
    config: { ...acme },
    clients,
    providers: [],
    read: builtPage,
  }
  return site
}

export function reply(
  response: ServerResponse,
  { statusCode, headers, body = '', isBase64Encoded }: APIGatewayProxyStructuredResultV2,
): void {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
  response.writeHead(statusCode ?? 200, headers as Record<string, string>).end(bytes)
}

const eventOf = ({ headers, method, url }: IncomingMessage, rawPath: string) =>
  ({
    rawPath,
    rawQueryString: url?.split('?')[1] ?? '',
    headers,
    requestContext: { http: { method } },
  }) as APIGatewayProxyEventV2

/** The page's complaints: errors, and violations of its policy. For documents loaded from now on. */
export async function listenToConsole(page: Page): Promise<string[]> {
  const complaints: string[] = []
  await page.addInitScript(() =>
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
      console.error(`${violatedDirective} forbids ${blockedURI} in ${sourceFile}`),
    ),
  )
  page.on('console', message => {
    const isNetwork = message.text().startsWith('Failed to load resource')
    if (['error', 'warning'].includes(message.type()) && !isNetwork) complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(error.message))
  return complaints
}

/** WCAG 2.2 A and AA; among them contrast. */
export const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The minified axe-core: less than half of the package's export. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules that colours can break. */
const inColours = ['color-contrast', 'link-in-text-block']

/** The rules that words can break, by content or by length. */
export const inWords = [
  'aria-command-name',
  'aria-input-field-name',
  'button-name',
  'document-title',
  'empty-heading',
  'html-has-lang',
  'html-lang-valid',
  'label',
  'label-content-name-mismatch',
  'landmark-unique',
  'link-name',
  'role-img-alt',
  'scrollable-region-focusable',
  'select-name',
  'summary-name',
  'svg-img-alt',
  'target-size',
  'valid-lang',
]

/**
 * The violations of `rules` that axe-core finds. Each document gets its half megabyte of code once.
 *
 * @param rules all of some tags, or some by their names
 */
export async function findBarriers(page: Page, rules = [...wcag, 'best-practice']): Promise<string[]> {
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axe)
  const options = {
    runOnly: rules,
    // Part of WCAG 2.2 too, but off by default in axe.
    rules: { 'target-size': { enabled: true } },
    iframes: false,
    // Without passed rules, it takes half as long.
    resultTypes: ['violations'],
  }
  const violations = await page.evaluate<AxeResults['violations']>(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

/** The violations of `rules` in light mode, and of the rules for colours in dark mode, which differs in nothing else. */
export async function findBarriersInLightAndDark(page: Page, rules?: string[]): Promise<string[]> {
  const inLight = await findBarriers(page, rules)
  await page.emulateMedia({ colorScheme: 'dark' })
  const inDark = await findBarriers(page, inColours)
  await page.emulateMedia({ colorScheme: 'light' })
  return [...inLight, ...inDark.map(breach => `in the dark: ${breach}`)]
}

/** The fields that tell phones and password managers too little. */
export const uselessFields = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>('form input:is([type=email], [type=password], [name=code])')]
      .filter(input => {
        const { name, autocomplete, enterKeyHint, inputMode } = input
        const isNew = autocomplete === 'new-password'
        return (
          !/^(?:next|go)$/.test(enterKeyHint) ||
          isNew !== input.minLength > 0 ||
          isNew !== input.hasAttribute('passwordrules') ||
          (name === 'code' && `${inputMode} ${autocomplete}` !== 'numeric one-time-code') ||
          autocomplete === ''
        )
      })
      .map(input => input.outerHTML),
  )

/** The forms with more than 40 pixels above them, in a window that a phone's keyboard has made low. */
export const formsTooLow = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLFormElement>('form:has(.field)')]
      .filter(form => form.checkVisibility() && form.getBoundingClientRect().top + scrollY > 40)
      .map(form => `${form.outerHTML} at ${form.getBoundingClientRect().top + scrollY}`),
  )

export const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
