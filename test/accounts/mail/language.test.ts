import { beforeEach, describe, expect, test } from 'vitest'
import type { Account } from '../../../accounts/account/account.ts'
import { changeProfile } from '../../../accounts/account/profile.ts'
import { undoChange } from '../../../accounts/address/undo.ts'
import { verifyEmail } from '../../../accounts/address/verification.ts'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { bytesOfBase32 } from '../../../accounts/factor/codes.ts'
import { confirmFactor } from '../../../accounts/factor/set-up.ts'
import { chosenLanguage, formerLanguage, languageChange, noticeLanguage } from '../../../accounts/mail/language.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { resetPassword } from '../../../accounts/password/reset.ts'
import { logOutEverywhere } from '../../../accounts/session/ending.ts'
import { moveAccount } from '../../../operations/users/move-account.ts'
import { createHarness } from '../../support/service/harness.ts'
import { changePassword, setUpFactor } from '../../support/service/owner.ts'
import {
  ada,
  appOf,
  find,
  home,
  move,
  newClient,
  protect,
  register,
  requestToken,
  undoTokenOf,
} from '../../support/service/people.ts'

const harness = createHarness()
const { deps } = harness
const config = { languages: ['en', 'de', 'fr'] }
const day = 24 * 60 * 60 * 1000
const now = new Date('2026-03-01T12:00:00.000Z')
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds)

type Speaker = Pick<Account, 'language' | 'languageBefore' | 'languageUntil'>

const nobody: Speaker = { language: null, languageBefore: null, languageUntil: null }
const german = { ...nobody, language: 'de' }

/** An account that changed its language at a moment. */
const changed = (account: Speaker, language: string, at: Date): Speaker => {
  const { noticesIn, ...change } = languageChange(config, account, language, at)
  return {
    ...account,
    ...change,
    ...(noticesIn && { languageBefore: noticesIn.language, languageUntil: noticesIn.until }),
  }
}

describe('an account speaks', () => {
  test.each([
    ['none, if it chose none', null, null],
    ['an offered language', 'de', 'de'],
    ['an offered one, where it has a regional variant from elsewhere', 'de-AT', 'de'],
    ['none, if that is not offered any more', 'pl', null],
    ['none, if that is no tag', '', null],
  ])('%s', (_, language, chosen) => {
    expect(chosenLanguage(config, { language })).toBe(chosen)
  })

  test('none while none are offered, whatever it chose', () => {
    const account = changed(german, 'fr', now)
    expect(chosenLanguage({ languages: [] }, account)).toBeNull()
  })
})

describe('a change of language', () => {
  test('holds at once, but in notices seven days later', () => {
    const account = changed(german, 'fr', now)
    expect(account.language).toBe('fr')
    expect(noticeLanguage(account, now)).toBe('de')
    expect(noticeLanguage(account, later(7 * day - 1))).toBe('de')
    expect(noticeLanguage(account, later(7 * day))).toBe('fr')
  })

  test('of an account that chose none leaves notices in the default', () => {
    expect(noticeLanguage(changed(nobody, 'fr', now), now)).toBe('en')
    expect(languageChange(config, { ...nobody, language: 'pl' }, 'fr', now).noticesIn?.language).toBe('en')
  })

  test('to the present one is none', () => {
    expect(languageChange(config, german, 'de', now)).toEqual({})
    expect(languageChange(config, { ...nobody, language: 'de-AT' }, 'de', now)).toEqual({})
  })

  test('to the default is one, where none was chosen', () => {
    expect(languageChange(config, nobody, 'en', now)).toMatchObject({ language: 'en', noticesIn: { language: 'en' } })
  })

  test('begins no new week while notices still use a former language', () => {
    const again = changed(changed(german, 'fr', now), 'en', later(6 * day))
    expect(noticeLanguage(again, later(6 * day))).toBe('de')
    expect(noticeLanguage(again, later(7 * day - 1))).toBe('de')
    expect(noticeLanguage(again, later(7 * day))).toBe('en')
  })

  test('begins one once that week is over', () => {
    const again = changed(changed(german, 'fr', now), 'en', later(7 * day))
    expect(noticeLanguage(again, later(14 * day - 1))).toBe('fr')
    expect(noticeLanguage(again, later(14 * day))).toBe('en')
  })

  test('is known by what it replaced until the week is over', () => {
    expect(formerLanguage(changed(german, 'fr', now), later(7 * day - 1))).toBe('de')
    expect(formerLanguage(changed(german, 'fr', now), later(7 * day))).toBeNull()
    expect(formerLanguage(german, now)).toBeNull()
  })
})

