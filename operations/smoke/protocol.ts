import { randomUUID } from 'node:crypto'
import { linkPages } from '../../accounts/mail/queue.ts'
import { type Checklist, expectMatch, expectSame, Unexpected } from '../command-line/checklist.ts'
import type { Answer, Client } from './client.ts'

const unknownAccount = (): Record<string, string> => ({
  email: `nobody-${randomUUID()}@example.com`,
  password: randomUUID(),
})

/** The effects of gateways, visible only over the wire: headers added, removed and renamed. */
export async function checkProtocol(checklist: Checklist, client: Client, origin: string): Promise<void> {
  await checklist.check('a request without a token is challenged', async () => {
    const answer = await client.expect(401, 'GET', '/auth/me')
    expectChallenge(answer, /^Bearer realm="auth"$/)
    expectProblem(answer, 'not-authenticated')
  })
  await checklist.check('the challenge to a bad token says that it is invalid', async () => {
    const answer = await client.expect(401, 'GET', '/auth/me', { headers: { authorization: 'Bearer bad' } })
    expectChallenge(answer, /^Bearer realm="auth", error="invalid_token"/)
    expectProblem(answer, 'invalid-access-token')
  })
  await checklist.check('a wrong password is challenged', async () => {
    const answer = await client.expect(401, 'POST', '/auth/login', { body: unknownAccount() })
    expectChallenge(answer, /^Bearer$/)
    expectProblem(answer, 'bad-credentials')
  })
  await checklist.check('a limited route shows the state of its limit', async () => {
    const { headers } = await client.expect(422, 'POST', '/auth/login', { body: {} })
    const advice = 'Is RATE_LIMITS off?'
    expectMatch('RateLimit-Policy', headers.get('ratelimit-policy'), /^"login";q=\d+;w=\d+/, advice)
    expectMatch('RateLimit', headers.get('ratelimit'), /^"login";r=\d+;t=\d+/, advice)
  })
  await checklist.check('a forged forwarded-for field does not change whom a limit counts', async () => {
    const remaining = async (forged: string) => {
      const headers = { 'x-forwarded-for': forged, forwarded: `for=${forged}` }
      const answer = await client.expect(422, 'POST', '/auth/login', { body: {}, headers })
      const [, left, resets] = /^"login";r=(\d+);t=(\d+)/.exec(answer.headers.get('ratelimit') ?? '') ?? []
      return { left: Number(left), resets: Number(resets) }
    }
    // Addresses of documents (RFC 5737).
    const [first, second] = [await remaining('192.0.2.1'), await remaining('198.51.100.2')]
    // A new window restarts the count.
    const next = second.resets > first.resets ? await remaining('203.0.113.3') : second
    const before = next === second ? first : second
    if (!(next.left < before.left))
      throw new Unexpected('RateLimit to fall', `r=${before.left}, then r=${next.left}`, 'Is RATE_LIMITS off?')
  })
  await checklist.check('answers about accounts are not cached, and require TLS from then on', async () => {
    const { headers } = await client.ask('GET', '/auth/me')
    expectSame('Cache-Control', headers.get('cache-control'), 'no-store')
    expectMatch('Strict-Transport-Security', headers.get('strict-transport-security'), /^max-age=\d{8}/)
  })
  await checklist.check('a bad body gets an error for each bad member', async () => {
    const answer = await client.expect(422, 'POST', '/auth/register', { body: { email: 'nobody' } })
    expectProblem(answer, 'invalid-body')
    expectSame('errors for', (answer.json?.errors as unknown[] | undefined)?.length, 2)
  })
  await checklist.check('a body that is not declared as JSON is refused', async () => {
    const headers = { 'content-type': 'text/plain' }
    expectProblem(await client.expect(415, 'POST', '/auth/login', { headers, body: {} }), 'unsupported-media-type')
  })
  await checklist.check('an unknown path gets a problem document', async () => {
    expectProblem(await client.expect(404, 'GET', `/auth/${randomUUID()}`), 'not-found')
  })
  await checklist.check('the answer to a wrong method lists the right ones', async () => {
    const answer = await client.expect(405, 'DELETE', '/auth/login')
    expectSame('Allow', answer.headers.get('allow'), 'POST, OPTIONS')
    expectProblem(answer, 'method-not-allowed')
  })
  await checklist.check('a page of another origin may call with a token', async () => {
    const answer = await client.ask('OPTIONS', '/auth/me', {
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization,content-type',
      },
    })
    expectSame('status', answer.status, 204)
    expectOrigin(answer, origin)
    expectMatch(
      'Access-Control-Allow-Headers',
      answer.headers.get('access-control-allow-headers'),
      /\bauthorization\b/i,
    )
    expectMatch('Access-Control-Allow-Methods', answer.headers.get('access-control-allow-methods'), /\bPUT\b/)
  })
  await checklist.check('a page of another origin may read the answer', async () => {
    const answer = await client.ask('GET', '/auth/me', { headers: { origin } })
    expectOrigin(answer, origin)
    const exposed = answer.headers.get('access-control-expose-headers')
    expectMatch('Access-Control-Expose-Headers', exposed, /\bwww-authenticate\b/i)
  })
  for (const page of linkPages()) {
    const path = `/${page}`
    await checklist.check(`the page ${path} is served, and runs no foreign code`, async () => {
      const answer = await client.expect(200, 'GET', path)
      expectMatch('Content-Type', answer.headers.get('content-type'), /^text\/html/)
      expectMatch('Content-Security-Policy', answer.headers.get('content-security-policy'), /default-src 'none'/)
      expectSame('Referrer-Policy', answer.headers.get('referrer-policy'), 'no-referrer')
      await client.expect(200, 'HEAD', path)
    })
  }
}

/** Clients look for this name (RFC 9110 §11.6.1): a gateway that renames it breaks them. */
function expectChallenge({ headers }: Answer, form: RegExp): void {
  const remapped = headers.get('x-amzn-remapped-www-authenticate')
  if (remapped !== null && !headers.has('www-authenticate')) {
    throw new Unexpected(
      'WWW-Authenticate',
      `x-amzn-remapped-www-authenticate: ${remapped}`,
      'API Gateway renames it. Map it back in the integrations: response parameter overwrite:header.WWW-Authenticate',
    )
  }
  expectMatch('WWW-Authenticate', headers.get('www-authenticate'), form)
}

function expectProblem({ headers, json }: Answer, code: string): void {
  expectSame('Content-Type', headers.get('content-type'), 'application/problem+json')
  expectSame('code', json?.code, code)
  expectMatch('detail', String(json?.detail ?? ''), /./)
}

export function expectOrigin({ headers }: Answer, origin: string): void {
  const allowed = headers.get('access-control-allow-origin')
  if (allowed === '*' || allowed === origin) return
  const advice = 'If CORS_ORIGINS names origins, pass one of them by --origin'
  throw new Unexpected(`Access-Control-Allow-Origin * or ${origin}`, allowed ?? 'none', advice)
}
