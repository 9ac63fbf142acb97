import { describe, expect, test } from 'vitest'
import { requestEmailChange } from '../../../accounts/address/request.ts'
import { verifyEmail } from '../../../accounts/address/verification.ts'
import { logIn } from '../../../accounts/login/login.ts'
import { requestMail } from '../../../accounts/mail/queue.ts'
import { hashPassword } from '../../../accounts/password/hash.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { resetPassword } from '../../../accounts/password/reset.ts'
import { issueLoginTokens } from '../../../accounts/session/opening.ts'
import { issueAccessToken } from '../../../accounts/token/access-token.ts'
import { authenticate } from '../../../accounts/token/authentication.ts'
import { confirmEmailChange } from '../../support/service/owner.ts'
import { ada, find, home, newClient, register, requestMove, requestToken } from '../../support/service/people.ts'
import { clientAddress, kinds, newPassword, operate } from './operated.ts'

const { act, beforeUpdate, deliver, deps, droppedFor, harness, item } = operate()

describe('a revocation', () => {
  test('is one write, and leaves nothing that opens the account', async () => {
    const { account, token } = await register(harness)
    await logIn(deps, clientAddress, ada)
    const access = await issueAccessToken(deps, account, { authTime: deps.now(), amr: ['pwd'] })
    const reset = await requestToken(harness, 'reset')
    harness.advance(1000)
    await act('revoke')
    const at = deps.now().toISOString()
    expect(await item()).toEqual({
      key: `account#${account.id}`,
      id: account.id,
      email: ada.email,
      name: 'Ada',
      is_admin: false,
      is_verified: false,
      created_at: account.createdAt.toISOString(),
      updated_at: at,
      password_hash: '*',
      former_password_hash: account.passwordHash,
      token_version: 1,
      email_verification_requested_at: at,
      password_reset_requested_at: at,
      ...{ sessions: {}, passkeys: {}, identities: {}, changes: {}, changes_at: at },
    })
    await expect(logIn(deps, clientAddress, ada)).rejects.toMatchObject({ code: 'bad-credentials' })
    await expect(authenticate(deps, access.token)).rejects.toMatchObject({ code: 'invalid-access-token' })
    await expect(verifyEmail(deps, newClient(), token)).rejects.toMatchObject({ code: 'invalid-verification-token' })
    const again = { token: reset, new_password: newPassword }
    await expect(resetPassword(deps, clientAddress, again)).rejects.toMatchObject({ code: 'invalid-reset-token' })
  })

  test.each(kinds)('revokes a queued %s link, and no later one', async kind => {
    await register(harness)
    harness.advance(1000)
    await requestMail(deps, home, kind, ada.email)
    await act('revoke')
    expect([await deliver(), droppedFor()]).toEqual(['dropped', 'superseded'])
    harness.advance(1)
    await requestMail(deps, home, kind, ada.email)
    expect(await deliver()).toBe('sent')
  })

  test('revokes the queued link of a registration', async () => {
    await register(harness)
    harness.advance(1)
    await act('revoke')
    expect([await deliver(), droppedFor()]).toEqual(['dropped', 'superseded'])
  })

  test('is not undone by a reset, a login or renewed hash under way', async () => {
    const { account } = await register(harness)
    const token = await requestToken(harness, 'reset')
    beforeUpdate(() => act('revoke'))
    const reset = resetPassword(deps, clientAddress, { token, new_password: newPassword })
    await expect(reset).rejects.toMatchObject({ code: 'invalid-reset-token' })

    const outdated = await hashPassword({ ...deps, config: { bcryptCost: 5 } }, ada.password)
    await deps.passwords.replaceHash({ ...account, passwordHash: '*' }, outdated, deps.now())
    beforeUpdate(() => act('revoke'))
    const { token: access } = await issueLoginTokens(deps, await logIn(deps, clientAddress, ada), undefined)
    expect(await find(harness)).toMatchObject({ passwordHash: '*', clients: [] })
    await expect(authenticate(deps, access)).rejects.toMatchObject({ code: 'invalid-access-token' })
  })

  test('does not make a used link work again, though its operator’s clock is slow', async () => {
    await register(harness)
    harness.advance(60_000)
    const token = await requestToken(harness, 'verification')
    await verifyEmail(deps, newClient(), token)
    const behind = new Date(deps.now().getTime() - 30_000)
    expect(await harness.operator.revoke(await find(harness), behind)).toBe(true)
    const at = deps.now().toISOString()
    expect(await item()).toMatchObject({ email_verification_requested_at: at, password_reset_requested_at: at })
    expect(await deliver()).toBe('dropped')
    expect((await find(harness)).tokens.verification.hash).toBeNull()
  })

  test('revokes a pending change of address, also a queued one', async () => {
    const { account } = await register(harness)
    harness.advance(1000)
    const token = await requestMove(harness, 'countess@example.org')
    await requestEmailChange(deps, home, account, 'countess@example.net')
    await act('revoke')
    expect((await find(harness)).pendingEmail).toBeNull()
    expect([await deliver(), droppedFor()]).toEqual(['dropped', 'superseded'])
    const again = confirmEmailChange(deps, clientAddress, { token, password: ada.password })
    await expect(again).rejects.toMatchObject({ code: 'invalid-email-change-token' })
  })

  test('leaves a reset by mail as the way back', async () => {
    await register(harness)
    await act('revoke')
    harness.advance(1)
    await resetPassword(deps, clientAddress, { token: await requestToken(harness, 'reset'), new_password: newPassword })
    await logIn(deps, clientAddress, { ...ada, password: newPassword })
  })

  test('makes a login cost what a wrong password costs, in calls too', async () => {
    await register(harness)
    const cost = async () => {
      harness.calls.length = 0
      await logIn(deps, clientAddress, { ...ada, password: toPassword('wrong') }).catch(() => {})
      return [...harness.calls]
    }
    const calls = await cost()
    await act('revoke')
    expect(await cost()).toEqual(calls)
  })
})
