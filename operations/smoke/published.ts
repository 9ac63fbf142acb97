import type { JSONWebKeySet } from 'jose'
import { conformanceTo } from '../../api/openapi/conformance.ts'
import type { OpenapiDocument } from '../../api/openapi/document.ts'
import { type Checklist, expectMatch, expectSame, Skipped, Unexpected } from '../command-line/checklist.ts'
import type { Client } from './client.ts'

const keySetPath = '/auth/.well-known/jwks.json'

/** @returns the published keys, or null when invalid */
export async function checkKeys(checklist: Checklist, client: Client): Promise<JSONWebKeySet | null> {
  const issuer = `${client.baseUrl}/auth`
  const keys = await checklist.check('the signing keys are published, and may be cached for five minutes', async () => {
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
  await checklist.check('the signing keys answer HEAD like GET, without a body', async () => {
    const { headers, text } = await client.expect(200, 'HEAD', keySetPath)
    expectSame('Content-Type', headers.get('content-type'), 'application/json')
    expectSame('body', text, '')
  })
  await checklist.check('the discovery document names the address of the keys', async () => {
    const { json } = await client.expect(200, 'GET', '/auth/.well-known/openid-configuration')
    expectSame('issuer', json?.issuer, issuer, "Is the address the stack's output BaseUrl?")
    expectSame('jwks_uri', json?.jwks_uri, `${client.baseUrl}${keySetPath}`)
  })
  return keys
}

const path = '/openapi.json'

/** Checks the API's description, and all earlier answers against it. Runs last. */
export async function checkDescription(checklist: Checklist, client: Client): Promise<void> {
  const document = await checklist.check('the description of the API may be cached for five minutes', async () => {
    const { headers, json } = await client.expect(200, 'GET', path)
    expectSame('Cache-Control', headers.get('cache-control'), 'public, max-age=300')
    expectMatch('openapi', String(json?.openapi), /^3\.1\./)
    return json as unknown as OpenapiDocument
  })
  await checklist.check('every answer conforms to the description', async () => {
    if (document === null) throw new Skipped('there is no description')
    // A deployed API may be newer than this checkout, with further members.
    const faultsOf = conformanceTo(document, { isClosed: false, isGateway: true })
    const faults = client.answers.flatMap(({ method, path, answer }) => {
      const { status, headers, text } = answer
      const found = faultsOf(method, path, { status, header: name => headers.get(name), body: text })
      return found.map(fault => `${status} to ${method} ${path}: ${fault}`)
    })
    const [first] = faults
    if (first) throw new Unexpected('no deviation', `${faults.length}, such as ${first}`)
  })
}
