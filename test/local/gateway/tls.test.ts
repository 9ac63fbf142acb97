import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { gatewayServer } from '../../../local/gateway/gateway.ts'
import { routeFinder } from '../../../local/gateway/routes.ts'
import { close, listen } from '../../../local/network.ts'
import type { RouteTarget } from '../../../local/template/read-stack.ts'
import { commonHeaders } from '../../../shared/base/answer.ts'
import { makeCertificate } from '../../support/certificate.ts'

const root = join(import.meta.dirname, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'tls-'))
const certificate = makeCertificate(folder)
afterAll(() => rmSync(folder, { recursive: true }))

const parts = Promise.resolve({
  findRoute: routeFinder(new Map([['$default', {} as RouteTarget]])),
  cors: null,
  enter: async () => true,
  invoke: async (_: RouteTarget, event: string) => ({
    payload: JSON.stringify({ statusCode: 200, headers: commonHeaders, body: event }),
  }),
  onServed() {},
})
const server = gatewayServer(parts, certificate)
let port: number
beforeAll(async () => {
  port = await listen(server, '127.0.0.1')
})

test('over TLS functions see https; the answer keeps fields but that for whole hosts', async () => {
  const sent = request(`https://localhost:${port}/`, { ca: certificate.cert, agent: false })
  sent.end()
  const [response] = await once(sent, 'response')
  expect(JSON.parse(await text(response)).headers['x-forwarded-proto']).toBe('https')
  const { 'strict-transport-security': left, ...fields } = commonHeaders
  expect(left).toBeDefined()
  expect(response.headers).toMatchObject(fields)
  expect(response.headers).not.toHaveProperty('strict-transport-security')
})

test('the image’s health check speaks as the API does, and names a silent port', async () => {
  const plain = gatewayServer(parts, null)
  const plainPort = await listen(plain, '127.0.0.1')
  onTestFinished(() => close(plain))
  const [, command = '[]'] = /^HEALTHCHECK .* CMD (\[.+\])$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? []
  const [node, ...args] = JSON.parse(command)
  expect(node).toBe('node')
  const check = async (port: number, file: string) => {
    const env = { PORT: String(port), TLS_CERT: file, TLS_KEY: file && certificate.keyFile }
    return (await once(spawn(process.execPath, args, { cwd: root, env, stdio: 'ignore' }), 'exit'))[0]
  }
  expect(await Promise.all([check(port, certificate.certFile), check(plainPort, '')])).toEqual([0, 0])
  expect(await Promise.all([check(port, ''), check(plainPort, certificate.certFile)])).toEqual([1, 1])
})

test('who speaks no TLS is disconnected without an answer', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  socket.on('error', () => {})
  expect(await text(socket).catch(() => '')).toBe('')
})

test('it closes at once while somebody has not begun to speak', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(server, 'connection')
  const ends: string[] = []
  server.on('tlsClientError', ({ code }: NodeJS.ErrnoException) => ends.push(String(code)))
  await close(server)
  expect(ends).not.toContain('ERR_TLS_HANDSHAKE_TIMEOUT')
  await once(socket, 'close')
})
