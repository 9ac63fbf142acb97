// A client without dependencies, such as at an edge: npm install oauth4webapi
import * as oauth from 'oauth4webapi'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, REDIRECT } = process.env
const http = { [oauth.allowInsecureRequests]: ISSUER.startsWith('http:') }
const issuer = new URL(ISSUER)
const provider = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, http))
const client = { client_id: CLIENT_ID }

/** Who logs in. @param visit sends a person to an address, and resolves with the one at which they come back */
export async function logIn(visit) {
  const [verifier, state, nonce] = [
    oauth.generateRandomCodeVerifier(),
    oauth.generateRandomState(),
    oauth.generateRandomNonce(),
  ]
  const location = new URL(provider.authorization_endpoint)
  location.search = new URLSearchParams({
    client_id: CLIENT_ID,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'openid email profile',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  })
  const parameters = oauth.validateAuthResponse(provider, client, new URL(await visit(location)), state)
  const secret = oauth.ClientSecretBasic(CLIENT_SECRET)
  const response = await oauth.authorizationCodeGrantRequest(
    provider,
    client,
    secret,
    parameters,
    REDIRECT,
    verifier,
    http,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(provider, client, response, { expectedNonce: nonce })
  return oauth.getValidatedIdTokenClaims(tokens)
}
