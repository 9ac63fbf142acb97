import type { IncomingMessage, RequestListener } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { serve } from '../../support/web-server.ts'

/** Serves until the test is over. @returns the address */
export async function serveOnce(answer: RequestListener): Promise<string> {
  const { url, close } = await serve(answer)
  onTestFinished(close)
  return url
}

interface Seen {
  status: number
  headers: Headers
  body: Buffer
}

/** Puts a system behind a proxy that changes answers. @returns the proxy's address */
export const proxyOf = (baseUrl: string, change: (request: IncomingMessage, answer: Seen) => void): Promise<string> =>
  serveOnce(async (request, response) => {
    const { host: _, connection: __, ...headers } = request.headers
    const body = await buffer(request)
    const answered = await fetch(`${baseUrl}${request.url}`, {
      method: request.method ?? '',
      headers: Object.entries({ 'accept-encoding': 'identity', ...headers }).map(([name, value]) => [
        name,
        String(value),
      ]),
      ...(body.length > 0 && { body }),
    })
    const answer = {
      status: answered.status,
      headers: new Headers(answered.headers),
      body: Buffer.from(await answered.arrayBuffer()),
    }
    for (const name of ['content-length', 'content-encoding', 'transfer-encoding', 'connection', 'keep-alive'])
      answer.headers.delete(name)
    change(request, answer)
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(answer.body)
  })
