import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readAllSettings } from '../../local/local-settings.ts'
import { linkIn, runSystem } from '../support/system/running.ts'

/** The system as seen by other containers, by the image and the guide, as far as possible without Docker. */

interface Compose {
  services: Record<string, { environment?: Record<string, string>; ports?: string[] }>
}
const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
const guide = read('docs/local.md')
const [, text = ''] = /```yaml\n(.+?)```/s.exec(guide) ?? []
const { services } = parse(text) as Compose
// The guide's addition for an application in a container.
const [beside = ''] = /^- If your application runs in a container too.+?(?=\n- )/ms.exec(guide) ?? []
const {
  PORT,
  HOST,
  BASE_URL,
  BROWSER_URL,
  INBOX_PORT,
  DATA_DIR: _,
  ...settings
} = readAllSettings({
  ...Object.fromEntries(
    Array.from(/^ENV (.+)$/m.exec(read('Dockerfile'))?.[1]?.matchAll(/(\w+)=(\S+)/g) ?? [], m => m.slice(1)),
  ),
  ...services.gatehouse?.environment,
  // The client of the sample application stands in for the reader's own.
  GATEHOUSE_IMAGE: '',
  ...Object.fromEntries(Array.from(beside.matchAll(/([A-Z_]+): (http[^`]+)/g), m => m.slice(1))),
})

const running = runSystem({}, { settings, host: HOST, publicUrl: BASE_URL, browserUrl: BROWSER_URL })
const { send, nextMail } = running
const ada = { email: 'ada@example.com', password: 'correct horse' }

/** Calls a server of this machine by another name, as a container does. */
function askAs(host: string, url: string): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { host } }, response => resolve(json(response) as Promise<Record<string, unknown>>))
      .on('error', reject)
      .end()
  })
}

test('the compose file publishes the ports that the settings name, to its own machine alone', () => {
  expect(HOST).toBe('0.0.0.0')
  expect(services.gatehouse?.ports).toEqual([`127.0.0.1:${PORT}:${PORT}`, `127.0.0.1:${INBOX_PORT}:${INBOX_PORT}`])
  expect(new URL(BASE_URL).hostname).toBe(Object.keys(services)[0])
})

describe('a container that knows the API as gatehouse', () => {
  test('finds keys and pages by discovery, and verifies a token by the keys', async () => {
    const host = new URL(BASE_URL).host
    const issuer = `${BASE_URL}/auth`
    const discovery = await askAs(host, `${running.system.baseUrl}/auth/.well-known/openid-configuration`)
    expect(discovery).toMatchObject({
      issuer,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      token_endpoint: `${issuer}/token`,
      // Where the browsers of people find the pages.
      authorization_endpoint: 'http://localhost:3000/authorize',
      end_session_endpoint: 'http://localhost:3000/logout',
    })
    const { pathname } = new URL(String(discovery.jwks_uri))
    const keys = (await askAs(host, `${running.system.baseUrl}${pathname}`)) as unknown as JSONWebKeySet

    await send('POST', '/auth/register', ada)
    const { body } = await send('POST', '/auth/login', ada)
    expect(decodeJwt(body.access_token).iss).toBe(issuer)
    const verified = await jwtVerify(body.access_token, createLocalJWKSet(keys), { issuer, audience: 'gatehouse' })
    expect(verified.payload.email).toBe(ada.email)
  })

  test('reads mails by that name, and by no other', async () => {
    const store = `${running.system.inboxUrl}/store`
    expect(await askAs('gatehouse:3001', store)).toMatchObject({ emails: expect.any(Array) })
    await expect(askAs('elsewhere:3001', store)).rejects.toThrow('JSON')
  })

  test('gets links that a browser on the machine can open', async () => {
    const email = 'bob@example.com'
    await send('POST', '/auth/register', { ...ada, email })
    expect(linkIn(await nextMail(email)).origin).toBe('http://localhost:3000')
  })
})
