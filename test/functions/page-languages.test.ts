import { brotliCompressSync } from 'node:zlib'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { describe, expect, test } from 'vitest'
import { routeKeysOf } from '../../api/route-keys.ts'
import notFound from '../../functions/not-found.ts'
import servePage from '../../functions/pages.ts'
import { allLanguages } from '../../shared/words/pseudo.ts'
import { bare, builtNotFound, builtPage } from '../support/built-page.ts'
import { clients, queryOf } from '../support/clients.ts'
import { providers } from '../support/providers.ts'

const config = {
  ...bare,
  languages: ['en', 'en-XA', 'ar-XB'],
  productName: '{email}',
  requireEmailVerification: true,
  supportEmail: '1@2.3',
}

/** The languages in a request, beside its path. */
interface Said {
  query?: string
  accept?: string
  method?: string
  headers?: Record<string, string>
}

/** Both functions, with their caches: as in Lambda, one instance answers all. */
const serving = (languages: readonly string[]) => {
  const [page, other] = [
    servePage({ clients, providers, config: { ...config, languages }, read: builtPage }),
    notFound({ config: { ...config, languages }, read: builtNotFound }),
  ]
  return (path: string, { query = '', accept, method = 'GET', headers = {} }: Said = {}) =>
    (unknown.includes(path) ? other : page)({
      rawPath: path,
      rawQueryString: [queryOf(path), query].filter(Boolean).join('&'),
      headers: { accept: 'text/html', ...(accept !== undefined && { 'accept-language': accept }), ...headers },
      requestContext: { http: { method } },
    } as unknown as APIGatewayProxyEventV2) as Promise<APIGatewayProxyStructuredResultV2>
}

const open = serving(config.languages)

const unknown = ['/wp-login.php', '/verify-emial', '/catalog/explore', '/auth/reset-password']
const redirect = '/.well-known/change-password'
const passkeyEndpoints = '/.well-known/passkey-endpoints'
const own = routeKeysOf('pages').flatMap(key =>
  key.startsWith('GET ') ? [key.slice('GET '.length).replace('{provider}', 'google')] : [],
)
/** Every page with languages. */
const paths = [...own.filter(path => ![redirect, passkeyEndpoints, '/reference'].includes(path)), ...unknown]

const languageOf = ({ body = '' }: APIGatewayProxyStructuredResultV2) =>
  /^<!doctype html>\n?<html lang="([\w-]+)"/.exec(body)?.[1]

