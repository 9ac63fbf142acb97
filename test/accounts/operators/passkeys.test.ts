import * as v from 'valibot'
import { beforeEach, expect, test } from 'vitest'
import type { Account } from '../../../accounts/account/account.ts'
import { logInByPasskey } from '../../../accounts/login/by-passkey.ts'
import { logIn } from '../../../accounts/login/login.ts'
import { confirmPasskey } from '../../../accounts/passkey/set-up.ts'
import { NewCredential } from '../../../accounts/passkey/shapes.ts'
import { issueAccessToken } from '../../../accounts/token/access-token.ts'
import { authenticate } from '../../../accounts/token/authentication.ts'
import { authenticator } from '../../support/service/authenticator.ts'
import { setUpPasskey } from '../../support/service/owner.ts'
import { addPasskey, allowPasskeys, assertionOf } from '../../support/service/passkeys.ts'
import { ada, find, home, move, newClient, register } from '../../support/service/people.ts'
import { operate } from './operated.ts'

/** Operators' changes to passkeys. */

const { act, beforeUpdate, deps, harness, item } = operate()

let account: Account

beforeEach(async () => {
  allowPasskeys(harness)
  await harness.operator.verify((await register(harness)).account, deps.now())
  account = await find(harness)
})

test.each(['revoke', 'removePasskeys'] as const)(
  '%s leaves no passkey that logs in, and no access token',
  async name => {
    const [{ device }, other] = [await addPasskey(harness), await addPasskey(harness, { label: 'Other' })]
    const access = await issueAccessToken(deps, account, { authTime: deps.now(), amr: ['pop', 'user', 'mfa'] })
    await act(name)
    for (const held of [device, other.device]) {
      const login = logInByPasskey(deps, { assertion: await assertionOf(harness, held) })
      await expect(login).rejects.toMatchObject({ code: 'wrong-passkey', options: { members: { reason: 'unknown' } } })
    }
    expect(await item()).toMatchObject({ passkeys: {} })
    await expect(authenticate(deps, access.token)).rejects.toMatchObject({ code: 'invalid-access-token' })
  },
)

test.each(['revoke', 'removePasskeys', 'lock'] as const)(
  'no passkey that is being added lands after %s',
  async name => {
    const { challenge, rpId, handle } = await setUpPasskey(deps, newClient(), account, { password: ada.password })
    const created = authenticator().create({ challenge, rp: { id: rpId }, user: { id: handle } })
    const credential = v.parse(NewCredential, created)
    const before = await find(harness)
    beforeUpdate(() => act(name))
    const adding = confirmPasskey(deps, before, { credential, label: 'Phone' })
    await expect(adding).rejects.toMatchObject({ code: 'invalid-access-token' })
    expect(await item()).toMatchObject({ passkeys: {} })
  },
)

test('with the passkeys off the password logs in, and another passkey can be added', async () => {
  await addPasskey(harness)
  await act('removePasskeys')
  await logIn(deps, home, { ...ada, code: undefined })
  const { device } = await addPasskey(harness)
  await logInByPasskey(deps, { assertion: await assertionOf(harness, device) })
})

test.each<[string, () => Promise<unknown>]>([
  ['sign-out', () => act('signOut')],
  ['a move', () => move(harness, 'countess@example.org')],
  ['a lock that was taken back', () => act('lock').then(() => act('unlock'))],
])('%s keeps the passkeys', async (_, change) => {
  const { device } = await addPasskey(harness)
  harness.advance(1000)
  await change()
  await logInByPasskey(deps, { assertion: await assertionOf(harness, device) })
})

test('a locked account is refused by a passkey too', async () => {
  const { device } = await addPasskey(harness)
  await act('lock')
  const login = logInByPasskey(deps, { assertion: await assertionOf(harness, device) })
  await expect(login).rejects.toMatchObject({ code: 'account-locked' })
})
