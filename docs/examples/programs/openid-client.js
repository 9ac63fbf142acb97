// On a server, with a secret: npm install openid-client
import * as oidc from 'openid-client'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, REDIRECT } = process.env
const provider = await oidc.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, undefined, {
  execute: ISSUER.startsWith('http:') ? [oidc.allowInsecureRequests] : [], // `npm start` has no TLS.
})

/** Where to send people, and what to keep for them until they come back. */
export async function begin(more = {}) {
  const kept = {
    pkceCodeVerifier: oidc.randomPKCECodeVerifier(),
    expectedState: oidc.randomState(),
    expectedNonce: oidc.randomNonce(),
  }
  const location = oidc.buildAuthorizationUrl(provider, {
    redirect_uri: REDIRECT,
    scope: 'openid email profile offline_access',
    code_challenge: await oidc.calculatePKCECodeChallenge(kept.pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: kept.expectedState,
    nonce: kept.expectedNonce,
    ...more,
  })
  return { location, kept }
}

/** Who has come back, by the address that they came to: `.claims()` of it. */
export const finish = (url, kept) => oidc.authorizationCodeGrant(provider, new URL(url), kept)

export const renew = refreshToken => oidc.refreshTokenGrant(provider, refreshToken)
export const ask = (accessToken, id) => oidc.fetchUserInfo(provider, accessToken, id)
export const forget = refreshToken => oidc.tokenRevocation(provider, refreshToken)
export const logOut = idToken => oidc.buildEndSessionUrl(provider, { id_token_hint: idToken })