describe('the language of an account', () => {
  const address = 'ada@example.org'
  const speak = async (language: string, email: string = ada.email) =>
    void (await changeProfile(deps, await find(harness, email), { language }))
  const spoken = async () => {
    const [item = {}] = await harness.accountItems()
    return Object.fromEntries(Object.entries(item).filter(([name]) => name.startsWith('language')))
  }

  beforeEach(async () => {
    harness.config.languages = config.languages
    const { token } = await register(harness)
    await verifyEmail(deps, newClient(), token)
    await speak('de')
    harness.advance(8 * day)
    await speak('fr')
    harness.advance(1000)
  })

  test.each<[what: string, act: () => Promise<unknown>]>([
    ['a new name', async () => changeProfile(deps, await find(harness), { name: 'Countess' })],
    ['a move to another address', async () => move(harness, address)],
    ['a move by an operator', async () => moveAccount(deps, await find(harness), address)],
    [
      'a new password',
      async () => {
        const passwords = { current_password: ada.password, new_password: toPassword('battery staple') }
        return changePassword(deps, home, await find(harness), passwords)
      },
    ],
    [
      'a reset of the password',
      async () =>
        resetPassword(deps, home, {
          token: await requestToken(harness, 'reset'),
          new_password: toPassword('battery staple'),
        }),
    ],
    ['a second factor', async () => protect(harness)],
    ['the end of all logins', async () => logOutEverywhere(deps, home, await find(harness))],
    ['an operator who voids all access', async () => harness.operator.revoke(await find(harness), deps.now())],
  ])('survives %s, with the language that notices use', async (_, act) => {
    const before = await spoken()
    expect(before).toEqual({ language: 'fr', language_before: 'de', language_until: expect.any(String) })
    await act()
    expect(await spoken()).toEqual(before)
  })

  test.each([
    ['shortly before the address', 0],
    ['six days before it', 6 * day],
  ])('is the former one again when a change is undone: it changed %s', async (_, between) => {
    harness.advance(between)
    const undo = await move(harness, address)
    harness.advance(6 * day)
    await undoChange(deps, undo)
    expect(await spoken()).toEqual({ language: 'de' })
  })

  test('is the former one again when it changed after the undone change', async () => {
    harness.advance(8 * day)
    const undo = await move(harness, address)
    await speak('en', address)
    harness.advance(day)
    await speak('de', address)
    await undoChange(deps, undo)
    expect(await spoken()).toEqual({ language: 'fr' })
  })

  test('is the one that notices used when the address changed, whatever it was between', async () => {
    harness.advance(6 * day)
    const undo = await move(harness, address)
    harness.advance(2 * day)
    await speak('en', address)
    await undoChange(deps, undo)
    expect(await spoken()).toEqual({ language: 'de' })
  })

  test('is the one of notices at the first second factor’s set-up, whatever came between', async () => {
    harness.advance(6 * day)
    const { secret } = await setUpFactor(deps, home, await find(harness), { password: ada.password, code: undefined })
    await confirmFactor(deps, home, await find(harness), appOf(harness, bytesOfBase32(secret)).code())
    const [notice] = harness.queue.flatMap(({ message }) => (message.kind === 'factor-set-up' ? [message] : []))
    if (!notice) throw new Error('no notice was queued')
    harness.advance(2 * day)
    await deliverMail(deps, notice, deps.now())
    await speak('en')
    await undoChange(deps, undoTokenOf(notice))
    expect(await spoken()).toEqual({ language: 'de' })
  })

  test('stays when notices had followed it before the undone change', async () => {
    harness.advance(7 * day)
    const before = await spoken()
    await undoChange(deps, await move(harness, address))
    expect(await spoken()).toEqual(before)
  })
})
