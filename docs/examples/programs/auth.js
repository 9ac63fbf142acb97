// The configuration of Auth.js (https://authjs.dev) for Next.js, SvelteKit, Express.
const { ISSUER, CLIENT_ID, CLIENT_SECRET, AUTH_SECRET } = process.env

export const config = {
  secret: AUTH_SECRET,
  trustHost: true,
  providers: [
    {
      id: 'gatehouse', // Its redirect address is …/auth/callback/gatehouse.
      name: 'Gatehouse',
      type: 'oidc',
      issuer: ISSUER,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      checks: ['pkce', 'state', 'nonce'],
    },
  ],
}
