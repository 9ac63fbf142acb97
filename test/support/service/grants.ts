import { exchangeGrant } from '../../../accounts/application/exchange.ts'
import { type Grant, makeCode } from '../../../accounts/application/grant.ts'
import { shopRequest } from '../clients.ts'
import type { Harness } from './harness.ts'
import { ada, find } from './people.ts'

/** The credentials of people and applications between the login page and the application's own page. */

/** Of RFC 7636, Appendix B, as the `code_challenge` of `shopRequest` is. */
export const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

/** All scopes. */
export const allScopes = ['openid', 'email', 'profile', 'roles', 'offline_access']

/** Makes a code as for a person who logs in to the shop now. */
export async function grantCode(
  harness: Harness,
  changes: Partial<Grant> = {},
  email: string = ada.email,
): Promise<string> {
  const { id, tokenVersion: version } = await find(harness, email)
  const login = { email, id, version, authTime: harness.deps.now(), amr: ['pwd'], browserSession: null }
  const { client_id: client, redirect_uri: redirect, code_challenge: challenge } = shopRequest
  const asked = { client, redirect, challenge, nonce: null, scope: ['openid', 'email'] }
  return makeCode(harness.deps, { ...login, ...asked, ...changes })
}

/** The shop's form to exchange a code. */
export const codeForm = (code: string): Record<string, string> => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: shopRequest.redirect_uri,
  code_verifier: verifier,
  client_id: 'shop',
})

/** A form in its sent shape. */
export const sentForm = (form: Record<string, string>) => ({
  body: String(new URLSearchParams(form)),
  headers: { 'content-type': 'application/x-www-form-urlencoded' } as Record<string, string>,
})

/** Logs Ada in to the shop, for good if the scope says so. */
export async function enterShop(
  harness: Harness,
  scope: readonly string[] = allScopes,
  email: string = ada.email,
  changes: Partial<Grant> = {},
) {
  const form = new Map(Object.entries(codeForm(await grantCode(harness, { scope, ...changes }, email))))
  return exchangeGrant(harness.deps, { form, authorization: undefined, isFromUnlistedPage: false })
}
