// An application in which people log in with their account, by OpenID Connect. It keeps who they are for itself, under a cookie.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import * as oidc from 'openid-client'

const { ISSUER = 'http://localhost:3000/auth', CLIENT_ID = 'sample', PORT = '8000' } = process.env

const isLocal = ISSUER.startsWith('http:')
const execute = isLocal ? [oidc.allowInsecureRequests] : [] // On one machine there is no TLS.
const provider = await oidc
  .discovery(new URL(ISSUER), CLIENT_ID, undefined, oidc.None(), { execute })
  .catch(error => end(`${ISSUER} does not answer (${error.cause?.code ?? error.message}); set ISSUER to another`))

/** By the value of a browser's cookie: what it has begun, or who is logged in there. */
const visits = new Map()

const routes = {
  '/': async ({ person }) => ({ page: person ? inside(person) : '<a href="/login">Log in</a>' }),

  '/login': async () => {
    const visit = randomBytes(32).toString('base64url')
    const begun = { verifier: oidc.randomPKCECodeVerifier(), state: oidc.randomState(), nonce: oidc.randomNonce() }
    visits.set(visit, { begun })
    const location = oidc.buildAuthorizationUrl(provider, {
      redirect_uri: `${home}/callback`,
      scope: 'openid email profile',
      code_challenge: await oidc.calculatePKCECodeChallenge(begun.verifier),
      code_challenge_method: 'S256',
      state: begun.state,
      nonce: begun.nonce,
    })
    return { location, visit }
  },

  '/callback': async ({ begun, before, url }) => {
    if (!begun) return { location: '/' }
    const tokens = await oidc.authorizationCodeGrant(provider, url, {
      pkceCodeVerifier: begun.verifier,
      expectedState: begun.state,
      expectedNonce: begun.nonce,
    })
    const visit = randomBytes(32).toString('base64url') // Another one: nobody could have chosen it before.
    visits.delete(before)
    visits.set(visit, { person: tokens.claims() })
    return { location: '/', visit }
  },

  '/logout': async ({ before }) => {
    visits.delete(before)
    return { location: '/' }
  },
}

const escaped = text => String(text).replace(/[&<>"]/g, char => `&#${char.charCodeAt(0)};`)
const inside = ({ sub, name, email }) =>
  `<p>Hello, <b>${escaped(name ?? email)}</b>!</p><p>Your account is <code>${escaped(sub)}</code>.</p><a href="/logout">Log out</a>`

const server = createServer(async (request, response) => {
  const url = new URL(request.url, home)
  const before = /(?:^|; )visit=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1]
  const route = routes[url.pathname]
  try {
    const { location, visit, page } = route ? await route({ ...visits.get(before), before, url }) : { location: '/' }
    // Lax: the way back from the service brings it along.
    if (visit) response.setHeader('set-cookie', `visit=${visit}; HttpOnly; SameSite=Lax; Path=/`)
    if (location) return response.writeHead(302, { location: String(location) }).end()
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .end(`<title>Sample app</title><h1>Sample app</h1>${page}`)
  } catch (error) {
    console.error(error.message)
    response.writeHead(400, { 'content-type': 'text/html; charset=utf-8' })
    response.end(
      `<h1>You are not logged in</h1><p>${escaped(error.error_description ?? error.message)}</p><a href="/">Back</a>`,
    )
  }
}).listen(PORT, '127.0.0.1')
await once(server, 'listening').catch(({ code, message }) =>
  end(code === 'EADDRINUSE' ? `port ${PORT} is in use; set PORT to another` : message),
)
const home = `http://127.0.0.1:${server.address().port}`
console.log(`Open ${home} and log in.`)

function end(reason) {
  console.error(reason)
  process.exit(1)
}
