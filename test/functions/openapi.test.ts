import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import serveDocument from '../../functions/openapi.ts'
import { currentDocument } from '../../infra/build/openapi.ts'
import { byName, expectDescribed, served } from '../support/api/openapi.ts'
import { prebuiltHeaders } from '../support/service/http.ts'

const serve = serveDocument(served)
const ask = async (headers: Record<string, string> = {}, method = 'GET') => {
  const answer = await serve({ headers, requestContext: { http: { method } } })
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
})
