import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { partOf } from '../../api/openapi/document.ts'
import { partNames } from '../../api/openapi/served.ts'
import serveDocument from '../../functions/openapi.ts'
import { currentDocument } from '../../infra/build/openapi.ts'
import { byName, documents, expectDescribed } from '../support/api/openapi.ts'
import { prebuiltHeaders } from '../support/service/http.ts'

const serve = serveDocument({ config: { supportEmail: null }, documents })
const ask = async (headers: Record<string, string> = {}, method = 'GET', rawQueryString = '', asked = serve) => {
  const answer = await asked({ headers, rawQueryString, requestContext: { http: { method } } })
  const body = answer.isBase64Encoded ? decoded(answer) : answer.body
  expectDescribed(method, '/openapi.json', { status: answer.statusCode, header: byName(answer.headers), body })
  return answer
}

function decoded({ headers, body }: Awaited<ReturnType<typeof serve>>): string {
  const decompress = headers['content-encoding'] === 'br' ? brotliDecompressSync : gunzipSync
  return decompress(Buffer.from(body, 'base64')).toString()
}

describe('GET /openapi.json', () => {
  test('answers with the document that this source generates', async () => {
    const { statusCode, body } = await ask()
    expect(statusCode).toBe(200)
    expect(JSON.parse(body)).toEqual(JSON.parse(JSON.stringify(currentDocument())))
  })

  test('may be cached for five minutes, and has a length and an ETag', async () => {
    const { headers, body } = await ask()
    expect(headers).toEqual(prebuiltHeaders(body))
  })

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('comes in %s, as it was compressed at build time', async (coding, decompress) => {
    const plain = await ask()
    const { headers, body, isBase64Encoded } = await ask({ 'accept-encoding': coding })
    const bytes = Buffer.from(body, 'base64')
    expect([isBase64Encoded, headers['content-encoding'], headers['content-length']]).toEqual([
      true,
      coding,
      String(bytes.length),
    ])
    expect(decompress(bytes).toString()).toBe(plain.body)
    expect(bytes.length).toBeLessThan(plain.body.length / 10)
  })

  test('is not sent again to a client that has it', async () => {
    const { headers } = await ask()
    const again = await ask({ 'if-none-match': headers.etag ?? '' })
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', headers.etag])
  })

  test('answers HEAD as GET, without the body', async () => {
    const { headers } = await ask({ 'accept-encoding': 'br' })
    expect(await ask({ 'accept-encoding': 'br' }, 'HEAD')).toMatchObject({ statusCode: 200, headers, body: '' })
  })

  test.each(partNames)('?tags=%s answers with that part alone, under an ETag of its own', async tag => {
    const whole = await ask()
    const { headers, body } = await ask({}, 'GET', `tags=${tag}`)
    expect(JSON.parse(body)).toEqual(JSON.parse(JSON.stringify(partOf(currentDocument(), tag))))
    expect(headers).toEqual(prebuiltHeaders(body))
    expect(headers.etag).not.toBe(whole.headers.etag)
    const again = await ask({ 'if-none-match': headers.etag ?? '' }, 'GET', `tags=${tag}`)
    expect(again.statusCode).toBe(304)
    expect((await ask({ 'if-none-match': whole.headers.etag ?? '' }, 'GET', `tags=${tag}`)).statusCode).toBe(200)
  })

  test.each([
    ['tags=description', 'invalid', [...partNames]],
    ['tags=', 'invalid', [...partNames]],
    ['tags=accounts,keys', 'invalid', [...partNames]],
    ['tags=accounts&tags=keys', 'repeated', ['tags']],
    ['tag=accounts', 'unknown', ['tags']],
    ['__proto__=accounts', 'unknown', ['tags']],
  ])('?%s is refused with what is allowed', async (query, fault, allowed) => {
    const { statusCode, headers, body } = await ask({}, 'GET', query)
    expect([statusCode, headers['cache-control']]).toEqual([400, 'no-store'])
    expect(JSON.parse(body)).toMatchObject({ code: `query-parameter-${fault}`, allowed })
    expect(await ask({}, 'HEAD', query)).toMatchObject({ statusCode: 400, body: '' })
  })

  test.each([
    [`y${'x'.repeat(63)}`, ''],
    [`y${'x'.repeat(64)}`, '…'],
  ])('a refusal quotes 64 characters of %s', async (name, rest) => {
    const { detail } = JSON.parse((await ask({}, 'GET', name)).body)
    expect(detail).toContain(`no query parameter "${name.slice(0, 64)}${rest}" here`)
  })
})

describe('where SUPPORT_EMAIL is set', () => {
  const email = "o'brien+$&@acme.example"
  const supported = serveDocument({ config: { supportEmail: email }, documents })

  test.each(['', 'tags=accounts'])('?%s says whom to write to, and is otherwise the same', async query => {
    const bare = JSON.parse((await ask({}, 'GET', query)).body)
    const { headers, body } = await ask({}, 'GET', query, supported)
    expect(JSON.parse(body)).toEqual({ ...bare, info: { contact: { email }, ...bare.info } })
    expect(headers).toEqual({ ...prebuiltHeaders(body), etag: expect.stringMatching(/^W\/"[\w-]+"$/) })
  })

  test('it comes compressed too, and changes with the address', async () => {
    const plain = await ask({}, 'GET', '', supported)
    const { headers, body } = await ask({ 'accept-encoding': 'br' }, 'GET', '', supported)
    expect(brotliDecompressSync(Buffer.from(body, 'base64')).toString()).toBe(plain.body)
    const other = await ask({}, 'GET', '', serveDocument({ config: { supportEmail: 'help@acme.example' }, documents }))
    expect(new Set([headers.etag, other.headers.etag, (await ask()).headers.etag]).size).toBe(3)
  })
})
