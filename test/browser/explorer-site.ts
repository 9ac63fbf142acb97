import { ask } from '../support/catalogue/served.ts'
import { addressOf, close, listen } from './support.ts'

export interface ExplorerSite extends AsyncDisposable {
  /** The address of the site, without a slash at its end. */
  url: string
  /** Every request, as `GET /path?query`. */
  requests: string[]
}

/** The catalogue's function behind HTTP, and nothing else. */
export async function openExplorer(): Promise<ExplorerSite> {
  const requests: string[] = []
  const server = await listen(async ({ method = 'GET', url = '/', headers }, response) => {
    requests.push(`${method} ${url}`)
    const [path = '', query = ''] = url.split('?')
    const answer = await ask(decodeURIComponent(path), { method, query, headers: headers as Record<string, string> })
    const body = Buffer.from(answer.body, answer.isBase64Encoded ? 'base64' : 'utf8')
    response.writeHead(answer.statusCode, answer.headers).end(body)
  })
  return { url: addressOf(server), requests, [Symbol.asyncDispose]: () => close(server) }
}
