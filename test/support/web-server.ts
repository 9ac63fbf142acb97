import { createServer, type RequestListener } from 'node:http'
import { close, listen } from '../../local/network.ts'

export interface WebServer extends AsyncDisposable {
  /** Its address, without a trailing slash. */
  url: string
  /** Ends open connections too. */
  close(): Promise<void>
}

/** Serves a test's answers on a free port of this machine. */
export async function serve(answer: RequestListener): Promise<WebServer> {
  const server = createServer(answer)
  const url = `http://127.0.0.1:${await listen(server, '127.0.0.1')}`
  const end = () => close(server)
  return { url, close: end, [Symbol.asyncDispose]: end }
}
