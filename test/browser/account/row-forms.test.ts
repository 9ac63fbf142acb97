import type { Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { setUpBrowser } from '../browser.ts'
import { onAccountPage } from './account.ts'
import { setUpAnswers } from './answers.ts'

/** Rules for every row of the account page with a form. */

const { page, openPage } = setUpBrowser()
const { form, button, field, focused, open: press, enter, errorAt } = onAccountPage(page)
const { begin, end, visit, havePasskey, answers, sent } = setUpAnswers(openPage)

async function beginAsAda(): Promise<void> {
  await begin()
  answers()['/auth/me'] = [200, { id: '1', email: 'ada@example.com', name: 'Ada', is_verified: true }]
}

/** Every row with a form: its section, its opener, its submit button, and its fields. */
const rows = [
  ['Profile', 'Change name', 'Save name', ['Name (optional)']],
  ['Profile', 'Change address', 'Change address', ['New email address']],
  ['Security', 'Change password', 'Change password', ['Current password', 'New password']],
  ['Security', 'Turn on', 'Turn on', ['Current password']],
  ['Security', 'Delete account', 'Delete account', ['Your email address', 'Current password']],
  ['Security with a factor', 'Move to a new phone', 'Move to a new phone', ['Current password']],
  ['Security with a factor', 'Make new recovery codes', 'Make new recovery codes', ['Current password']],
  ['Security with a factor', 'Turn off', 'Turn off', ['Current password']],
  ['Security with a passkey', 'Add a passkey', 'Add a passkey', ['Name of the passkey', 'Current password']],
  ['Security with a passkey', 'Rename', 'Rename', ['Name of the passkey']],
  ['Security with a passkey', 'Remove', 'Remove', ['Current password']],
  ['Sessions', 'End', 'End', ['Current password']],
] as const

describe.each(rows)('under %s, the row of "%s"', (place, opener, submit, labels) => {
  // One page for all: the rules hold whatever was done before in the row.
  beforeAll(async () => {
    await beginAsAda()
    if (place === 'Security with a factor') {
      answers()['/auth/second-factor'] = [200, { methods: ['code'], recovery_codes_left: 10 }]
    }
    if (place === 'Security with a passkey') havePasskey()
    await enter(visit, place.startsWith('Security') ? 'Security' : (place as 'Profile'))
  })
  afterEach(async () => {
    if ((await button('Cancel').count()) > 0) await press('Cancel')
  })
  afterAll(end)

  test('shows no field until its button opens the form with the focus in it', async () => {
    expect(await page().locator('main input').count()).toBe(0)
    await press(opener)
    expect(await form(submit).locator('label').allInnerTexts()).toEqual(labels)
    expect(await button(submit).count()).toBe(1)
    expect(await focused()).toBe(await field(submit, labels[0]).getAttribute('id'))
    expect(await form(submit).locator('[type="submit"]').count()).toBe(1)
    // A fact that the form repeats, or an empty one.
    const fact = page()
      .locator('.row', { has: form(submit) })
      .locator('.fact')
    expect(await fact.isVisible()).toBe(!/^Change (?:name|password)$/.test(opener))
  })

  test.each([
    ['"Cancel"', () => press('Cancel')],
    ['Escape', () => page().keyboard.press('Escape')],
  ])('is closed by %s, which gives the focus back, forgets secrets and keeps the rest', async (_, close) => {
    await press(opener)
    for (const label of labels) await field(submit, label).fill('secret or not')
    await close()
    expect(await page().locator('main input').count()).toBe(0)
    expect(await focused()).toBe(opener)
    expect(await page().locator('.fact[hidden]').count()).toBe(0)
    await press(opener)
    for (const label of labels) {
      expect(await field(submit, label).inputValue()).toBe(/password/.test(label) ? '' : 'secret or not')
    }
  })

  test('has in each password field a button that shows what is typed until sent', async () => {
    answers()['/auth/change-password'] = [400, { code: 'wrong-password' }]
    await press(opener)
    const passwords = await form(submit).locator('input[type="password"]').all()
    const eyes = form(submit).locator('.entry [aria-pressed]')
    expect(await eyes.count()).toBe(passwords.length)
    for (const [i, password] of passwords.entries()) {
      const id = await password.getAttribute('id')
      const type = () => page().getAttribute(`#${id}`, 'type')
      await eyes.nth(i).click()
      expect([await type(), await eyes.nth(i).getAttribute('aria-pressed')]).toEqual(['text', 'true'])
      await button(submit).click()
      expect([await type(), await eyes.nth(i).getAttribute('aria-pressed')]).toEqual(['password', 'false'])
    }
  })

  test.skipIf(!(labels as readonly string[]).includes('Current password'))(
    'asks for a code in a step of its own, from which one can return',
    async () => {
      const typed = (label: string) => (label === 'Your email address' ? 'ada@example.com' : 'long enough')
      const shown = () => form(submit).locator('label:visible').allInnerTexts()
      const values = () => Promise.all(labels.map(label => field(submit, label).inputValue()))
      const begun = labels.map(typed)
      let code = 'second-factor-required'
      const refuse = (route: Route) => route.fulfill({ status: 400, json: { code } })
      await page().route('**/auth/**', refuse)
      await press(opener)
      for (const label of labels) await field(submit, label).fill(typed(label))
      for (const goBack of [() => page().keyboard.press('Escape'), () => press('Back')]) {
        await button(submit).click()
        await page().getByRole('heading', { level: 3, name: 'Enter your code' }).waitFor()
        expect(await shown()).toEqual(['Code'])
        expect(await focused()).toBe(await field(submit, 'Code').getAttribute('id'))
        expect(await button('Use another account').count()).toBe(0)
        expect(await button('Use a passkey').isVisible()).toBe(place === 'Security with a passkey')
        await goBack()
        expect([await shown(), await values()]).toEqual([labels, begun])
      }
      await button(submit).click()
      await field(submit, 'Code').fill('123456')
      code = 'wrong-code'
      await button(submit).click()
      expect(await errorAt(submit, 'Code')).toContain('This code is wrong.')
      expect(await shown()).toEqual(['Code'])
      // Somebody has changed it meanwhile.
      code = 'wrong-password'
      await button(submit).click()
      expect(await errorAt(submit, 'Current password')).toContain('not the password')
      expect(await shown()).toEqual(labels)
      code = 'second-factor-required'
      await button(submit).click()
      await field(submit, 'Code').waitFor()
      await press('Cancel')
      expect(await page().locator('main input').count()).toBe(0)
      await page().unroute('**/auth/**', refuse)
    },
  )

  // A name may be empty.
  test.skipIf(submit === 'Save name')('is told all that is missing at once, and sends nothing', async () => {
    await press(opener)
    const before = sent().length
    for (const label of labels) await field(submit, label).fill('')
    await button(submit).click()
    for (const label of labels) expect(await errorAt(submit, label)).toMatch(/^Enter /)
    expect(sent().length).toBe(before)
  })
})

test('a button that can do nothing while a form is sent says why', async () => {
  await beginAsAda()
  onTestFinished(end)
  await enter(visit, 'Security')
  const late = Promise.withResolvers<void>()
  await page().route('**/auth/change-password', async route => {
    await late.promise
    await route.fulfill({ status: 400, json: { code: 'wrong-password' } })
  })
  await press('Change password')
  for (const label of ['Current password', 'New password']) await field('Change password', label).fill('correct horse')
  await button('Change password').click()
  const why = page().getByRole('alert')
  for (const pressed of ['Delete account', 'Cancel']) {
    await press(pressed)
    expect(await why.allInnerTexts()).toEqual(['A form is still being sent. Try again in a moment.'])
    expect(await why.evaluate(it => it.nextElementSibling?.textContent)).toBe(pressed)
  }
  late.resolve()
  expect(await errorAt('Change password', 'Current password')).toContain('not the password')
  expect(await why.count()).toBe(0)
})
