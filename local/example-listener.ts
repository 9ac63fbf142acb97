import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Context, Provider } from 'oidc-provider'
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js'
import { escapeHtml, iconOf } from '../shared/base/html.ts'

/** This service as a client of the provider "Example". */
export interface ExampleClient {
  id: string
  secret: string
  redirects: readonly string[]
}

/** The path of its form, once for each login. */
const formPath = '/login/'

/** Its idea of an address; the service checks for itself. RFC 5321 §4.5.3.1.3: at most 254 characters. */
const address = /^(?=.{1,254}$)[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/

/** Addresses with this prefix are not confirmed. */
const unproven = 'unverified'

/** The addresses of its accounts, by subject. After a restart the same address is the same account. */
const addresses = new Map<string, string>()

/**
 * The provider "Example": an independent implementation of OpenID Connect, with a form of ours. Everything is in
 * memory. Keys are new at each start, as other providers rotate theirs.
 *
 * @param origin without a trailing slash
 */
export function exampleListener(origin: string, client: ExampleClient): RequestListener {
  const provider = new Provider(origin, configurationOf(client))
  const others = provider.callback()
  return async (request, response) => {
    if (!request.url?.startsWith(formPath)) return others(withoutSession(request), response)
    try {
      await (request.method === 'POST' ? take(request, response) : show(request, response))
    } catch {
      // Throws where the browser does not come from an application, or came too long ago.
      answer(response, 400, page('This login is over', '<p>Go back to where you came from, and start again.</p>'))
    }
  }

  async function show(request: IncomingMessage, response: ServerResponse, isMistaken = false): Promise<void> {
    await provider.interactionDetails(request, response)
    answer(response, isMistaken ? 422 : 200, page('Log in with Example', form(isMistaken)))
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fields = new URLSearchParams(await text(request))
    const finish = (result: Parameters<Provider['interactionFinished']>[2]) =>
      provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
    if (fields.has('cancel')) return finish({ error: 'access_denied', error_description: 'The login was cancelled' })
    const email = (fields.get('email') ?? '').trim().toLowerCase()
    return !address.test(email) ? show(request, response, true) : finish({ login: { accountId: subjectOf(email) } })
  }

  function answer(response: ServerResponse, status: number, body: string): void {
    response.writeHead(status, { ...headersFor(client.redirects), 'content-length': Buffer.byteLength(body) }).end(body)
  }
}

/** Asks for the person at each login, however recent the last: there is no other way to log in as somebody else. */
function withoutSession(request: IncomingMessage): IncomingMessage {
  const cookies = request.headers.cookie?.split('; ').filter(cookie => !cookie.startsWith('_session'))
  if (cookies) request.headers.cookie = cookies.join('; ')
  return request
}

/** Grants everything: its users are testing the application. */
async function allow({ oidc }: Context, { Grant }: Provider): Promise<unknown> {
  const grant = new Grant({ accountId: oidc.session.accountId, clientId: oidc.client.clientId })
  grant.addOIDCScope('openid email profile')
  await grant.save()
  return grant
}

const configurationOf = ({ id, secret, redirects }: ExampleClient) => ({
  adapter: createMemoryAdapter(0),
  clients: [
    {
      client_id: id,
      client_secret: secret,
      redirect_uris: redirects,
      token_endpoint_auth_method: 'client_secret_post',
      id_token_signed_response_alg: 'ES256',
      require_auth_time: true,
    },
  ],
  jwks: { keys: [newKey()] },
  cookies: { keys: [randomBytes(32).toString('base64url')] },
  // Addresses belong in the id token: this service reads no other answer.
  conformIdTokenClaims: false,
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
  interactions: { url: (_: Context, { uid }: { uid: string }) => `${formPath}${uid}` },
  loadExistingGrant: (context: Context & { oidc: { provider: Provider } }) => allow(context, context.oidc.provider),
  findAccount: (_: Context, accountId: string) => ({ accountId, claims: () => claimsOf(accountId) }),
  renderError(context: Context, { error, error_description: why = '' }: Record<string, string>) {
    context.set(headersFor(redirects))
    context.body = page('Example cannot log you in', `<p>${escapeHtml(`${error}: ${why}`)}</p>`)
  },
  ttl: { Interaction: 3600, Session: 3600, Grant: 3600, AccessToken: 60, IdToken: 600 },
})

const newKey = () => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  alg: 'ES256',
  use: 'sig',
})

/** The subject does not reveal the address. It identifies the account, even if its address changes. */
function subjectOf(email: string): string {
  const subject = createHash('sha256').update(email).digest('base64url')
  addresses.set(subject, email)
  return subject
}

function claimsOf(subject: string) {
  const email = addresses.get(subject) ?? ''
  const [name] = email.split('@')
  return { sub: subject, email, email_verified: !email.startsWith(unproven), name }
}

const css = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  main { max-width: 24rem; margin: 3rem auto; padding: 0 1rem }
  h1 { font-size: 1.5rem }
  label { display: block; font-weight: 600 }
  input, button { box-sizing: border-box; width: 100%; padding: .6rem; margin: .25rem 0 .75rem; font: inherit }`

const headersFor = (redirects: readonly string[]) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(css).digest('base64')}'`,
    'img-src data:',
    "base-uri 'none'",
    // Chromium also checks the address that the answer redirects to.
    `form-action 'self' ${redirects.map(address => new URL(address).origin).join(' ')}`,
    "frame-ancestors 'none'",
  ].join('; '),
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
})

const page = (heading: string, content: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${heading}</title>
<link rel="icon" href="${iconOf('Example')}">
<style>${css}</style>
<main>
<h1>${heading}</h1>
${content}
</main>
</html>
`

const form = (
  isMistaken: boolean,
): string => `<p>This provider is on your machine, for tests. Any address will do, and there is no password. One
that begins with “${unproven}” is not confirmed.</p>
<form method="post">
<label for="email">Email address</label>
${isMistaken ? '<p id="mistake" role="alert">This is not an email address.</p>\n' : ''}<input id="email" name="email" type="email" required autofocus autocomplete="email"${isMistaken ? ' aria-invalid="true" aria-describedby="mistake"' : ''}>
<button>Log in</button>
<button name="cancel" formnovalidate>Cancel</button>
</form>`
