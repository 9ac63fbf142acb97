import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { ModuleSummary } from '../../../catalogue/model.ts'
import { ask, read } from '../../support/catalogue/served.ts'
import { everyPath } from './every-path.ts'

type List = { modules: ModuleSummary[] }

describe('encodings', () => {
  /** Allowed costs of compression in bytes: other lists are compressed while a client waits. */
  const [prebuilt, unusual] = [1.03, 1.25]
  const lists: [query: string, bound: number][] = [
    ['', prebuilt],
    ['expand=parameters', prebuilt],
    ['group=prop', prebuilt],
    ['group=prop&expand=parameters', prebuilt],
    ['q=sha1', unusual],
    ['q=revision&expand=parameters', unusual],
    ['q=yt&expand=parameters', unusual],
    ['q=in&expand=parameters', unusual],
  ]
  const paths: [path: string, query: string, bound: number][] = [
    ...everyPath.map((path): [string, string, number] => [path, '', prebuilt]),
    ...lists.map(([query, bound]): [string, string, number] => ['/catalogue/modules', query, bound]),
  ]

  test.each(paths)(
    '%s?%s is the same in brotli and gzip, at most %d times the best size',
    async (path, query, bound) => {
      const { body } = await ask(path, { query })
      const inverse = { br: brotliDecompressSync, gzip: gunzipSync }
      for (const encoding of ['br', 'gzip'] as const) {
        const answer = await ask(path, { query, headers: { 'accept-encoding': encoding } })
        const bytes = Buffer.from(answer.body, answer.isBase64Encoded ? 'base64' : 'utf8')
        const decoded = answer.headers['content-encoding'] ? inverse[encoding](bytes) : bytes
        expect(decoded.toString()).toBe(body)
        expect(answer.headers).toMatchObject({ 'content-length': String(bytes.length), vary: 'Accept-Encoding' })
        expect(bytes.length).toBeLessThanOrEqual(body.length)
        if (encoding === 'br') expect(bytes.length / brotliCompressSync(body).length).toBeLessThanOrEqual(bound)
      }
      if (body.length > 200) {
        const { headers } = await ask(path, { query, headers: { 'accept-encoding': 'gzip, br' } })
        expect(headers['content-encoding']).toBe('br')
      }
    },
  )

  test('a list that is not prebuilt is compressed quickly', async () => {
    // One of the longest lists for two letters.
    const query = 'q=ti&expand=parameters'
    const { body } = await ask('/catalogue/modules', { query })
    const { headers } = await ask('/catalogue/modules', { query, headers: { 'accept-encoding': 'br' } })
    expect(headers['content-encoding']).toBe('br')
    expect(Number(headers['content-length']) / brotliCompressSync(body).length).toBeGreaterThan(1.05)
  })

  test('a list asked for again is what it was, also after many others', async () => {
    const options = { query: 'q=sha1', headers: { 'accept-encoding': 'br' } }
    const first = await ask('/catalogue/modules', options)
    expect(await ask('/catalogue/modules', options)).toEqual(first)
    const { modules } = await read<List>('/catalogue/modules')
    for (const { prefix } of modules) {
      await ask('/catalogue/modules', { query: `prefix=${prefix}`, headers: { 'accept-encoding': 'br' } })
      await ask('/catalogue/modules', {
        query: `prefix=${prefix}&expand=parameters`,
        headers: { 'accept-encoding': 'br' },
      })
    }
    expect(await ask('/catalogue/modules', options)).toEqual(first)
  })
})
