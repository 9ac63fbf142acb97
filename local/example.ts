import { randomBytes } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Settings } from '../infra/settings/settings.ts'
import type { ExampleClient } from './example-listener.ts'

const id = 'example'

/** @param baseUrls addresses of this service's pages */
export const exampleClient = (baseUrls: readonly string[]): ExampleClient => ({
  id: 'gatehouse',
  secret: randomBytes(32).toString('base64url'),
  redirects: baseUrls.map(url => `${url}/sign-in/${id}`),
})

const originOf = (port: number): string => `http://localhost:${port}`

/**
 * The provider "Example" on this machine: people log in there under any name. Its package is loaded with the first
 * request, because that takes most of a second.
 */
export function exampleServer(client: ExampleClient): Server {
  let listener: Promise<RequestListener> | undefined
  const load = async (origin: string) => (await import('./example-listener.ts')).exampleListener(origin, client)
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 30_000 }, async (request, response) => {
    const refuse = (status: number, reason: string) =>
      response.writeHead(status, { 'content-type': 'text/plain' }).end(`${reason}\n`)
    const origin = originOf((server.address() as AddressInfo).port)
    // A web page whose name resolves to this machine must not log in (DNS rebinding).
    if (request.headers.host !== new URL(origin).host) return refuse(421, 'This server does not answer for that host')
    try {
      listener ??= load(origin)
      const answer = await listener
      answer(request, response)
    } catch (error) {
      refuse(500, `Example cannot be loaded: ${error}`)
    }
  })
  return server
}

/** Its entry in SIGN_IN_PROVIDERS. @param encrypt encrypts a secret for the provider with an id */
export async function exampleEntry(
  port: number,
  client: ExampleClient,
  encrypt: (id: string, secret: string) => Promise<string>,
): Promise<Settings['SIGN_IN_PROVIDERS'][number]> {
  const origin = originOf(port)
  return {
    id,
    name: 'Example',
    issuer: origin,
    authorizationEndpoint: `${origin}/auth`,
    tokenEndpoint: `${origin}/token`,
    jwksUri: `${origin}/jwks`,
    clientId: client.id,
    secret: await encrypt(id, client.secret),
    auth: 'post',
    email: 'claim',
    require: {},
    formPost: false,
    redirects: [],
  }
}
