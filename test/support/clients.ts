import { createHash } from 'node:crypto'
import type { Client } from '../../accounts/application/client.ts'

/** The secret of the client `dashboard`. */
export const dashboardSecret = `ghc1_${'s'.repeat(43)}`

/** A client of each kind: a public one whose access tokens the operator's services take, and a confidential one. */
export const clients: readonly Client[] = [
  {
    id: 'shop',
    name: 'Shop',
    redirects: ['http://127.0.0.1/callback', 'https://shop.example.com/callback'],
    logouts: ['https://shop.example.com/'],
    home: 'https://shop.example.com/',
    secrets: [],
    api: true,
    unverified: true,
    pkce: 'required',
  },
  {
    id: 'dashboard',
    name: 'Dashboard',
    redirects: ['https://dashboard.example.com/callback'],
    logouts: ['https://dashboard.example.com/'],
    home: null,
    secrets: [createHash('sha256').update(dashboardSecret).digest('hex')],
    api: false,
    unverified: false,
    pkce: 'required',
  },
]

/** The request of the client `shop` for a login. */
export const shopRequest = {
  client_id: 'shop',
  redirect_uri: 'https://shop.example.com/callback',
  response_type: 'code',
  scope: 'openid email',
  state: 'the state',
  // Of RFC 7636, Appendix B.
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
}

/** Parameters of a query: undefined to leave one out, a list to repeat one. */
export type Parameters = Record<string, string | string[] | undefined>

/** A query. */
export function queryWith(parameters: Parameters): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    for (const each of [value ?? []].flat()) query.append(name, each)
  }
  return String(query)
}

/** The shop's request with other parameters. */
export const shopQuery = (changes: Parameters = {}): string => queryWith({ ...shopRequest, ...changes })

/** The query of a page of the service. */
export const queryOf = (path: string): string => (path === '/authorize' ? shopQuery() : '')
