import { base64url } from 'jose'
import { beforeEach, expect } from 'vitest'
import type { Account } from '../../../../shared/accounts/account.ts'
import { logIn } from '../../../../shared/accounts/login.ts'
import { openAccount } from '../../../../shared/accounts/registration.ts'
import { issueAccessToken } from '../../../../shared/accounts/tokens/access-token.ts'
import { authenticate } from '../../../../shared/accounts/tokens/authentication.ts'
import { createHarness } from '../../../support/service/harness.ts'
import { home } from '../../../support/service/people.ts'

/** A new account with an access token for each test. */

export const harness = createHarness()
export const clientAddress = '203.0.113.7'
const credentials = { email: 'ada@example.com', password: 'correct horse' }
export let account: Account
export let token: string

beforeEach(async () => {
  await openAccount(harness.deps, home, { ...credentials, name: 'Ada' })
  account = await logIn(harness.deps, clientAddress, credentials)
  token = (await issueAccessToken(harness.deps, account)).token
})

export const isRefused = async (candidate: string) =>
  expect(authenticate(harness.deps, candidate)).rejects.toMatchObject({ code: 'invalid-access-token' })

export const encode = (part: object | string): string =>
  base64url.encode(typeof part === 'string' ? part : JSON.stringify(part))

/** Signs by the service's own key. */
export async function sign(input: string): Promise<string> {
  return `${input}.${base64url.encode(await harness.deps.signer.sign(new TextEncoder().encode(input)))}`
}

/** A token with changed parts, signed by the service's own key. */
export const resigned = (header: object, claims: object): Promise<string> => sign(`${encode(header)}.${encode(claims)}`)
