import { randomBytes } from 'node:crypto'
import { ConfidentialClientApplication, CryptoProvider, ProtocolMode } from '@azure/msal-node'
import express from 'express'
import session from 'express-session'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, REDIRECT, SESSION_SECRET, PORT } = process.env
const application = express()
application.use(session({ secret: SESSION_SECRET, resave: false, saveUninitialized: false }))

// Gatehouse
const client = new ConfidentialClientApplication({
  auth: {
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    authority: ISSUER,
    knownAuthorities: [new URL(ISSUER).host],
  },
  system: { protocolMode: ProtocolMode.OIDC },
})
const asked = { scopes: ['openid', 'email', 'profile'], redirectUri: REDIRECT }

application.get('/login', async (request, response) => {
  const { verifier, challenge } = await new CryptoProvider().generatePkceCodes()
  const state = randomBytes(16).toString('hex')
  request.session.kept = { verifier, state }
  const more = { codeChallenge: challenge, codeChallengeMethod: 'S256', state }
  response.redirect(await client.getAuthCodeUrl({ ...asked, ...more }))
})
application.get('/callback', async (request, response) => {
  const { verifier, state } = request.session.kept
  if (request.query.state !== state) return response.sendStatus(400)
  const { account } = await client.acquireTokenByCode({ ...asked, code: request.query.code, codeVerifier: verifier })
  request.session.person = account.idTokenClaims
  response.redirect('/me')
})
// End

application.get('/me', (request, response) => response.json(request.session.person))
const listener = application.listen(PORT, 'localhost', () =>
  console.log(`listening on http://localhost:${listener.address().port}`),
)
