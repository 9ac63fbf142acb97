import { beforeEach, describe, expect, test } from 'vitest'
import { undoChange, undoToken } from '../../../accounts/address/undo.ts'
import { logIn } from '../../../accounts/login/login.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { resetPassword } from '../../../accounts/password/reset.ts'
import { drawToken, hashToken } from '../../../accounts/token/token.ts'
import { createHarness } from '../../support/service/harness.ts'
import { addPasskey, allowPasskeys } from '../../support/service/passkeys.ts'
import {
  ada,
  find,
  home,
  messageOf,
  protect,
  registerVerified,
  requestToken,
  undoTokenOf,
} from '../../support/service/people.ts'
import { refusalOf } from '../../support/service/refusal.ts'

/** Passkeys after a reset and an undo: a stranger may have added one. */

const harness = createHarness()
const { deps } = harness
const password = toPassword('battery staple')

beforeEach(async () => {
  allowPasskeys(harness)
  await registerVerified(harness)
})

const linkOfPasskey = () => undoTokenOf(messageOf(harness, 'passkey-added'))
const held = async () => (await find(harness)).passkeys.map(({ label }) => label)
const reset = async (more: { keep_other_logins?: boolean } = {}) =>
  resetPassword(deps, home, { token: await requestToken(harness, 'reset'), new_password: password, ...more })

describe('a reset', () => {
  test('removes a passkey that is added while it is under way', async () => {
    const token = await requestToken(harness, 'reset')
    harness.before('UpdateItem Accounts', async () => {
      await addPasskey(harness)
    })
    await resetPassword(deps, home, { token, new_password: password })
    expect(await held()).toEqual([])
  })

  test('leaves them where they are all that guards the account; with an app they go', async () => {
    await addPasskey(harness)
    harness.config.secondFactor = 'required'
    await reset()
    expect(await held()).toEqual(['Phone'])
    harness.advance(60_000)
    await protect(harness)
    await reset()
    expect(await held()).toEqual([])
  })

  test('removes those of another domain, which guard nothing', async () => {
    await addPasskey(harness)
    harness.config.secondFactor = 'required'
    harness.config.passkeyRpId = 'example.com'
    await reset()
    expect(await held()).toEqual([])
  })
})

describe('where a second factor is required, a right password', () => {
  test('of an owner without a working one gets the link', async () => {
    await addPasskey(harness)
    harness.config.secondFactor = 'required'
    harness.config.passkeyRpId = null
    expect((await refusalOf(logIn(deps, home, ada))).code).toBe('second-factor-setup')
  })
})

describe('an undo', () => {
  test.each([
    ['goes too, while its own link works', true, false],
    ['stays, when its owner has ended its own link', false, true],
  ])('of a passkey removes it; a later app %s', async (_, lasts, stays) => {
    await addPasskey(harness)
    const link = linkOfPasskey()
    await protect(harness)
    if (!lasts) {
      const [{ id = '', changes = {} } = {}] = await harness.accountItems()
      for (const change of Object.values(changes)) if (change.kind === 'factor') delete change.link
      await harness.setAttributes(id, { changes })
    }
    await undoChange(deps, link)
    expect(await held()).toEqual([])
    expect((await find(harness)).factor !== null).toBe(stays)
  })

  test.each([
    ['email', false],
    ['passkey', true],
    ['provider', true],
  ] as const)('of a change of kind %s leaves an app that was set up before: %s', async (kind, stays) => {
    await protect(harness)
    harness.advance(1000)
    const token = drawToken(deps)
    const { id } = await find(harness)
    const change = { kind, email: ada.email, at: deps.now().toISOString(), link: true } as const
    await harness.setAttributes(id, { changes: { [hashToken(token)]: change } })
    await undoChange(deps, undoToken(token, id))
    expect((await find(harness)).factor !== null).toBe(stays)
  })

  test('where an app is required removes the passkey and later ones, and no older link', async () => {
    const links: string[] = []
    const now = () => {
      harness.advance(1)
      return deps.now()
    }
    for (const label of ['Phone', 'Thief', 'Tablet']) {
      harness.advance(60_000)
      await addPasskey({ ...harness, deps: { ...deps, now } }, { label })
      links.push(linkOfPasskey())
    }
    harness.config.secondFactor = 'required'
    await undoChange(deps, links[1] ?? '')
    expect(await held()).toEqual(['Phone'])
    await undoChange(deps, links[0] ?? '')
    expect(await held()).toEqual([])
  })
})
