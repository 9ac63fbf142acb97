import { describe, expect, test } from 'vitest'
import { lazyFiles } from '../../../catalogue/explorer/pages/frame.ts'
import { ask, read } from '../../support/catalogue/served.ts'

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

const { modules } = await read<{ modules: { path: string }[] }>('/catalogue/modules')
const { sets } = await read<{ sets: { name: string }[] }>('/catalogue/sets')
const pages = [
  '/catalogue/explore',
  ...modules.map(({ path }) => `/catalogue/explore/${path}`),
  ...sets.map(({ name }) => `/catalogue/explore/sets/${name}`),
]

const index = await ask('/catalogue/explore')
const assets = [...index.body.matchAll(/(?:href|src|data-[\w-]+)="(\/catalogue\/explore\/assets\/[^"]+)"/g)].map(
  ([, path = '']) => path,
)

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }
const readHtml = (text: string) =>
  text.replaceAll(/&(?:#(\d+)|(\w+));/g, (_, code, name) =>
    code ? String.fromCodePoint(code) : (entities[name] ?? ''),
  )

describe('the explorer', () => {
  test('is linked from the index of the catalogue', async () => {
    expect((await read<{ links: object }>('/catalogue')).links).toMatchObject({ explore: '/catalogue/explore' })
  })

  test('has a page for the index, each module and each set', () => {
    expect(pages).toHaveLength(1 + 62 + 12)
  })

  test.each(pages)('%s is HTML under a closed policy, and may be kept for five minutes', async path => {
    const { statusCode, headers, body } = await ask(path)
    expect({ statusCode, headers }).toMatchObject({
      statusCode: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=300',
      },
    })
    expect(body).toMatch(/^<!doctype html>/)
    for (const asset of assets) expect(body).toContain(`"${asset}"`)
  })

  test('says in the index that checking needs a script, and where programs check', () => {
    expect(index.body).toMatch(/<noscript>.*needs JavaScript.*\/catalogue\/validate.*<\/noscript>/s)
  })

  test('has each id once on a page, and no link leads nowhere', async () => {
    const seen = new Map<string, { ids: string[]; links: string[] }>()
    for (const path of pages) {
      const { body } = await ask(path)
      const valuesOf = (name: string) =>
        [...body.matchAll(new RegExp(`<[^>]*\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) => readHtml(value))
      const ids = valuesOf('id')
      expect({ path, ids }).toEqual({ path, ids: [...new Set(ids)] })
      seen.set(path, { ids, links: valuesOf('href') })
    }
    const answers = new Map<string, number>()
    const broken: string[] = []
    for (const [path, { links }] of seen) {
      // The icon is in the page itself.
      for (const link of links.filter(link => !link.startsWith('data:'))) {
        const { origin, pathname, hash } = new URL(link, `http://site${path}`)
        // The other parts of the service are not served here.
        if (['/', '/reference', '/account'].includes(pathname)) continue
        const page = decodeURIComponent(pathname)
        if (!answers.has(page)) answers.set(page, (await ask(page, { method: 'HEAD' })).statusCode)
        const id = decodeURIComponent(hash.slice(1))
        // After `q=` follows a query for the check's script.
        const isThere = id === '' || id.startsWith('q=') || seen.get(page)?.ids.includes(id)
        if (origin !== 'http://site' || answers.get(page) !== 200 || !isThere) broken.push(`${path} → ${link}`)
      }
    }
    expect(answers.size).toBeGreaterThan(pages.length)
    expect(broken).toEqual([])
  })

  test.each([
    ['explorer-[\\w-]{10}\\.js$', 'text/javascript; charset=utf-8'],
    ['explorer-[\\w-]{10}\\.css$', 'text/css; charset=utf-8'],
    ...lazyFiles.map(name =>
      name.endsWith('style')
        ? [`${name}-[\\w-]{10}\\.css$`, 'text/css; charset=utf-8']
        : [`${name}-[\\w-]{10}\\.js$`, 'text/javascript; charset=utf-8'],
    ),
  ])('the file %s has a name of its own, and is kept for ever', async (name, type) => {
    const [path = '', ...others] = assets.filter(asset => new RegExp(name).test(asset))
    expect(others).toEqual([])
    const { statusCode, headers } = await ask(path)
    expect({ statusCode, headers }).toMatchObject({
      statusCode: 200,
      headers: { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' },
    })
    const again = await ask(path, { headers: { 'if-none-match': headers.etag ?? '' } })
    expect(again).toMatchObject({
      statusCode: 304,
      headers: { 'cache-control': 'public, max-age=31536000, immutable' },
    })
  })

  const first = ['page', 'explorer', 'explorer']

  test.each([
    ['50,000 bytes for a first visit: its page, script and style sheet', first, 50_000],
    [
      '60,000 with the first search, and the first query or program whose names and values are right',
      [...first, 'search', 'late'],
      60_000,
    ],
    [
      '80,000 with the first wrong one, and the builder',
      [...first, 'search', 'late', 'rare', 'builder', 'builder-style'],
      80_000,
    ],
  ])('takes at most %s', async (_, names, most) => {
    const nameOf = (path: string) => /\/assets\/([\w-]+)-[\w-]{10}\./.exec(path)?.[1] ?? 'page'
    const paths = ['/catalogue/explore', ...assets].filter(path => names.includes(nameOf(path)))
    expect(paths.map(nameOf).sort()).toEqual([...names].sort())
    const answers = await Promise.all(paths.map(path => ask(path, { headers: { 'accept-encoding': 'br' } })))
    const sizes = answers.map(({ headers }) => Number(headers['content-length']))
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(most)
  })

  test.each(['allpages', 'query allpages', 'query%2Ballpages'])(
    'spells a module as the catalogue does: %s',
    async name => {
      expect(await ask(`/catalogue/explore/${name}`)).toEqual(await ask('/catalogue/explore/query+allpages'))
    },
  )

  test.each([
    ['/catalogue/explore/query+allpagse', 'module-not-found', ['allpages', 'allimages', 'allusers']],
    ['/catalogue/explore/sets/RIGHT', 'set-not-found', ['RIGHTS']],
    ['/catalogue/explore/assets/explorer-0000000000.js', 'not-found', undefined],
    ['/catalogue/explore/', 'not-found', undefined],
    ['/catalogue/explore/query+allpages/from', 'not-found', undefined],
    ['/catalogue/explore/sets', 'module-not-found', undefined],
  ])('%s is a 404, as everywhere in the catalogue: %s', async (path, code, suggestions) => {
    const { statusCode, headers, body } = await ask(path)
    expect({ statusCode, type: headers['content-type'] }).toEqual({
      statusCode: 404,
      type: 'application/problem+json',
    })
    const problem = JSON.parse(body)
    expect(problem.code).toBe(code)
    if (suggestions) expect(problem.suggestions[0]).toBe(suggestions[0])
  })

  test('takes no query, and no other method than GET, HEAD and OPTIONS', async () => {
    expect(await ask('/catalogue/explore', { query: 'q=a' })).toMatchObject({ statusCode: 400 })
    expect(await ask('/catalogue/explore', { method: 'POST' })).toMatchObject({ statusCode: 405 })
    expect(await ask('/catalogue/explore', { method: 'HEAD' })).toMatchObject({ statusCode: 200, body: '' })
    expect(await ask('/catalogue/explore', { method: 'OPTIONS' })).toMatchObject({ statusCode: 204 })
  })
})
