import type { JSONWebKeySet } from 'jose'
import type { Client } from './client.ts'
import { expectMatch, expectSame, type Report, Unexpected } from './report.ts'

const keySetPath = '/auth/.well-known/jwks.json'

/** @returns the published keys, or null when they are not valid */
export async function checkKeys(report: Report, client: Client): Promise<JSONWebKeySet | null> {
  const issuer = `${client.baseUrl}/auth`
  const keys = await report.check('the signing keys are published, and may be cached for five minutes', async () => {
    const { headers, json } = await client.expect(200, 'GET', keySetPath)
    expectSame('Cache-Control', headers.get('cache-control'), 'public, max-age=300')
    const set = json as JSONWebKeySet | null
    if (!set?.keys?.length) throw new Unexpected('at least one key', JSON.stringify(json))
    for (const { kty, alg, use, kid = '', ...rest } of set.keys) {
      expectSame('key', [kty, alg, use].join(' '), 'RSA RS256 sig')
      expectMatch('kid', kid, /^[\w-]+$/)
      expectSame('private part', 'd' in rest, false)
    }
    return set
  })
  await report.check('the signing keys answer HEAD like GET, without a body', async () => {
    const { headers, text } = await client.expect(200, 'HEAD', keySetPath)
    expectSame('Content-Type', headers.get('content-type'), 'application/json')
    expectSame('body', text, '')
  })
  await report.check('the discovery document names the address of the keys', async () => {
    const { json } = await client.expect(200, 'GET', '/auth/.well-known/openid-configuration')
    expectSame('issuer', json?.issuer, issuer, "Is the address the stack's output BaseUrl?")
    expectSame('jwks_uri', json?.jwks_uri, `${client.baseUrl}${keySetPath}`)
  })
  return keys
}
