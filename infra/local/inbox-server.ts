import { createServer, type Server } from 'node:http'
import type { Inbox } from './inbox.ts'
import { inboxPage } from './inbox-page.ts'

/**
 * The inbox over HTTP: `GET /store`, and a page to read it at `/`.
 *
 * @param host the name it may be asked by besides the loopback's own: a page of the wide web whose name is made to
 * resolve to this machine (DNS rebinding) must not read the mails
 */
export function inboxServer(inbox: Inbox, host: string): Server {
  const names = new Set(['localhost', '127.0.0.1', '[::1]', host])
  return createServer({ headersTimeout: 10_000, requestTimeout: 30_000 }, (request, response) => {
    const answer = (status: number, type: string, body: string, headers: Record<string, string> = {}) => {
      response.writeHead(status, {
        'content-type': type,
        'content-length': Buffer.byteLength(body),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        ...headers,
      })
      response.end(request.method === 'HEAD' ? undefined : body)
    }
    const name = (request.headers.host ?? '').replace(/:\d+$/, '')
    const [path] = (request.url ?? '').split('?', 1)
    if (!names.has(name.toLowerCase())) return answer(421, 'text/plain', 'This is not the host that you asked for\n')
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, 'text/plain', 'Only GET and HEAD\n')
    if (path === '/store') return answer(200, 'application/json', JSON.stringify({ emails: inbox.list() }))
    if (path === '/') return answer(200, inboxPage.headers['content-type'], inboxPage.body, inboxPage.headers)
    answer(404, 'text/plain', 'There is nothing at this path\n')
  })
}
