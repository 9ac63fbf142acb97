import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { openAccount } from '../../../accounts/account/opening.ts'
import { logIn } from '../../../accounts/login/login.ts'
import { openCommonPasswords, packPasswords } from '../../../accounts/password/common-passwords.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { resetPassword } from '../../../accounts/password/reset.ts'
import { createHarness } from '../../support/service/harness.ts'
import { changePassword } from '../../support/service/owner.ts'
import { find, home, register, requestToken } from '../../support/service/people.ts'

const harness = createHarness()
const { deps } = harness
const clientAddress = '203.0.113.7'
const lovelace = { email: 'ada.lovelace@xn--bcher-kva.example', password: toPassword('correct horse') }
const tooCommon = { code: 'password-too-common', message: 'This password is too common' }

/** The three ways to choose a password, for an account with a good one. */
const choosing = {
  register: (password: string) => openAccount(deps, home, { ...lovelace, password: toPassword(password), name: null }),
  'reset-password': async (new_password: string) => {
    await register(harness, lovelace)
    const token = await requestToken(harness, 'reset', lovelace.email)
    await resetPassword(deps, clientAddress, { token, new_password: toPassword(new_password) })
  },
  'change-password': async (new_password: string) => {
    const { account } = await register(harness, lovelace)
    await changePassword(deps, clientAddress, account, {
      current_password: lovelace.password,
      new_password: toPassword(new_password),
    })
  },
} as const

const common = [
  ['one of the most common ones', 'password1'],
  ['one of these in capitals', 'PassWord1'],
  ['a common one of digits', '12345678'],
  ["the product's name", 'gatehouse'],
  ["the product's name as it is written", 'Gatehouse'],
  ['the address', 'ada.lovelace@xn--bcher-kva.example'],
  ['the address in capitals', 'ADA.LOVELACE@XN--BCHER-KVA.EXAMPLE'],
  ['the address as people write it', 'Ada.Lovelace@Bücher.example'],
  ['the local part of the address', 'ada.lovelace'],
  ['the local part in capitals', 'Ada.Lovelace'],
] as const

const uncommon = [
  ['of four words', 'correct horse battery staple'],
  ['of which a common one is a part', 'password1 and more'],
  ['that is a part of a common one, and long enough', 'assword123'],
  ["that contains the product's name", 'my gatehouse'],
  ['that contains the address', 'for ada.lovelace'],
  ['that is a common one in letters that only look alike', 'раssword1'],
  ["that is somebody else's address", 'ada.lovelace@example.com'],
  ['that is the domain of the address', 'xn--bcher-kva.example'],
] as const

describe.each(Object.entries(choosing))('where PASSWORD_BLOCKLIST is on, %s', (_, choose) => {
  beforeEach(() => {
    harness.config.passwordBlocklist = 'on'
  })

  test.each(common)('refuses %s', async (_, password) => {
    await expect(choose(password)).rejects.toMatchObject(tooCommon)
  })

  test.each(uncommon)('takes a password %s', async (_, password) => {
    await choose(password)
    await logIn(deps, clientAddress, { ...lovelace, password: toPassword(password) })
  })

  test('reports a password that is both too short and common as too short', async () => {
    await expect(choose('1234567')).rejects.toMatchObject({ code: 'password-too-short' })
  })
})

test("the product's name is the one in PRODUCT_NAME", async () => {
  Object.assign(harness.config, { passwordBlocklist: 'on', productName: 'Smith & Söhne' })
  await expect(choosing.register('SMITH & SO\u0308HNE')).rejects.toMatchObject(tooCommon)
  await choosing.register('gatehouse')
})

test.each(Object.entries(choosing))('where PASSWORD_BLOCKLIST is off, %s takes any of them', async (_, choose) => {
  for (const [, password] of common) {
    await harness.clear()
    await choose(password)
  }
})

describe('a password that is too common', () => {
  beforeEach(() => {
    harness.config.passwordBlocklist = 'on'
  })

  test('costs a registration no call', async () => {
    await expect(choosing.register('password1')).rejects.toMatchObject(tooCommon)
    expect(harness.calls).toEqual([])
  })

  test('is refused before the reset token is checked', async () => {
    await expect(
      resetPassword(deps, clientAddress, { token: '', new_password: toPassword('password1') }),
    ).rejects.toMatchObject(tooCommon)
    await expect(
      resetPassword(deps, clientAddress, { token: '', new_password: toPassword('gatehouse') }),
    ).rejects.toMatchObject(tooCommon)
    expect(harness.calls).toEqual([])
  })

  test('because of the address is refused after the token’s check, and spends nothing', async () => {
    await register(harness, lovelace)
    const token = await requestToken(harness, 'reset', lovelace.email)
    await logIn(deps, clientAddress, { ...lovelace, password: toPassword('wrong horse') }).catch(() => {})
    const before = [await harness.items('Accounts'), await harness.items('RateLimits')]
    const reset = (new_password: string) =>
      resetPassword(deps, clientAddress, { token, new_password: toPassword(new_password) })
    await expect(reset('ada.lovelace')).rejects.toMatchObject(tooCommon)
    expect([await harness.items('Accounts'), await harness.items('RateLimits')]).toEqual(before)
    await reset('battery staple')
  })

  test('does not tell without a token whose address it is', async () => {
    await register(harness, lovelace)
    const reset = resetPassword(deps, clientAddress, { token: '', new_password: toPassword('ada.lovelace') })
    await expect(reset).rejects.toMatchObject({ code: 'invalid-reset-token' })
  })

  test('is refused before a guess at the current one is counted', async () => {
    const { account } = await register(harness, lovelace)
    harness.calls.length = 0
    for (const new_password of ['password1', 'ada.lovelace']) {
      const change = changePassword(deps, clientAddress, account, {
        current_password: toPassword('wrong horse'),
        new_password: toPassword(new_password),
      })
      await expect(change).rejects.toMatchObject(tooCommon)
    }
    expect(harness.calls).toEqual([])
  })

  test('still logs in', async () => {
    harness.config.passwordBlocklist = 'off'
    await register(harness, { ...lovelace, password: 'password1' })
    harness.config.passwordBlocklist = 'on'
    const { id } = await find(harness, lovelace.email)
    expect(await logIn(deps, clientAddress, { ...lovelace, password: toPassword('password1') })).toMatchObject({
      account: { id },
    })
  })
})

test('the list is read when first needed, and contains complete passwords in lower case', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'common-passwords-')), 'list.txt')
  const isCommon = openCommonPasswords(file)
  expect(() => isCommon('password')).toThrow('ENOENT')
  writeFileSync(file, packPasswords(['zxcvbnm,', 'Password', 'abcdefgh']))
  const asked = ['abcdefgh', 'password', 'zxcvbnm,', 'Password', 'bcdefgh', 'abcdefgh\npassword', '']
  expect(asked.filter(isCommon)).toEqual(['abcdefgh', 'password', 'zxcvbnm,'])
})
