import { base64url } from 'jose'
import { beforeEach, expect } from 'vitest'
import type { Account } from '../../../accounts/account/account.ts'
import { openAccount } from '../../../accounts/account/opening.ts'
import { logIn } from '../../../accounts/login/login.ts'
import { issueAccessToken } from '../../../accounts/token/access-token.ts'
import { authenticate } from '../../../accounts/token/authentication.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, home } from '../../support/service/people.ts'

export const encode = (part: object | string): string =>
  base64url.encode(typeof part === 'string' ? part : JSON.stringify(part))

/** For all tests of a file, a harness with a new account and an access token for each test. */
export function issueTokens() {
  const harness = createHarness()
  let account: Account
  let token: string

  beforeEach(async () => {
    await openAccount(harness.deps, home, { ...ada, name: 'Ada' })
    const proven = await logIn(harness.deps, home, ada)
    account = proven.account
    token = (await issueAccessToken(harness.deps, account, proven.login)).token
  })

  /** Signs by the service's own key. */
  const sign = async (input: string): Promise<string> =>
    `${input}.${base64url.encode(await harness.deps.signer.sign(new TextEncoder().encode(input)))}`

  return {
    harness,
    issued: {
      get account() {
        return account
      },
      get token() {
        return token
      },
    },
    /** @param mayRead whether an account may be read: with the right key and valid times */
    expectRefused: async (candidate: string, { mayRead = false } = {}) => {
      const before = harness.calls.length
      await expect(authenticate(harness.deps, candidate)).rejects.toMatchObject({ code: 'invalid-access-token' })
      if (!mayRead) expect(harness.calls.slice(before)).not.toContain('GetItem Accounts')
    },
    sign,
    /** A token with changed parts, signed by the service's own key. */
    resigned: (header: object, claims: object): Promise<string> => sign(`${encode(header)}.${encode(claims)}`),
  }
}
