import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  request as send,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { runInNewContext } from 'node:vm'
import { onTestFinished } from 'vitest'
import type { Template } from '../../../local/template/template.ts'
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

/** Changes an answer before it is passed on. */
type Change = (request: IncomingMessage, answer: Seen) => void

const flat = (headers: IncomingHttpHeaders): [string, string][] =>
  Object.entries(headers).map(([name, value]) => [name, String(value)])

async function ask(baseUrl: string, request: IncomingMessage): Promise<Seen> {
  const { host: _, ...headers } = request.headers
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  send(`${baseUrl}${request.url}`, { method: request.method ?? '', headers, agent: false }, resolve)
    .once('error', reject)
    .end(await buffer(request))
  const answer = await promise
  const seen = {
    status: answer.statusCode ?? 0,
    headers: new Headers(flat(answer.headers)),
    body: await buffer(answer),
  }
  for (const name of ['transfer-encoding', 'connection', 'keep-alive']) seen.headers.delete(name)
  return seen
}

/** Answers like another server, with changes. */
const passOn =
  (answerOf: (request: IncomingMessage) => Promise<Seen>, change: Change = () => {}): RequestListener =>
  async (request, response) => {
    const answer = await answerOf(request)
    const { body } = answer
    change(request, answer)
    if (answer.body !== body) for (const name of ['content-length', 'content-encoding']) answer.headers.delete(name)
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(answer.body)
  }

/** Puts a system behind a proxy that changes answers. @returns the proxy's address */
export const proxyOf = (baseUrl: string, change: Change): Promise<string> =>
  serveOnce(passOn(request => ask(baseUrl, request), change))

/** DER (ITU-T X.690): a tag, the contents' length in two bytes, and the contents. */
const der = (tag: number, ...contents: Buffer[]): Buffer => {
  const all = Buffer.concat(contents)
  return Buffer.concat([Buffer.from([tag, 0x82, all.length >> 8, all.length & 0xff]), all])
}

/** A self-signed certificate (RFC 5280 §4.1), valid until 2049, with its key: Node cannot make one. */
function certificate(): { cert: string; key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = der(0x30, der(0x06, Buffer.from('2a8648ce3d040302', 'hex')))
  const [noName, serial] = [der(0x30), der(0x02, Buffer.from([1]))]
  const validity = der(0x30, ...['250101000000Z', '491231235959Z'].map(time => der(0x17, Buffer.from(time))))
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const signed = der(0x30, serial, ecdsaWithSha256, noName, validity, noName, spki)
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', signed, privateKey)]))
  const body = der(0x30, signed, ecdsaWithSha256, signature).toString('base64')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${body.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  }
}

/** The first byte of a TLS handshake's record (RFC 8446 §5.1). */
const handshake = 22

// biome-ignore lint/suspicious/noExplicitAny: CloudFormation's shapes are CloudFront's, which the synthesis has validated
type Properties = any

/**
 * Stands in for CloudFront before a system, by the template: with its response headers policies, function, paths, and
 * TLS alone. Its caches keep no answers: a repeated request is called a hit.
 *
 * @returns the address, until the test is over
 */
export async function cloudFrontOf(baseUrl: string, { Resources }: Template) {
  const propertiesOf = (type: string): Properties =>
    Object.values(Resources).find(({ Type }) => Type === `AWS::CloudFront::${type}`)?.Properties
  const { CacheBehaviors, DefaultCacheBehavior } = propertiesOf('Distribution').DistributionConfig
  const refusal = runInNewContext(`${propertiesOf('Function').FunctionCode}\nhandler()`)
  const asked = new Set<string>()

  const answerOf = async (request: IncomingMessage): Promise<Seen> => {
    const { url = '', method, headers } = request
    const path = url.replace(/\?.*/s, '')
    const matches = ({ PathPattern }: Properties) =>
      new RegExp(`^${PathPattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(path)
    const behavior = CacheBehaviors.find(matches) ?? DefaultCacheBehavior
    const answer: Seen =
      behavior === DefaultCacheBehavior
        ? {
            status: refusal.statusCode,
            headers: new Headers(flat(refusal.headers).map(([name]) => [name, refusal.headers[name].value])),
            body: Buffer.from(refusal.body.data),
          }
        : await ask(baseUrl, request)
    const policy: Properties = Resources[behavior.ResponseHeadersPolicyId.Ref]?.Properties
    const { CorsConfig: cors } = policy.ResponseHeadersPolicyConfig
    if (headers.origin !== undefined) {
      answer.headers.set('access-control-allow-origin', cors.AccessControlAllowOrigins.Items.join())
      answer.headers.set('access-control-expose-headers', cors.AccessControlExposeHeaders.Items.join())
    }
    const known = `${method} ${url}`
    answer.headers.set('x-cache', `${asked.has(known) ? 'Hit' : 'Miss'} from cloudfront`)
    asked.add(known)
    return answer
  }
  const withTls = createTlsServer(certificate(), passOn(answerOf))
  const withoutTls = createServer((_, response) => {
    response.writeHead(DefaultCacheBehavior.ViewerProtocolPolicy === 'https-only' ? 403 : 200).end()
  })
  const port = createSocketServer(socket =>
    socket.once('data', first => {
      socket.pause().unshift(first)
      ;(first[0] === handshake ? withTls : withoutTls).emit('connection', socket)
      process.nextTick(() => socket.resume())
    }),
  )
  const sockets = new Set<{ destroy(): void }>()
  port.on('connection', socket => sockets.add(socket.once('error', () => {})))
  port.listen(0, '127.0.0.1')
  await once(port, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    port.close()
  })
  return `https://127.0.0.1:${(port.address() as AddressInfo).port}`
}
