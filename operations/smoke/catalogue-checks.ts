import { setTimeout as wait } from 'node:timers/promises'
import { type Checklist, expectMatch, expectSame, Unexpected } from '../command-line/checklist.ts'
import type { Client } from './client.ts'
import { expectOrigin } from './protocol.ts'

/** The catalogue, at the API or at CloudFront. @param origin whose pages may read it there */
export async function checkCatalogue(checklist: Checklist, client: Client, origin: string): Promise<void> {
  const etag = await checklist.check(`the catalogue at ${client.baseUrl} may be cached for five minutes`, async () => {
    const { headers, json } = await client.expect(200, 'GET', '/catalogue')
    expectMatch('Content-Type', headers.get('content-type'), /^application\/json/)
    expectMatch('Cache-Control', headers.get('cache-control'), /public, max-age=300/)
    if (json === null) throw new Unexpected('a JSON object', 'none')
    return headers.get('etag')
  })
  await checklist.check('a client that has the catalogue gets 304', async () => {
    await client.expect(304, 'GET', '/catalogue', { headers: { 'if-none-match': etag ?? '' } })
  })
  await checklist.check('the catalogue answers HEAD like GET, without a body', async () => {
    expectSame('body', (await client.expect(200, 'HEAD', '/catalogue')).text, '')
  })
  await checklist.check(`the list of modules is compressed, and a page of ${origin} may read it`, async () => {
    const answer = await client.expect(200, 'GET', '/catalogue/modules', {
      headers: { 'accept-encoding': 'br', origin },
    })
    expectSame('Content-Encoding', answer.headers.get('content-encoding'), 'br')
    expectOrigin(answer, origin)
  })
}

/** Maximum requests until a cache hit: an edge location has several caches, which fill separately. */
const maxTries = 8

/** Behaviour of CloudFront alone. */
export async function checkCloudFront(checklist: Checklist, client: Client): Promise<void> {
  await checklist.check('CloudFront answers from its cache', async () => {
    let seen = 'no X-Cache'
    for (let i = 0; i < maxTries; i++) {
      const { headers } = await client.expect(200, 'GET', '/catalogue')
      seen = headers.get('x-cache') ?? seen
      if (/\bhit\b/i.test(seen)) return
      await wait(200)
    }
    throw new Unexpected(`a hit in X-Cache within ${maxTries} requests`, seen)
  })
  await checklist.check('CloudFront does not serve the account service', async () => {
    await client.expect(404, 'GET', '/auth/me')
  })
  await checklist.check('CloudFront serves nothing without TLS', async () => {
    const { status } = await fetch(`${client.baseUrl.replace(/^https/, 'http')}/catalogue`, { redirect: 'manual' })
    if (status !== 301 && status !== 308 && status !== 403) throw new Unexpected('301, 308 or 403', String(status))
  })
}
