import express from 'express'
import nextAuth from 'next-auth'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, SESSION_SECRET, PORT } = process.env

// Gatehouse
const provider = {
  id: 'gatehouse',
  name: 'Gatehouse',
  type: 'oauth',
  wellKnown: `${ISSUER}/.well-known/openid-configuration`,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  authorization: { params: { scope: 'openid email profile' } },
  checks: ['pkce', 'state', 'nonce'],
  idToken: true,
  profile: ({ sub, name, email }) => ({ id: sub, name, email }),
}
// End

const application = express()
application.use(express.urlencoded())
// What Next.js hands to an API route.
application.all('/api/auth/*path', (request, response) => {
  const query = { ...request.query, nextauth: request.params.path }
  const pairs = (request.headers.cookie ?? '').split('; ').map(pair => pair.split(/=(.*)/s).map(decodeURIComponent))
  const cookies = Object.fromEntries(pairs)
  const asked = Object.defineProperties(request, { query: { value: query }, cookies: { value: cookies } })
  const callbacks = { session: ({ session, token }) => ({ ...session.user, sub: token.sub }) }
  return nextAuth.default(asked, response, { providers: [provider], secret: SESSION_SECRET, callbacks })
})
const listener = application.listen(PORT, 'localhost', () =>
  console.log(`listening on http://localhost:${listener.address().port}`),
)