const decoded = ({ body = '' }: APIGatewayProxyStructuredResultV2) =>
  body.replace(/&#(\d{3,});/g, (_, code) => String.fromCodePoint(Number(code)))

/** The targets of a page's links within the service. */
const linksOf = (body = '') => [...body.matchAll(/<a\b[^>]*\shref="(\/[^"]*)"/g)].map(([, href = '']) => href)

describe.each(paths)('the page %s', path => {
  test.each(config.languages)('is in %s for who asks for it by address or browser, and says so', async tag => {
    for (const said of [
      { query: `lang=${tag}` },
      { accept: `pl, ${tag};q=0.5` },
      { query: `lang=${tag.toUpperCase()}-x`, accept: 'en' },
    ]) {
      const answer = await open(path, said)
      expect(languageOf(answer)).toBe(tag)
      expect(answer.body).toContain(`<html lang="${tag}" dir="${allLanguages[tag]?.dir}">`)
      expect(answer.headers).toMatchObject({
        'content-language': tag,
        vary: expect.stringMatching(/\bAccept-Language$/),
      })
    }
  })

  test('ends with links to it in each language, by its own name', async () => {
    const body = decoded(await open(path, { query: 'lang=ar-XB' }))
    const [, label, links = ''] = /<nav class="languages" aria-label="([^"]*)">(.*?)<\/nav><\/body>/s.exec(body) ?? []
    expect(label).toBe(allLanguages['ar-XB']?.pages.frame.language)
    expect(links.split('\n')).toEqual(
      config.languages.map(tag => {
        const { name, dir } = allLanguages[tag] ?? {}
        const current = tag === 'ar-XB' ? ' aria-current="true"' : ''
        const kept = queryOf(path) && `${queryOf(path).replaceAll('&', '&amp;')}&amp;`
        return `<a href="?${kept}lang=${tag}" lang="${tag}" hreflang="${tag}" dir="${dir}"${current}>${name}</a>`
      }),
    )
  })

  test('keeps on each link to another page the address’s language alone', async () => {
    const said = linksOf((await open(path, { query: 'lang=ar-xb', accept: 'en' })).body)
    const unsaid = linksOf((await open(path, { accept: 'ar-XB' })).body)
    const pageIn = (link: string) => own.includes(link.replace(/[?#].*/, '')) && !link.startsWith('/reference')
    expect(said.filter(pageIn).filter(link => !/^[^?#]*\?lang=ar-XB(?:#.*)?$/.test(link))).toEqual([])
    // The catalogue's pages refuse unknown queries.
    expect(said.filter(link => link.startsWith('/catalogue') && link.includes('?'))).toEqual([])
    expect(said.map(link => link.replace('?lang=ar-XB', ''))).toEqual(unsaid)
  })

  test('shows no plain letters in en-XA, except in values', async () => {
    const { body = '' } = await open(path, { query: 'lang=en-XA' })
    const shown = body
      .replace(/<(script|style)\b(?! type="application)[^>]*>.*?<\/\1>|<bdi>.*?<\/bdi>|<nav .*<\/nav>/gs, '')
      .replace(/<script type="application\/json" id="words">(.*?)<\/script>/s, (_, json) =>
        textsIn(JSON.parse(json)).join('\n'),
      )
      .replace(/<title>(.*?) · .*?<\/title>/s, '$1')
      .replace(
        /<a href="(?:mailto:)?([^"?]*)[^"]*">\1<\/a>|\b(?:GET|HEAD|PUT|POST)\b|\/auth\/[\w/-]+|(?:24|1|7) (?:hours?|days)/g,
        '',
      )
      .replace(/\{\w+\}/g, '')
    const plain = shown.replace(/<[^>]*>/g, '').match(/.{0,20}[a-z].{0,20}/gi)
    const attributes = [...shown.matchAll(/\s(?:aria-label|title|placeholder|alt)="([^"]*[a-z][^"]*)"/gi)]
    expect([plain, attributes]).toEqual([null, []])
  })

  test('breaks words in no title and no attribute, in any language', async () => {
    const all = serving(Object.keys(allLanguages))
    for (const tag of Object.keys(allLanguages)) {
      const body = decoded(await all(path, { query: `lang=${tag}` }))
      expect(languageOf({ body })).toBe(tag)
      const plain = [...body.matchAll(/<title>(.*?)<\/title>|="([^"]*)"/g)].map(
        ([, title = '', value = '']) => title + value,
      )
      expect(plain.filter(text => text.includes('\u00ad'))).toEqual([])
    }
  })

  test('has one script and one style for all languages', async () => {
    const policies = await Promise.all(
      config.languages.map(
        async tag => (await open(path, { query: `lang=${tag}` })).headers?.['content-security-policy'],
      ),
    )
    expect(new Set(policies).size).toBe(1)
  })

  test('has neither field nor choice without languages, and no choice where one is', async () => {
    const [none, one] = [serving([]), serving(['ar-XB'])]
    expect(await none(path, { query: 'lang=ar-XB', accept: 'ar-XB' })).toEqual(await none(path))
    const plain = await none(path)
    expect(plain.headers).not.toHaveProperty('content-language')
    expect(String(plain.headers?.vary)).not.toContain('Accept-Language')
    expect(plain.body).not.toContain('<nav')
    const alone = await one(path, { query: 'lang=en' })
    expect([languageOf(alone), alone.headers?.['content-language']]).toEqual(['ar-XB', 'ar-XB'])
    expect([alone.headers?.vary, alone.body?.includes('<nav')]).toEqual([plain.headers?.vary, false])
  })
})

const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : Object.entries(value ?? {}).flatMap(([name, text]) => (name === 'tag' ? [] : textsIn(text)))

/** What no language is read of. Its other forms are in `test/shared/base/language.test.ts`. */
const hostile: Said[] = [
  { accept: '"><script>' },
  { accept: `${','.repeat(5000)}ar-XB` },
  ...[
    'lang=ar-XB&lang=en',
    'lang=ar-XB&lang=ar-XB',
    'lang',
    'lang[]=ar-XB',
    'lang=%',
    'lang=%61%72%ff',
    'lang=ar-XB%00',
    'lang="><script>alert(1)</script>',
    'lang=%22%3E%3Cscript%3E',
    `lang=${'ar-XB-'.repeat(1000)}`,
    `${'lang=ar-XB&'.repeat(900)}`,
    '%',
    '&&&===',
  ].map(query => ({ query })),
]

/** The links to its other languages keep an application's request, whatever it is. */
const withoutQuery = (path: string, answer: APIGatewayProxyStructuredResultV2) =>
  ['/authorize', '/logout'].includes(path)
    ? { ...answer, body: answer.body?.replace(/(?<=<a href="\?)[^"]*(?=lang=)/g, '') }
    : answer

test.each(hostile)('a page for %j is the default’s, to the byte', async said => {
  for (const path of [...paths, redirect]) {
    const [plain, answer] = [await open(path), await open(path, said)]
    expect(withoutQuery(path, answer)).toEqual(withoutQuery(path, plain))
  }
})

test('of many askers at once, none gets the page of another', async () => {
  const mixed = [...config.languages, ...config.languages].flatMap(tag => paths.map(path => [tag, path] as const))
  const one = serving(config.languages)
  const answers = await Promise.all(mixed.map(([tag, path]) => one(path, { query: `lang=${tag}-x-${path.length}` })))
  expect(answers.map(languageOf)).toEqual(mixed.map(([tag]) => tag))
})

test('the account page is told to depend on the language', async () => {
  const etagOf = async (tag: string) => String((await open('/account', { query: `lang=${tag}` })).headers?.etag)
  const etags = await Promise.all(config.languages.map(etagOf))
  expect(new Set(etags).size).toBe(config.languages.length)
  const [english = '', accented = ''] = etags
  const ask = (etag: string) => open('/account', { query: 'lang=en-XA', headers: { 'if-none-match': etag } })
  expect(await ask(english)).toMatchObject({ statusCode: 200 })
  expect(await ask(accented)).toMatchObject({ statusCode: 304, headers: { vary: 'Accept-Encoding, Accept-Language' } })
})

test.each(Object.keys(allLanguages))('the account page takes at most 30,720 bytes in %s', async tag => {
  const { body = '' } = await serving(Object.keys(allLanguages))('/account', { query: `lang=${tag}` })
  expect(languageOf({ body })).toBe(tag)
  expect(brotliCompressSync(body).length).toBeLessThanOrEqual(30_720)
})

test('who is led to where a password is changed keeps the address’s language', async () => {
  const locationFor = async (said: Said) => (await open(redirect, said)).headers?.location
  expect(await locationFor({ query: 'lang=ar-xb' })).toBe('/account?lang=ar-XB#change-password')
  expect(await locationFor({ accept: 'ar-XB' })).toBe('/account#change-password')
})

test('the reference, and what programs get, have no language', async () => {
  const said = { query: 'lang=ar-XB', accept: 'ar-XB' }
  for (const answer of [
    await open('/reference', said),
    await open('/nothing', said),
    await open('/wp-login.php', { ...said, headers: { accept: 'application/json' } }),
  ]) {
    expect(answer.headers).not.toHaveProperty('content-language')
    expect(String(answer.headers?.vary)).not.toContain('Language')
  }
})
