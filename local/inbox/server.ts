import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { decoded } from '../network.ts'
import type { Inbox } from './inbox.ts'
import { sourceOf } from './mail-source.ts'

/**
 * The inbox over HTTP: the mails in JSON at `GET /store`, one as its recipient gets it at `GET /store/<messageId>`, and
 * its page at `/`. `DELETE /store` clears it; pages of other origins cannot send that, because the preflight is refused
 * (Fetch §4.8).
 *
 * @param hosts allowed host names, in addition to the loopback's. Others are refused against DNS rebinding: a web page
 *   whose name resolves to this machine must not read the mails.
 */
export function inboxServer(inbox: Inbox, hosts: readonly string[]): Server {
  const names = new Set(['localhost', '127.0.0.1', '[::1]', ...hosts.map(host => host.toLowerCase())])
  return createServer({ headersTimeout: 10_000, requestTimeout: 30_000 }, async (request, response) => {
    const answer = (status: number, headers: Record<string, string>, body: string) => {
      response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
      response.end(request.method === 'HEAD' ? undefined : body)
    }
    const refuse = (status: number, reason: string) => answer(status, { 'content-type': 'text/plain' }, `${reason}\n`)

    const name = (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase()
    const [path] = (request.url ?? '').split('?', 1)
    if (!names.has(name)) return refuse(421, 'This server does not answer for that host')
    if (path === '/store' && request.method === 'DELETE') {
      inbox.clear()
      return answer(204, {}, '')
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405, 'Only GET and HEAD are allowed')
    if (path === '/store') {
      const etag = `"${createHash('sha256').update(inbox.version()).digest('base64url')}"`
      if (request.headers['if-none-match'] === etag) return response.writeHead(304, { etag }).end()
      return answer(200, { ...storeHeaders, etag }, JSON.stringify({ emails: inbox.list() }))
    }
    if (path?.startsWith('/store/')) {
      const mail = inbox.find(decoded(path.slice('/store/'.length)) ?? '')
      return mail === null ? refuse(404, 'There is no such mail') : answer(200, sourceHeaders, sourceOf(mail))
    }
    if (path !== '/') return refuse(404, 'There is nothing at this path')
    // Loaded on demand, because esbuild builds it.
    const { inboxPage } = await import('./inbox-page.ts')
    answer(200, inboxPage.headers, inboxPage.body)
  })
}

const closed = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
const storeHeaders = { 'content-type': 'application/json', ...closed }
const sourceHeaders = { 'content-type': 'text/plain; charset=utf-8', ...closed }
