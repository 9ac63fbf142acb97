import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Provider } from '../../accounts/identity/provider.ts'
import { exampleClient, exampleEntry, exampleServer } from '../../local/example.ts'
import { challenge, goToExample, verifier } from '../support/system/example.ts'

/** The provider of `npm start` alone: its pages, and its claims to this service. */

const client = exampleClient(['http://localhost:3000'])
const server = exampleServer(client)
let entry: Provider

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  entry = await exampleEntry((server.address() as AddressInfo).port, client, async (id, secret) => `${id}:${secret}`)
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const goThere = () =>
  goToExample({
    id: entry.id,
    authorization_endpoint: entry.authorizationEndpoint,
    client_id: entry.clientId,
    scope: 'openid email profile',
    redirect_uri: client.redirects[0] ?? '',
  })

async function exchange(code: string, secret = client.secret) {
  const answer = await fetch(entry.tokenEndpoint, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', code, code_verifier: verifier },
      ...{ client_id: entry.clientId, client_secret: secret, redirect_uri: client.redirects[0] ?? '' },
    }),
  })
  return { status: answer.status, body: (await answer.json()) as { id_token: string; error?: string } }
}

const logInAs = async (email: string) => {
  const { submit } = await goThere()
  const back = await submit({ email })
  const { body } = await exchange(back.searchParams.get('code') ?? '')
  return { back, claims: decodeJwt(body.id_token), header: decodeProtectedHeader(body.id_token) }
}

test('its entry has its addresses, and its secret encrypted', () => {
  expect(entry).toMatchObject({ id: 'example', name: 'Example', secret: `example:${client.secret}`, auth: 'post' })
  expect(client.redirects).toEqual(['http://localhost:3000/sign-in/example'])
})

describe('people log in', () => {
  test('with any address and no password, and the id token has it, proven', async () => {
    const { back, claims, header } = await logInAs('Ada@Example.com')
    expect([back.origin + back.pathname, back.searchParams.get('state')]).toEqual([client.redirects[0], 'the state'])
    expect(back.searchParams.get('iss')).toBe(entry.issuer)
    expect(claims).toMatchObject({ iss: entry.issuer, aud: entry.clientId, nonce: challenge, name: 'ada' })
    expect(claims).toMatchObject({ email: 'ada@example.com', email_verified: true, auth_time: expect.any(Number) })
    const { keys } = (await (await fetch(entry.jwksUri ?? '')).json()) as { keys: { kid: string }[] }
    expect(keys.map(({ kid }) => kid)).toEqual([header.kid])
  })

  test('with an address that begins with “unverified”, which is not confirmed', async () => {
    expect((await logInAs('unverified.ada@example.com')).claims).toMatchObject({ email_verified: false })
  })

  test('as the same account with the same address, and as another with another', async () => {
    const [once, again, other] = [
      await logInAs('a@example.com'),
      await logInAs('A@example.com'),
      await logInAs('b@example.com'),
    ]
    expect(again.claims.sub).toBe(once.claims.sub)
    expect(other.claims.sub).not.toBe(once.claims.sub)
    expect(once.claims.sub).not.toContain('example')
  })

  test('and are asked again at the next login, to be somebody else', async () => {
    const { submit, start } = await goThere()
    await submit({ email: 'a@example.com' })
    const back = await submit({ email: 'b@example.com' }, await start())
    const { body } = await exchange(back.searchParams.get('code') ?? '')
    expect(decodeJwt(body.id_token).email).toBe('b@example.com')
  })

  test('or cancel', async () => {
    const back = await (await goThere()).submit({ cancel: '' })
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: 'access_denied', state: 'the state' })
  })
})

describe('the form', () => {
  test('loads nothing, runs nothing, and leads here and back alone', async () => {
    const { send, form } = await goThere()
    const { html, headers } = await send(form)
    expect(html).not.toMatch(/<script|https?:(?!\/\/www\.w3\.org)/)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; .*form-action 'self' http:\/\/localhost:3000; frame-ancestors 'none'$/)
  })

  test.each(['', 'ada', 'ada@', 'a b@example.com', `${'a'.repeat(250)}@example.com`, '<script>@example.com'])(
    'does not take the address %j, and may be sent again',
    async email => {
      const { send, submit, form } = await goThere()
      const { status, html } = await send(form, { email })
      expect([status, html]).toEqual([422, expect.stringContaining('role="alert">This is not an email address.')])
      if (email !== '') expect(html).not.toContain(email)
      expect((await submit({ email: 'ada@example.com' })).searchParams.has('code')).toBe(true)
    },
  )

  test('is there only on the way from an application', async () => {
    const { form } = await goThere()
    for (const fields of [null, { email: 'ada@example.com' }]) {
      const body = fields && new URLSearchParams(fields)
      const answer = await fetch(new URL(form, entry.issuer), { method: body ? 'POST' : 'GET', body })
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('This login is over')])
    }
  })
})

test('an application that it does not know is told so, and gets no token', async () => {
  const { send, submit } = await goThere()
  const unknown = await send('/auth?client_id=%3Cb%3E&response_type=code')
  expect([unknown.status, unknown.html]).toEqual([400, expect.stringContaining('Example cannot log you in')])
  expect(unknown.html).not.toContain('<b>')
  const code = (await submit({ email: 'ada@example.com' })).searchParams.get('code') ?? ''
  expect(await exchange(code, 'wrong')).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  expect(await exchange(code)).toMatchObject({ status: 200 })
  expect(await exchange(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})

test('a page whose name resolves to this machine gets no answer', async () => {
  const { port } = server.address() as AddressInfo
  for (const host of ['attacker.example', `127.0.0.1:${port}`]) {
    const sent = request({ port, host: '127.0.0.1', path: '/jwks', headers: { host } }).end()
    const [answer] = await once(sent, 'response')
    answer.resume()
    expect(answer.statusCode).toBe(421)
  }
})
