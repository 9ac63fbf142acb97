import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import zlib, { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { build } from 'esbuild'
import * as v from 'valibot'
import { describe, expect, test, vi } from 'vitest'
import { requestFaults } from '../../accounts/application/authorization-request.ts'
import { providerListView } from '../../accounts/identity/provider.ts'
import { type Link, linkPages, links } from '../../accounts/mail/queue.ts'
import { bodies } from '../../api/bodies.ts'
import { routeKeysOf } from '../../api/route-keys.ts'
import { type Route, routes } from '../../api/routes.ts'
import notFound from '../../functions/not-found.ts'
import servePage from '../../functions/pages.ts'
import { bundling } from '../../infra/build/function-bundles.ts'
import { accentSheet, contrast } from '../../shared/base/colour.ts'
import { refusals } from '../../shared/base/errors.ts'
import { escapeHtml } from '../../shared/base/html.ts'
import { lengths } from '../../shared/pages/lengths.ts'
import { en } from '../../shared/words/en.ts'
import { takesAddressAlone } from '../support/api/rows.ts'
import { bare, builtNotFound, builtPage, type PageConfig } from '../support/built-page.ts'
import { ask } from '../support/catalogue/served.ts'
import { clients, queryOf, shopRequest } from '../support/clients.ts'
import { pagesOfLinks } from '../support/link-pages.ts'
import { providers } from '../support/providers.ts'
import { call } from '../support/service/http.ts'

const complete: PageConfig = { ...bare, appUrl: 'https://app.acme.example/?a=1&b=2', supportEmail: 'help@acme.example' }

const requestOf = (
  rawPath: string,
  { method = 'GET', query = queryOf(rawPath), accept = '', etag = '', headers = {}, body = '' } = {},
) =>
  ({
    rawPath,
    rawQueryString: query,
    headers: { 'accept-encoding': accept, 'if-none-match': etag, ...headers },
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
    requestContext: { http: { method } },
  }) as unknown as APIGatewayProxyEventV2

const open = (
  path: string,
  { config = bare, ...request }: Parameters<typeof requestOf>[1] & { config?: PageConfig } = {},
) => servePage({ clients, providers, config, read: builtPage })(requestOf(path, request))

const bodyOf = async (path: string, differing: Partial<PageConfig> = {}): Promise<string> =>
  (await open(path, { config: { ...bare, ...differing } })).body ?? ''

const sha256 = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The bodies of all elements of a name, except data of scripts. */
const inside = (html: string, name: string) =>
  [...html.matchAll(new RegExp(`<${name}\\b(?! type="application/json")[^>]*>([\\s\\S]*?)</${name}>`, 'g'))].map(
    ([, body]) => body,
  )

/** The targets of a page's links. */
const linksIn = (html: string) => [...html.matchAll(/<a\b[^>]*\shref="([^"]*)"/g)].map(([, href = '']) => href)

/** The text of a page's section, in a state. */
const saying = (html: string, state: string) =>
  new RegExp(`<section data-state="${state}"[^>]*>(.*?)</section>`, 's')
    .exec(html)?.[1]
    ?.replaceAll(/<[^>]+>/g, '')
    .replaceAll(/(?:\s|&#160;)+/g, ' ')
    .trim()

/** The policy's directives by name. */
const directives = (policy: unknown) =>
  Object.fromEntries(
    String(policy)
      .split('; ')
      .map(directive => [directive.split(' ')[0], directive.split(' ').slice(1)]),
  )

test('every route of the row has its page, and nothing else has one', async () => {
  for (const key of routeKeysOf('pages')) {
    const [method = '', path = ''] = key.split(' ')
    const statusCode = path.endsWith('/change-password') ? 302 : method === 'POST' ? 303 : 200
    const config = { ...bare, passkeyRpId: 'acme.example' }
    expect(await open(path.replace('{provider}', 'apple'), { method, config }), key).toMatchObject({ statusCode })
  }
  expect(await open('/verify-email/')).toMatchObject({ statusCode: 404 })
})

describe('every page', async () => {
  const paths = routeKeysOf('pages').flatMap(key => {
    const [method, path = ''] = key.split(' ')
    return method === 'GET' && !path.startsWith('/.well-known/') ? [path.replace('{provider}', 'apple')] : []
  })
  const openAny = async (path: string, accept: string) => {
    if (path !== '/nothing') return open(path, { accept, headers: { accept: 'text/html' } })
    const request = requestOf(path, { accept, headers: { accept: 'text/html' } })
    return notFound({ config: { ...bare, languages: [] }, read: builtNotFound })(request)
  }

  test.each([...paths, '/nothing', '/authorize?client_id=none'])(
    '%s has the fields of all pages, and the encoding that is asked for',
    async address => {
      const [path = '', query] = address.split('?')
      const openIn = (accept: string) =>
        query === undefined ? openAny(path, accept) : open(path, { query, accept, headers: { accept: 'text/html' } })
      const { body = '', headers } = await openIn('')
      expect(headers).toMatchObject({
        'content-type': expect.stringContaining('text/html'),
        vary: expect.stringContaining('Accept-Encoding'),
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'cross-origin-resource-policy': 'same-origin',
        // Those may be in an application's popup.
        ...(!/^\/(?:authorize|sign-in)/.test(path) && { 'cross-origin-opener-policy': 'same-origin' }),
      })
      expect(headers).not.toHaveProperty('content-encoding')
      for (const [accept, unpack] of [
        ['br', brotliDecompressSync],
        ['gzip', zlib.gunzipSync],
      ] as const) {
        const packed = await openIn(accept)
        const bytes = Buffer.from(packed.body ?? '', 'base64')
        expect(packed.headers).toMatchObject({ 'content-encoding': accept })
        expect(unpack(bytes).toString()).toBe(body)
        if (accept === 'br') expect(bytes.length).toBeLessThan(1.25 * brotliCompressSync(body).length)
        else expect(bytes.length).toBeLessThan(body.length / 2)
      }
    },
  )
})

describe('the page to which a provider leads back', () => {
  const post = async (body: string, path = '/sign-in/apple') => open(path, { method: 'POST', body })
  /** What the next page reads, by a provider's form post. */
  const fragmentOf = async (fields: Record<string, string> | string) => {
    const { statusCode, headers } = await post(String(new URLSearchParams(fields)))
    expect(statusCode).toBe(303)
    const [path, fragment, ...more] = String(headers?.location).split('#')
    expect([path, more]).toEqual(['/sign-in/apple', []])
    return Object.fromEntries(new URLSearchParams(fragment))
  }

  test('is there for each that is offered, and for no other', async () => {
    for (const { id } of providers) expect(await open(`/sign-in/${id}`)).toMatchObject({ statusCode: 200 })
    for (const path of ['/sign-in/', '/sign-in/other', '/sign-in/google/', '/sign-in/Google', '/sign-in/constructor'])
      for (const method of ['GET', 'HEAD', 'POST'])
        expect(await open(path, { method }), path).toMatchObject({ statusCode: 404 })
    const withoutSecret = providers.map(each => ({ ...each, secret: null }))
    const none = servePage({ clients, providers: withoutSecret, config: bare, read: builtPage })
    const http = { method: 'GET' }
    const event = {
      rawPath: '/sign-in/google',
      headers: {},
      requestContext: { http },
    } as unknown as APIGatewayProxyEventV2
    expect(await none(event)).toMatchObject({ statusCode: 404 })
  })

  test('is the same for every query, and is not cached', async () => {
    const { body, headers } = await open('/sign-in/google')
    const said = { code: '"><b>secret', state: 'secret', error: 'secret', error_description: 'secret', client: 'shop' }
    expect((await open('/sign-in/google', { query: String(new URLSearchParams(said)) })).body).toBe(body)
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    // It may be in an application's popup.
    expect(headers).not.toHaveProperty('cross-origin-opener-policy')
    expect(directives(headers?.['content-security-policy'])['script-src']).toEqual(
      inside(body ?? '', 'script').map(sha256),
    )
  })

  test('takes a POSTed answer, where the provider answers so, to its address’s fragment', async () => {
    const answer = { code: 'a+b&c=d', state: 's', iss: 'https://appleid.apple.com' }
    expect(await fragmentOf({ ...answer, user: '{"name":"Ada"}', id_token: 'x' })).toEqual(answer)
    expect(await fragmentOf({ error: 'user_cancelled_authorize', state: 's' })).toEqual({
      error: 'user_cancelled_authorize',
      state: 's',
    })
    expect(await fragmentOf({ code: '!'.repeat(2048), state: '~'.repeat(2049) })).toEqual({ code: '!'.repeat(2048) })
  })

  test.each([
    ['nothing', ''],
    ['a parameter twice', 'code=a&code=b&state=s'],
    ['a broken escape', 'code=%&state=s'],
    ['bytes that are no UTF-8', 'code=%ff&state=s'],
    ['line breaks', 'code=a%0d%0aSet-Cookie:b&state=%0a'],
    ['spaces', 'code=a+b&state=+'],
    ['what is not ASCII', 'code=%C3%A9'],
    ['JSON', '{"code":"a"}'],
    ['a megabyte', `code=${'a'.repeat(1024 * 1024)}`],
  ])('reads nothing of %s', async (_, body) => {
    expect(await post(body)).toMatchObject({ statusCode: 303, headers: { location: '/sign-in/apple#' } })
  })

  test('takes no POST of a provider that answers by an address', async () => {
    const { statusCode, headers, body } = await post('code=a&state=b', '/sign-in/google')
    expect(statusCode).toBe(405)
    expect(headers?.allow).toBe('GET, HEAD, OPTIONS')
    expect(JSON.parse(body ?? '')).toMatchObject({
      code: 'method-not-allowed',
      detail: '/sign-in/google answers GET, HEAD, OPTIONS, not POST',
    })
  })
})

describe('the pages where people log in', () => {
  const listedOn = async (path: string, query = queryOf(path)) => {
    const [, data] = /data-providers="([^"]*)"/.exec((await open(path, { query })).body ?? '') ?? []
    return data === undefined ? null : JSON.parse(data.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
  }

  test.each(['/account', '/authorize', '/second-factor'])('%s has what leads to providers', async path => {
    expect(await listedOn(path)).toEqual(providerListView({ config: bare, providers }).providers)
  })

  test.each(['max_age=0', 'max_age=3600', 'prompt=login', 'prompt=login%20consent'])(
    'have none for an application that asks for a fresh login (%s)',
    async asked => {
      expect(await listedOn('/authorize', `${queryOf('/authorize')}&${asked}`)).toBeNull()
    },
  )

  test('lead back to where browsers find them', async () => {
    const config = { ...bare, browserUrl: 'http://localhost:3000' }
    expect((await open('/account', { config })).body).toContain('http://localhost:3000/sign-in/google')
  })
})

/** All pages that browsers must not keep. */
const freshPages = ['/', ...linkPages().map(page => `/${page}`), '/logout']

describe.each(freshPages)('the page %s', async path => {
  const { headers = {}, body = '' } = await open(path)
  const policy = directives(headers['content-security-policy'])

  test('allows its one style and its script by their exact bytes, and no others', () => {
    const [styles, scripts] = [inside(body, 'style'), inside(body, 'script')]
    expect(styles).toHaveLength(1)
    expect(scripts).toHaveLength(path === '/' ? 0 : 1)
    expect(policy['style-src']).toEqual(styles.map(sha256))
    expect(policy['script-src'] ?? []).toEqual(scripts.map(sha256))
    expect(body).not.toMatch(/\s(style|on\w+)=/)
  })

  test('forbids everything else, frames and forms included', () => {
    expect(policy).toMatchObject({
      'default-src': ["'none'"],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
      'require-trusted-types-for': ["'script'"],
      'trusted-types': ["'none'"],
      'img-src': ['data:'],
    })
    expect(policy['connect-src']).toEqual(path === '/' ? undefined : ["'self'"])
    expect(String(headers['content-security-policy'])).not.toContain('unsafe')
  })

  test('hides every password that is typed', () => {
    for (const [field] of body.matchAll(/<input[^>]*autocomplete="[\w-]*password"[^>]*>/g))
      expect(field).toContain('type="password"')
  })

  test('sends no Referer, and is not cached', () => {
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
    expect(body).toContain('<meta name="robots" content="noindex" />')
  })

  test('loads nothing', () => {
    // The namespace of SVG is a name, which nothing loads. Addresses of providers wait for a person's click.
    const inside =
      /<(?:link rel="icon" href|img class="logo" src)="data:[^"]*"|(["`])http:\/\/www\.w3\.org\/2000\/svg\1|data-providers="[^"]*"/g
    expect(body.replace(inside, '')).not.toMatch(/\bsrc=|url\(|@import|https?:|<link\b/)
  })

  test.each([
    ['Acme', 'A'],
    ['émile', 'É'],
    ['e\u0301mile', 'É'],
    ['<b>', '&lt;'],
    ['"&"', '&quot;'],
    ['𝒢atehouse', '𝒢'],
    ['بوابة', 'ب'],
  ])('has an icon with the initial of %s, so that browsers ask for no other', async (productName, initial) => {
    const [, icon = ''] =
      /<link rel="icon" href="data:image\/svg\+xml,([^"]*)" \/>/.exec(await bodyOf(path, { productName })) ?? []
    expect(decodeURIComponent(icon)).toContain(`>${initial}</text></svg>`)
  })

  test('says its language and its title', () => {
    expect(body).toMatch(/^<!doctype html>\s*<html lang="en" dir="ltr">/)
    expect(inside(body, 'title')).toEqual([expect.stringContaining('Acme')])
  })

  test('answers HEAD like GET, the length included, without the body', async () => {
    const told = { ...headers, 'content-length': String(Buffer.byteLength(body)) }
    expect(await open(path, { method: 'HEAD' })).toMatchObject({ statusCode: 200, headers: told, body: '' })
  })

  test('shows the product’s name as text, and leaves no placeholder', async () => {
    const productName = `</title><b>{{appUrl}} & "Söhne's"`
    const named = await bodyOf(path, { ...complete, productName })
    expect(named).toContain('<bdi>&lt;/title&gt;&lt;b&gt;{{appUrl}} &amp; &quot;Söhne&#39;s&quot;</bdi>')
    expect(named).not.toMatch(/<b>|Gatehouse/)
    expect(named.replaceAll('{{appUrl}}', '')).not.toMatch(/\{\{|<!--|undefined|null</)
  })

  test('names the support address, where there is one', async () => {
    const written = await bodyOf(path, { supportEmail: "o'brien+a?b&c%d@acme.example" })
    expect(written).toContain('href="mailto:o&#39;brien%2Ba%3Fb%26c%25d@acme.example"')
    expect(written).toContain('>o&#39;brien+a?b&amp;c%d@acme.example</a>')
    expect(body).not.toMatch(/mailto:|Questions/)
  })

  test.each<[string, Partial<Record<'termsUrl' | 'privacyUrl', string>>]>([
    ['the terms', { termsUrl: 'https://acme.example/terms?a=1&b=2' }],
    ['the privacy policy', { privacyUrl: 'https://acme.example/privacy' }],
    ['both', { termsUrl: 'https://acme.example/terms', privacyUrl: 'https://acme.example/privacy' }],
  ])('links at its foot to %s, and nothing else', async (_, documents) => {
    const linked = (html: string) => linksIn(inside(html, 'footer').join(''))
    const addresses = Object.values(documents).map(escapeHtml)
    expect(linked(await bodyOf(path, documents))).toEqual(addresses)
    expect(linked(await bodyOf(path, { ...documents, supportEmail: 'help@acme.example' }))).toEqual([
      'mailto:help@acme.example',
      ...addresses,
    ])
    expect(inside(body, 'footer')).toEqual([])
  })

  test('continues to the app, where one is configured', async () => {
    expect(await bodyOf(path, complete)).toContain(
      '<a class="button" href="https://app.acme.example/?a=1&amp;b=2">Continue to <bdi>Acme</bdi></a>',
    )
    expect(body).not.toContain('Continue to')
  })
})

/** Lifetimes in the texts of link pages. The mail of an invitation says until when, because a later one has the first one's expiry. */
const lifetimesInWords = { verification: '24 hours', reset: '1 hour', undo: '7 days', invitation: null } as Record<
  string,
  string | null
>
const lifetimeOf = (name: string) => Object.values<Link>(links).find(({ page }) => page === name)?.lifetime ?? 'undo'

test('each page of a link posts to an endpoint of its own', () => {
  const endpoints = pagesOfLinks.map(({ endpoint }) => endpoint)
  expect(new Set(endpoints).size).toBe(endpoints.length)
  expect(endpoints).toEqual(expect.arrayContaining(['verify-email', 'reset-password', 'confirm-email-change', 'undo']))
})

describe.each(pagesOfLinks)('the page $name', async ({ name, endpoint, body: posted, renewal }) => {
  const path = `/${name}`
  const body = await bodyOf(path)
  const lifetime = lifetimesInWords[lifetimeOf(name)]

  test('posts what its link’s endpoint takes, and asks for a new one by address', () => {
    const { body: schema }: Route = routes[endpoint]
    expect(v.safeParse(bodies[schema as keyof typeof bodies], posted).issues).toBeUndefined()
    const actions = [...body.matchAll(/<form method="post" action="([^"]+)"/g)].map(([, action]) => `POST ${action}`)
    const renewals = renewal === null ? [] : [routes[renewal.endpoint].on, routes[renewal.endpoint].on]
    expect(actions).toEqual([routes[endpoint].on, ...renewals])
    if (renewal) expect(takesAddressAlone(renewal.endpoint)).toBe(true)
  })

  test('says that it needs JavaScript, and shows nothing else without', () => {
    expect(inside(body, 'noscript')).toEqual([expect.stringContaining('needs JavaScript')])
    for (const [part] of body.matchAll(/<\w+[^>]* data-state=[^>]*>/g)) expect(part).toMatch(/ hidden>$/)
  })

  test('says how long a link works', () => {
    if (lifetime === null) return expect(body).not.toMatch(/within|works for/)
    expect(saying(body, 'expired')).toContain(`A link works once, within ${lifetime},`)
    if (renewal !== null) expect(saying(body, 'sent')).toContain(`The link works for ${lifetime}.`)
  })

  test('says, when a link no longer works, what who has used it can do', async () => {
    const words = /If you have [^.]+ already, (?:you can log in|choose a new password with the link|log in)/
    expect(saying(body, 'expired')).toMatch(words)
    expect(saying(await bodyOf(path, complete), 'expired')).toMatch(words)
  })
})

test('a reset says what comes next: logging in, or first verifying the address if required', async () => {
  expect(saying(await bodyOf('/reset-password'), 'done')).toMatch(
    /^Your password was changed You can now log in with it\./,
  )
  const required = await bodyOf('/reset-password', { requireEmailVerification: true })
  expect(saying(required, 'done')).toContain('You can log in with it once your email address is verified.')
  expect(saying(required, 'done')).not.toContain('You can now log in')
  expect(linksIn(required)).toEqual(['/verify-email', '/account#log-in', '/account#log-in'])
})

describe('the page /authorize', async () => {
  const { body = '', headers = {} } = await open('/authorize')
  const asking = (changes: Record<string, string>) => String(new URLSearchParams({ ...shopRequest, ...changes }))
  const locationOf = async (query: string, headers = {}) => {
    const { statusCode, headers: fields } = await open('/authorize', { query, headers })
    return [statusCode, String(fields?.location)]
  }

  test('has the account page’s policy, and looks open to the page that opened it', () => {
    const policy = directives(headers['content-security-policy'])
    expect(policy).toMatchObject({
      'default-src': ["'none'"],
      'script-src': inside(body, 'script').map(sha256),
      'connect-src': ["'self'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
      'trusted-types': ["'none'"],
    })
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    expect(headers).not.toHaveProperty('cross-origin-opener-policy')
  })

  test('names the application, fills in whom it expects, and leads back who cancels', async () => {
    const shown = await open('/authorize', { query: asking({ login_hint: '"><b>ada@example.com' }) })
    expect(shown.body).toContain('data-name="Shop" data-client="shop" data-hint="&quot;&gt;&lt;b&gt;ada@example.com"')
    const cancel = new URL(/data-cancel="([^"]*)"/.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? '')
    expect(cancel.origin + cancel.pathname).toBe(shopRequest.redirect_uri)
    expect(Object.fromEntries(cancel.searchParams)).toMatchObject({
      error: 'access_denied',
      state: shopRequest.state,
      iss: bare.issuer,
    })
  })

  test.each([
    ['with sessions', {}, 'sessions'],
    ['without sessions', { sessionDays: 0 }, ''],
    ['where no browser stays logged in', { sso: false }, ''],
    ['where only operators open accounts', { sso: false, signUp: 'invited' }, 'invitation'],
    ['where other logins take a verified address', { sso: false, requireEmailVerification: true }, ''],
  ] as [string, Partial<PageConfig>, string][])('offers to stay logged in %s or not', async (_, differing, flags) => {
    expect(await bodyOf('/authorize', differing)).toContain(`data-flags="${flags}"`)
  })

  test('says that addresses must be verified, for applications that ask for it', async () => {
    const query = asking({ client_id: 'dashboard', redirect_uri: 'https://dashboard.example.com/callback' })
    expect((await open('/authorize', { query })).body).toContain('data-flags="sessions verification"')
  })

  test.each([
    ['unknown-client', { client_id: 'nobody' }, 'There is no such application'],
    [
      'unknown-redirect',
      { redirect_uri: 'https://evil.example/' },
      'The application may not send people back to this address',
    ],
  ])('shows %s, and says nothing again that was sent', async (code, changes, words) => {
    const query = asking({ ...changes, state: 'sent-by-a-stranger' })
    const shown = await open('/authorize', { query, headers: { accept: 'text/html' } })
    expect(shown).toMatchObject({
      statusCode: 400,
      headers: { vary: 'Accept-Encoding, Accept', 'cache-control': 'no-store' },
    })
    expect(inside(shown.body ?? '', 'h1').map(text => text?.trim())).toEqual([words])
    const told = await open('/authorize', { query })
    expect(told.statusCode).toBe(400)
    expect(JSON.parse(told.body ?? '')).toMatchObject({ code, detail: words })
    for (const { body, headers } of [shown, told]) {
      expect(headers).not.toHaveProperty('location')
      expect(body).not.toMatch(/nobody|evil|stranger/)
    }
  })

  test('sends every other mistake back to the application, with its state', async () => {
    const [status, location] = await locationOf(asking({ scope: 'email' }))
    const { searchParams } = new URL(String(location))
    expect([status, searchParams.get('error'), searchParams.get('state')]).toEqual([302, 'invalid_scope', 'the state'])
  })

  test.each(['iframe', 'frame', 'embed', 'object', 'fencedframe'])(
    'lets no application wait that asks in a frame (%s) who is logged in',
    async destination => {
      const [status, location] = await locationOf(asking({ prompt: 'none' }), { 'sec-fetch-dest': destination })
      expect([status, new URL(String(location)).searchParams.get('error')]).toEqual([302, 'login_required'])
      expect((await locationOf(asking({ prompt: 'none' }), { 'sec-fetch-dest': 'document' }))[0]).toBe(200)
    },
  )

  test('is in the language that the application says, if the address says none', async () => {
    const config = { ...bare, languages: ['en', 'de', 'fr'] }
    const languageOf = async (query: string) =>
      (await open('/authorize', { query, config, headers: { 'accept-language': 'en' } })).headers?.['content-language']
    expect(await languageOf(asking({ ui_locales: 'pl fr-CA de' }))).toBe('fr')
    expect(await languageOf(`${asking({ ui_locales: 'fr' })}&lang=de`)).toBe('de')
    expect(await languageOf(asking({ ui_locales: 'pl' }))).toBe('en')
  })

  test('is not there while there are no applications', async () => {
    for (const path of ['/authorize', '/logout'])
      expect(await open(path, { config: { ...bare, hasClients: false } })).toMatchObject({ statusCode: 404 })
  })
})

test.each(['/verify-email', '/reset-password'])(
  '%s leads to the application whose people the mail was for',
  async path => {
    const linksAt = async (query: string) => linksIn((await open(path, { query })).body ?? '')
    expect(await linksAt('client=shop')).toContain('https://shop.example.com/')
    const [unknown, homeless] = [await linksAt('client=nobody'), await linksAt('client=dashboard')]
    expect([unknown, homeless]).toEqual([await linksAt(''), await linksAt('')])
  },
)

test('the page / links to existing pages only', async () => {
  const links = linksIn(await bodyOf('/'))
  expect(links).toEqual(['/account', '/reference#goal-open', '/catalogue/explore', '/openapi.json'])
  expect((await ask('/catalogue/explore')).statusCode).toBe(200)
  expect(await bodyOf('/reference')).toContain('id="goal-open"')
  for (const path of links.filter(link => link !== '/catalogue/explore').map(link => link.replace(/#.*/, ''))) {
    // A wrong method gets 405 on a known path, and 404 on an unknown one.
    expect({
      path,
      status: (await call(notFound({ config: bare, read: builtNotFound }), { method: 'PATCH', path })).status,
    }).toEqual({
      path,
      status: 405,
    })
  }
})

test.each<[string, Partial<PageConfig>, string[]]>([
  ['to log in or create an account', {}, ['Log in or create an account']],
  ['to log in alone, where accounts are by invitation', { signUp: 'invited' }, ['Log in']],
  ['to the application too', { appUrl: 'https://acme.example/' }, ['Log in or create an account', 'Continue to Acme']],
  [
    'to the application alone, without an account page',
    { accountPage: false, appUrl: 'https://acme.example/' },
    ['Continue to Acme'],
  ],
  ['nowhere, where there is neither', { accountPage: false }, []],
])('the page / says whose it is, and leads people %s', async (_, config, said) => {
  const page = await bodyOf('/', { productName: 'Acme', ...config })
  expect(page).toContain('<h1><bdi>Acme</bdi></h1>')
  const buttons = [...page.matchAll(/class="button"[^>]*>(.*?)<\/a>/gs)].map(([, words = '']) =>
    words.replace(/<[^>]+>/g, ''),
  )
  expect(buttons).toEqual(said)
})

test('the header of the reference leads to the account page where that is on', async () => {
  const ways = async (config: Partial<PageConfig>) => {
    const [, nav = ''] = /<nav class="parts"[^>]*>(.*?)<\/nav>/s.exec(await bodyOf('/reference', config)) ?? []
    return linksIn(nav)
  }
  const others = ['/', '/reference', '/catalogue/explore']
  expect(await ways({})).toEqual([...others, '/account'])
  expect(await ways({ accountPage: false })).toEqual(others)
})

test('the page / leads programs to the OpenAPI document and people to the reference', async () => {
  const linkOf = async (path: string) => (await open(path)).headers?.link
  expect(await linkOf('/')).toBe('</openapi.json>; rel="service-desc", </reference>; rel="service-doc"')
  for (const path of ['/verify-email', '/reset-password', '/invitation', '/change-email', '/undo'])
    expect(await linkOf(path)).toBeUndefined()
})

describe('the page /reference', async () => {
  const { headers = {}, body = '' } = await open('/reference')

  test('runs its style and script by their exact bytes, and sends, frames and loads nothing', () => {
    const [[style, ...styles], [script, ...scripts]] = [inside(body, 'style'), inside(body, 'script')]
    expect([styles, scripts]).toEqual([[], []])
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; script-src ${sha256(script)}; style-src ${sha256(style)}; img-src data:; base-uri 'none'; ` +
        "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    )
    expect(body).not.toMatch(/<[^>]+\s(?:style|on\w+|src)=|url\(|@import/)
  })

  test('goes out in few bytes, once in five minutes', async () => {
    const packed = await open('/reference', { accept: 'br' })
    const bytes = Buffer.from(packed.body ?? '', 'base64')
    expect(packed.headers).toHaveProperty('content-length', String(bytes.length))
    // Half of the smallest renderer of OpenAPI documents.
    expect(bytes.length).toBeLessThan(85 * 1024)
    expect(headers['cache-control']).toBe('public, max-age=300')
    expect(await open('/reference', { etag: String(headers.etag) })).toMatchObject({ statusCode: 304, body: '' })
    expect(await open('/reference', { method: 'HEAD' })).toMatchObject({ statusCode: 200, headers, body: '' })
  })

  test('calls the API at its own address, and shows the product’s name as text', async () => {
    expect(body).toContain('curl https://api.acme.example/auth/register')
    const named = await bodyOf('/reference', { productName: `</title>{{icon}} & Söhne` })
    expect(named).toContain('<bdi>&lt;/title&gt;{{icon}} &amp; S&#246;hne</bdi>')
    expect(named.replaceAll('{{icon}}', '')).not.toContain('{{')
    expect((await open('/reference', { config: { ...bare, productName: 'Ajax' } })).headers?.etag).not.toBe(
      headers.etag,
    )
  })
})

describe('the page /account', async () => {
  const page = await open('/account')
  const { headers = {}, body = '' } = page
  const policy = directives(headers['content-security-policy'])

  test('runs its one style and script, calls its own origin alone, and frames nothing', () => {
    const [[style, ...styles], [script, ...scripts]] = [inside(body, 'style'), inside(body, 'script')]
    expect([styles, scripts]).toEqual([[], []])
    expect(policy).toEqual({
      'default-src': ["'none'"],
      'style-src': [sha256(style)],
      'img-src': ['data:'],
      'script-src': [sha256(script)],
      'connect-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
      'require-trusted-types-for': ["'script'"],
      'trusted-types': ["'none'"],
    })
    expect(headers).not.toHaveProperty('set-cookie')
  })

  test('takes at most 30,720 bytes, compressed by brotli, for five minutes', async () => {
    const packed = await open('/account', { accept: 'gzip, br' })
    const bytes = Buffer.from(packed.body ?? '', 'base64')
    expect(packed.headers).toHaveProperty('content-length', String(bytes.length))
    expect(bytes).toEqual(brotliCompressSync(body))
    expect(bytes.length).toBeLessThanOrEqual(30_720)
    expect(headers['cache-control']).toBe('public, max-age=300')
    expect(await open('/account', { etag: String(headers.etag) })).toMatchObject({ statusCode: 304, body: '' })
  })

  test('is compressed into a form when that is first sent, and once', async () => {
    const forms = { br: vi.spyOn(zlib, 'brotliCompressSync'), gzip: vi.spyOn(zlib, 'gzipSync') }
    const serve = servePage({ clients, providers, config: bare, read: builtPage })
    const made: number[][] = []
    for (const [accept, etag] of [['br', headers.etag], [''], ['gzip'], ['br'], ['gzip, br']]) {
      const sent = { 'accept-encoding': accept, 'if-none-match': etag }
      await serve({ rawPath: '/account', headers: sent, requestContext: { http: { method: 'GET' } } } as never)
      made.push(Object.values(forms).map(({ mock }) => mock.calls.length))
    }
    for (const form of Object.values(forms)) form.mockRestore()
    expect(made).toEqual([
      [0, 0],
      [0, 0],
      [0, 1],
      [1, 1],
      [1, 1],
    ])
  })

  test('knows whether sessions are kept and verified addresses required, and where the app is', async () => {
    expect(body).toContain('data-app="" data-flags="sessions factor" data-passkeys=""')
    const differing = { ...complete, sessionDays: 0, requireEmailVerification: true, secondFactor: 'off' } as const
    expect(await bodyOf('/account', differing)).toContain(
      'data-app="https://app.acme.example/?a=1&amp;b=2" data-flags="verification"',
    )
    expect(await bodyOf('/account', { secondFactor: 'required' })).toContain('data-flags="sessions factor required"')
    expect(await bodyOf('/account', { signUp: 'invited' })).toContain('data-flags="sessions factor invitation"')
  })

  test.each(['/account', '/authorize'])('and %s know the domain of passkeys', async path => {
    expect(await bodyOf(path, { passkeyRpId: 'acme.example' })).toContain('data-passkeys="acme.example"')
  })

  test('says that it needs JavaScript', () => {
    expect(inside(body, 'noscript')).toEqual([expect.stringContaining('needs JavaScript')])
  })

  test('is where a password manager is led to that changes a password', async () => {
    expect(await open('/.well-known/change-password')).toMatchObject({
      statusCode: 302,
      headers: { location: '/account#change-password', 'cache-control': 'no-store' },
    })
  })

  test('is where a password manager is led to that adds or removes passkeys', async () => {
    const path = '/.well-known/passkey-endpoints'
    const config = { ...bare, passkeyRpId: 'acme.example' }
    const { statusCode, headers, body = '' } = await open(path, { config })
    expect([statusCode, JSON.parse(body)]).toEqual([
      200,
      {
        enroll: 'https://api.acme.example/account#add-passkey',
        manage: 'https://api.acme.example/account#security',
      },
    ])
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'public, max-age=300' })
    const browserUrl = 'https://login.acme.example'
    expect((await open(path, { config: { ...config, browserUrl } })).body).toContain(
      `"${browserUrl}/account#add-passkey"`,
    )
    expect(await open(path, { config, method: 'HEAD' })).toMatchObject({ statusCode: 200, body: '' })
    for (const without of [bare, { ...config, accountPage: false }])
      expect(await open(path, { config: without })).toMatchObject({ statusCode: 404 })
  })

  test('is absent where it is switched off, and nothing leads to it', async () => {
    const config = { ...bare, accountPage: false }
    for (const path of ['/account', '/.well-known/change-password'])
      expect(await open(path, { config })).toMatchObject({ statusCode: 404 })
    for (const path of ['/', '/verify-email', '/reset-password'])
      expect(await bodyOf(path, config)).not.toContain('/account')
  })

  test.each([
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])('of a link names a waiting tab, if one can: account page %s, applications %s', async (...there) => {
    const [accountPage, hasClients] = there
    const body = await bodyOf('/verify-email', { ...bare, accountPage, hasClients })
    expect(body.includes(en.pages.verifyEmail.otherTab)).toBe(there.includes(true))
  })

  test('is where people log in after a link, unless there is an app', async () => {
    for (const path of ['/verify-email', '/reset-password']) {
      expect(linksIn(await bodyOf(path))).toContain('/account#log-in')
      expect(await bodyOf(path, complete)).not.toContain('/account')
    }
  })
})

