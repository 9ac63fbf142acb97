import type { GitHubProvider, OpenIdProvider } from '../../accounts/identity/provider.ts'

/** Like the output of the operator's command: base64, longer than any plain secret. */
const ciphertext = Buffer.alloc(120, 'ciphertext').toString('base64')

/** Providers of OpenID Connect: one that states which addresses are proven, a directory of the operator's own addresses, and Apple. */
export const providers: readonly OpenIdProvider[] = [
  {
    id: 'google',
    name: 'Google',
    issuer: 'https://accounts.google.com',
    authorizationEndpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenEndpoint: 'https://oauth2.googleapis.com/token',
    jwksUri: 'https://www.googleapis.com/oauth2/v3/certs',
    clientId: '1234.apps.googleusercontent.com',
    secret: ciphertext,
    auth: 'post',
    email: 'claim',
    require: {},
    formPost: false,
    redirects: ['https://app.example.com/google', 'http://localhost:8000/callback'],
  },
  {
    id: 'work',
    name: 'Work account',
    issuer: 'https://login.example.org/acme',
    authorizationEndpoint: 'https://login.example.org/acme/authorize?policy=a',
    tokenEndpoint: 'https://login.example.org:8443/acme/token',
    jwksUri: 'https://login.example.org/acme/keys',
    clientId: 'gatehouse',
    secret: ciphertext,
    auth: 'basic',
    email: { always: ['example.com', 'example.net'] },
    require: { hd: 'example.com', level: 2, active: true },
    formPost: false,
    redirects: [],
  },
  {
    id: 'apple',
    name: 'Apple',
    issuer: 'https://appleid.apple.com',
    authorizationEndpoint: 'https://appleid.apple.com/auth/authorize',
    tokenEndpoint: 'https://appleid.apple.com/auth/token',
    jwksUri: 'https://appleid.apple.com/auth/keys',
    clientId: 'com.example.web',
    secret: ciphertext,
    auth: { team: 'ABCDE12345', key: 'FGHIJ67890' },
    email: 'claim',
    require: {},
    formPost: true,
    redirects: [],
  },
]

export const gitHub: GitHubProvider = {
  id: 'github',
  name: 'GitHub',
  issuer: 'https://github.com',
  authorizationEndpoint: 'https://github.com/login/oauth/authorize',
  tokenEndpoint: 'https://github.com/login/oauth/access_token',
  userUrl: 'https://api.github.com/user',
  clientId: 'Ov23liABCDEFGHIJKLMN',
  secret: ciphertext,
  auth: 'post',
  email: 'claim',
  require: {},
  formPost: false,
  redirects: ['https://app.example.com/github'],
}
