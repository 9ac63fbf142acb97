import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import servePage from '../../functions/pages.ts'
import { htmlPages } from '../../infra/build/html-page.ts'
import { passwordLength } from '../../shared/accounts/password.ts'
import { routeKeysOf, routes } from '../../shared/routes.ts'

const open = (rawPath: string, method = 'GET') =>
  servePage()({ rawPath, requestContext: { http: { method } } } as APIGatewayProxyEventV2)

const sha256 = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The bodies of all elements of a name. */
const inside = (html: string, name: string) =>
  [...html.matchAll(new RegExp(`<${name}\\b[^>]*>([\\s\\S]*?)</${name}>`, 'g'))].map(([, body]) => body)

/** The policy's directives by name. */
const directives = (policy: unknown) =>
  Object.fromEntries(
    String(policy)
      .split('; ')
      .map(directive => [directive.split(' ')[0], directive.split(' ').slice(1)]),
  )

test('every route of the row has its page, and nothing else has one', async () => {
  for (const key of routeKeysOf(routes.pages)) {
    const [method, path = ''] = key.split(' ')
    expect(await open(path, method), key).toMatchObject({ statusCode: 200 })
  }
  expect(await open('/verify-email/')).toMatchObject({ statusCode: 404 })
})

describe.each([
  ['/verify-email', 'verify-email'],
  ['/reset-password', 'reset-password'],
] as const)('the page %s', async (path, endpoint) => {
  const { headers = {}, body = '' } = await open(path)
  const policy = directives(headers['content-security-policy'])

  test('allows its one style and its one script by their exact bytes, and no others', () => {
    const [styles, scripts] = [inside(body, 'style'), inside(body, 'script')]
    expect(styles).toHaveLength(1)
    expect(scripts).toHaveLength(1)
    expect(policy['style-src']).toEqual(styles.map(sha256))
    expect(policy['script-src']).toEqual(scripts.map(sha256))
    expect(body).not.toMatch(/\s(style|on\w+)=/)
  })

  test('forbids everything else, frames and forms included', () => {
    expect(policy).toMatchObject({
      'default-src': ["'none'"],
      'connect-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
      'require-trusted-types-for': ["'script'"],
    })
    expect(String(headers['content-security-policy'])).not.toContain('unsafe')
  })

  test('tells nobody where it was opened from, and is not kept', () => {
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'content-type': 'text/html; charset=utf-8',
    })
  })

  test('refers to nothing outside itself', () => {
    expect(body).not.toMatch(/\b(src|href)=|url\(|@import|https?:/)
  })

  test('posts to the endpoint that its link is for', () => {
    const [key] = routes[endpoint].on
    expect(body).toContain(`<form method="post" action="${key.replace('POST ', '')}"`)
  })

  test('says its language, its title and that it needs JavaScript', () => {
    expect(body).toMatch(/^<!doctype html>\s*<html lang="en">/)
    expect(inside(body, 'title')).toEqual([expect.stringContaining('Gatehouse')])
    expect(inside(body, 'noscript')).toEqual([expect.stringContaining('needs JavaScript')])
  })

  test('answers HEAD like GET, without the body', async () => {
    const told = { ...headers, 'content-length': String(Buffer.byteLength(body)) }
    expect(await open(path, 'HEAD')).toMatchObject({ statusCode: 200, headers: told, body: '' })
  })
})

test('the password field names the bound that the API sets', async () => {
  const { body = '' } = await open('/reset-password')
  expect(body).toContain(`minlength="${passwordLength.min}"`)
  expect(body).toContain(`At least ${passwordLength.min} characters`)
  expect(body).toContain('autocomplete="new-password"')
  expect(body).not.toContain('maxlength')
})

test('the bundle is one small file that loads no module: a cold start costs about as much as an empty one', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(import.meta.resolve('../../functions/pages.ts'))],
    plugins: [htmlPages],
    bundle: true,
    format: 'esm',
    platform: 'node',
    minify: true,
    write: false,
    metafile: true,
    outdir: '/',
  })
  const [output, ...others] = Object.values(metafile.outputs)
  expect(others).toEqual([])
  expect(output?.imports).toEqual([])
  expect(outputFiles[0]?.contents.length).toBeLessThan(15 * 1024)
})