describe.each(['/', '/account', '/verify-email', '/reset-password'])('the look of the page %s', path => {
  const logoOf = async (logoUrl: string | null) => {
    const { body = '', headers = {} } = await open(path, { config: { ...bare, logoUrl } })
    const policy = directives(headers['content-security-policy'])
    return { logo: /<img class="logo" src="([^"]*)" alt="" \/>/.exec(body)?.[1], images: policy['img-src'] }
  }

  test('has an operator’s logo, the only origin of its policy, or the product’s initial', async () => {
    expect(await logoOf('https://cdn.acme.example/logo.svg?a=1&b=2')).toEqual({
      logo: 'https://cdn.acme.example/logo.svg?a=1&amp;b=2',
      images: ['data:', 'https://cdn.acme.example'],
    })
    const svg = 'data:image/svg+xml,%3Csvg/%3E'
    expect(await logoOf(svg)).toEqual({ logo: svg, images: ['data:'] })
    const { logo = '', images } = await logoOf(null)
    expect(decodeURIComponent(logo)).toContain('>A</text></svg>')
    expect(images).toEqual(['data:'])
  })

  test('has an operator’s accent colour, by a second style of exact bytes', async () => {
    const { body = '', headers = {} } = await open(path, { config: { ...bare, accentColor: '#0a7d33' } })
    const [, accent, ...others] = inside(body, 'style')
    expect(others).toEqual([])
    expect(accent).toMatch(/^:root\{--accent:#0a7d33;.*dark.*--accent:#[\da-f]{6}/)
    expect(directives(headers['content-security-policy'])['style-src']).toEqual(inside(body, 'style').map(sha256))
    expect(body).toContain(encodeURIComponent('fill="#0a7d33"').replaceAll("'", '&#39;'))
  })
})

test.each(['#1f5fbf', '#000000', '#767676', '#7f0000', '#00007f'])(
  'the accent colour %s can be read in the dark too, and when pressed',
  accent => {
    const [light = '', lightPressed = '', dark = '', darkPressed = ''] = accentSheet(accent).match(/#[\da-f]{6}/g) ?? []
    expect([light, contrast(light, '#ffffff') >= 4.5]).toEqual([accent, true])
    // As light as it must be: the next shade would reach 8.
    expect(Math.floor(contrast(dark, '#1b212a'))).toBe(7)
    expect(contrast(dark, '#10151c')).toBeGreaterThanOrEqual(4.5)
    if (accent !== '#000000') expect(contrast(lightPressed, '#ffffff')).toBeGreaterThan(contrast(light, '#ffffff'))
    expect(contrast(darkPressed, '#1b212a')).toBeGreaterThan(contrast(dark, '#1b212a'))
  },
)

test('the password field states the API’s minimum length, for password managers with the username', async () => {
  const body = await bodyOf('/reset-password')
  const { min, max } = lengths.password
  expect(body).toContain(`minlength="${min}" passwordrules="minlength: ${min}; maxlength: ${max};"`)
  expect(body).toContain('At least 8 characters')
  expect(body).toContain('autocomplete="new-password"')
  expect(body).toContain('<input type="text" autocomplete="username" hidden />')
  expect(body).not.toContain('maxlength=')
})

test('a function reads a page once, however often it is opened', async () => {
  const read = vi.fn(builtPage)
  const serve = servePage({ clients, providers, config: bare, read })
  for (let i = 0; i < 2; i++) await serve(requestOf('/verify-email'))
  expect(read).toHaveBeenCalledOnce()
})

test('the bundle is one small file that loads no module', async () => {
  const { outputFiles, metafile } = await build({
    ...bundling,
    entryPoints: [fileURLToPath(import.meta.resolve('../../functions/pages.ts'))],
    outdir: '/',
  })
  const [output, ...others] = Object.values(metafile.outputs)
  expect(others).toEqual([])
  expect(output?.imports).toEqual([])
  // Without the tables of refusals, a quarter of it, which have a line for each.
  const code = Number(outputFiles[0]?.contents.length) - JSON.stringify([refusals, requestFaults]).length
  expect(code).toBeLessThan(20 * 1024)
})
