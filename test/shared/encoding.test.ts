import { expect, test } from 'vitest'
import { encodeFor } from '../../shared/prebuilt/encoding.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')
const answer = { etag: 'W/"x"', text: '{"some":"json"}', brotli: base64('brotli'), gzip: base64('gzipped') }

test.each([
  [undefined, undefined],
  ['', undefined],
  ['br', 'br'],
  ['BR', 'br'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=1.0', 'br'],
  ['gzip, br;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.000', undefined],
  ['br ; q=0', undefined],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['br;q=0, *', 'gzip'],
  ['identity', undefined],
  ['identity, br;q=0.5', undefined],
  ['identity;q=0.5, br', 'br'],
  ['deflate', undefined],
  ['brotli', undefined],
  ['br;q=nonsense', undefined],
  [',,;q=1', undefined],
])('Accept-Encoding %j is answered in %j', (accepted, encoding) => {
  expect(encodeFor(accepted, answer).encoding).toBe(encoding)
})

test('the length counts the bytes on the wire', () => {
  expect(encodeFor('br', answer)).toMatchObject({ length: 6, isBase64Encoded: true })
  expect(encodeFor('gzip', answer)).toMatchObject({ length: 7, isBase64Encoded: true })
  expect(encodeFor(undefined, answer)).toMatchObject({ length: 15, isBase64Encoded: false })
  expect(encodeFor('br', { ...answer, brotli: base64('four') })).toMatchObject({ length: 4 })
})

test('an answer that compression makes no shorter goes as it is', () => {
  expect(encodeFor('br, gzip', { text: '{}' })).toMatchObject({ body: '{}', isBase64Encoded: false })
})
