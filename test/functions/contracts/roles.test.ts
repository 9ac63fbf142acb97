import { decodeJwt } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import type { AccountItem } from '../../../accounts/account/attributes.ts'
import { verifyEmail } from '../../../accounts/address/verification.ts'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { grace } from '../../../accounts/session/rotation.ts'
import { dashboardSecret } from '../../support/clients.ts'
import { bearer, send } from '../../support/service/endpoints.ts'
import { allScopes, codeForm, enterShop, grantCode, sentForm } from '../../support/service/grants.ts'
import { createHarness } from '../../support/service/harness.ts'
import {
  ada,
  find,
  lastMessage,
  move,
  newClient,
  openSession,
  protect,
  register,
} from '../../support/service/people.ts'

const harness = createHarness()
const { deps } = harness

beforeEach(async () => {
  await verifyEmail(deps, newClient(), (await register(harness)).token)
  harness.advance(1000)
})

const stored = async (email: string = ada.email) => (await harness.operator.find(email)) as AccountItem
const give = async (...roles: string[]) => harness.operator.setRoles(await stored(), roles, deps.now())
const rolesIn = (token: string): unknown => decodeJwt(token).roles

test('roles go to another address and back, and a newcomer at it has none', async () => {
  await give('editor')
  const token = await move(harness, 'ada@example.org')
  expect(await find(harness, 'ada@example.org')).toMatchObject({ roles: ['editor'] })
  await register(harness)
  expect(await stored()).not.toHaveProperty('roles')
  await send(harness, 'undo', { body: { token } })
  expect(await stored()).toMatchObject({ roles: ['editor'] })
  const moved = { mailFrom: null, queueMail: async () => {} }
  await harness.operator.move(await stored(), 'ada@example.net', moved)
  expect(await stored('ada@example.net')).toMatchObject({ roles: ['editor'] })
})

describe('roles stand in', () => {
  const logIn = async (body: object = {}) => (await send(harness, 'login', { body: { ...ada, ...body } })).body
  const change = async () => {
    const body = { current_password: ada.password, new_password: 'battery staple' }
    return (await send(harness, 'change-password', { body, headers: await bearer(harness) })).body
  }

  test('every access token for TOKEN_AUDIENCE’s services, and in none of an account without any', async () => {
    const { api = false } = deps.clients.find(({ id }) => id === 'shop') ?? {}
    expect(api).toBe(true)
    for (const roles of [undefined, ['editor']]) {
      await give(...(roles ?? []))
      const { access_token, refresh_token } = await logIn({ session: {} })
      expect(rolesIn(access_token)).toEqual(roles)
      harness.advance(grace)
      const refreshed = await send(harness, 'refresh', { body: { refresh_token } })
      expect(rolesIn(refreshed.body.access_token)).toEqual(roles)
      const shop = await enterShop(harness, ['openid'])
      expect(rolesIn(shop.accessToken)).toEqual(roles)
    }
    expect(rolesIn((await logIn()).access_token)).toEqual(['editor'])
    expect(rolesIn((await change()).access_token)).toEqual(['editor'])
  })

  test('no access token for userinfo alone, and none that sets up a second factor', async () => {
    await give('editor')
    const redirect = 'https://dashboard.example.com/callback'
    const code = await grantCode(harness, { client: 'dashboard', redirect, scope: allScopes })
    const form = { ...codeForm(code), redirect_uri: redirect, client_id: 'dashboard', client_secret: dashboardSecret }
    const { body } = await send(harness, 'token', sentForm(form))
    expect(decodeJwt(body.access_token)).toMatchObject({ aud: 'gatehouse:userinfo', scope: allScopes.join(' ') })
    expect(decodeJwt(body.access_token)).not.toHaveProperty('roles')
    expect(rolesIn(body.id_token)).toEqual(['editor'])

    harness.config.secondFactor = 'required'
    await logIn()
    await deliverMail(deps, lastMessage(harness), deps.now())
    const { setup_token } = await logIn({ mail_token: lastMessage(harness).token })
    expect(decodeJwt(setup_token)).toMatchObject({ aud: 'gatehouse:second-factor-setup' })
    expect(decodeJwt(setup_token)).not.toHaveProperty('roles')
  })
})

test('a taken role raises the version; one more does not, and comes at refresh', async () => {
  await give('editor')
  const { refreshToken: refresh_token, tokens } = await openSession(harness)
  harness.advance(grace)
  expect(await give('billing', 'editor')).toBe(true)
  expect(await stored()).toMatchObject({ token_version: 0 })
  const headers = { authorization: `Bearer ${tokens.token}` }
  expect((await send(harness, 'get-me', { headers })).body.roles).toEqual(['billing', 'editor'])
  const { body } = await send(harness, 'refresh', { body: { refresh_token } })
  expect(rolesIn(body.access_token)).toEqual(['billing', 'editor'])
  expect(await give('billing', 'viewer')).toBe(true)
  expect(await stored()).toMatchObject({ token_version: 1, roles: ['billing', 'viewer'] })
})

describe('an operator’s list', () => {
  test('is written only over the roles that were read, and is repeatable', async () => {
    const read = await stored()
    await give('editor')
    expect(await harness.operator.setRoles(read, ['billing'], deps.now())).toBe(false)
    expect(await harness.operator.setRoles(read, ['editor'], deps.now())).toBe(true)
    const second = await stored()
    await give('viewer')
    for (const roles of [['billing'], []]) {
      expect(await harness.operator.setRoles(second, roles, deps.now())).toBe(false)
    }
    expect(await stored()).toMatchObject({ roles: ['viewer'] })
    await give()
    expect(await harness.operator.setRoles(second, [], deps.now())).toBe(true)
  })

  test('of a deleted account is not written, nor of a newcomer at its address', async () => {
    const read = await stored()
    await deps.accounts.delete(await find(harness), deps.now())
    expect(await harness.operator.setRoles(read, ['editor'], deps.now())).toBe(false)
    await register(harness)
    expect(await harness.operator.setRoles(read, ['editor'], deps.now())).toBe(false)
    expect(await stored()).not.toHaveProperty('roles')
  })

  test('does not meet a login, a rename or a second factor', async () => {
    const read = await stored()
    await protect(harness)
    expect(await harness.operator.setRoles(read, ['editor'], deps.now())).toBe(true)
  })
})
