import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { en } from '../../../shared/words/en.ts'
import { allLanguages } from '../../../shared/words/pseudo.ts'
import { setUpBrowser } from '../browser.ts'
import { offered, speak, speakAll } from '../languages.ts'
import { findBarriers } from '../support.ts'
import { onAccountPage } from './account.ts'
import { setUpAnswers } from './answers.ts'

/** The account page changes its language without a navigation, which would log out, and has a row for that of mails. */

const { page, openPage } = setUpBrowser()
const { seeHeading, see, send, change, follow, open, logIn } = onAccountPage(page)
const { begin, end, visit, site, answers, sent } = setUpAnswers(openPage)

const email = 'ada@example.com'
const me = { id: '1', email, name: 'Ada', is_verified: true, language: null as string | null }
const { forms, headings, controls, texts } = allLanguages.de?.pages ?? en.pages

beforeEach(async () => {
  await begin()
  site().config.languages = offered
  answers()['/auth/me'] = [200, me]
  answers()['/auth/refresh'] = answers()['/auth/login'] ?? null
})
afterEach(end)

async function enter(address: string): Promise<void> {
  await visit(address)
  await logIn(email, 'correct horse')
  await seeHeading('Profile')
}
const pageRequests = () => site().requests.filter(request => request.startsWith('GET /account'))
const address = () => page().url().slice(`${site().url}/account`.length)

test('another language keeps login, section, typed text and open form, and says so', async () => {
  answers()['/auth/logout'] = [200, {}]
  await enter('#profile')
  await open('Change name')
  await page().getByLabel('Name (optional)').fill('Ada Lovelace')
  await follow('Security', 'Security')
  await open('Change password')
  await page().getByLabel('Current password', { exact: true }).fill('correct horse')
  await page().getByLabel('New password', { exact: true }).fill('short')
  const before = sent().length
  await speak(page(), 'de')
  expect(await page().locator('h1').innerText()).toBe(headings.security)
  expect(await page().title()).toBe(`${headings.security} · Acme`)
  expect(await page().getByLabel(controls.currentPassword, { exact: true }).inputValue()).toBe('correct horse')
  expect(await page().getByLabel(controls.newPassword, { exact: true }).inputValue()).toBe('short')
  expect(await page().innerText('[role="status"]')).toBe('Deutsch')
  expect(await page().evaluate(() => document.activeElement?.textContent)).toBe('Deutsch')
  expect(await page().evaluate(() => document.activeElement?.getAttribute('aria-current'))).toBe('true')
  expect(sent()).toHaveLength(before)
  await page().getByRole('button', { name: controls.changePassword, exact: true }).click()
  await see(forms.refusals['password-too-short'])
  await page().getByRole('link', { name: headings.profile, exact: true }).click()
  await page().getByRole('button', { name: controls.changeName, exact: true }).click()
  expect(await page().locator('input[name="name"]:visible').inputValue()).toBe('Ada Lovelace')
  await page().getByRole('button', { name: controls.logOut, exact: true }).click()
  await see(texts.loggedOut)
})

test('the chosen language stays in the address through sections, Back, a reload and a login', async () => {
  await visit('?lang=en#log-in')
  await speak(page(), 'de')
  expect(address()).toBe('?lang=de#log-in')
  await page()
    .getByRole('link', { name: texts.newHere.replace(/.*\[(.*)\].*/, '$1') })
    .click()
  await page().waitForURL('**/account?lang=de#register')
  await page().goBack()
  await page().waitForURL('**/account?lang=de#log-in')
  await page().getByLabel(controls.email, { exact: true }).fill(email)
  await page().getByLabel(controls.password, { exact: true }).fill('correct horse')
  await page().getByRole('button', { name: controls.logIn, exact: true }).click()
  await page().waitForURL('**/account?lang=de#profile')
  await page().getByRole('link', { name: headings.security, exact: true }).click()
  await page().waitForURL('**/account?lang=de#security')
  await page().reload()
  await page().getByRole('heading', { level: 1, name: headings.security }).waitFor()
  expect(address()).toBe('?lang=de#security')
})

test('entries of the history before the choice take its language too', async () => {
  await enter('?lang=en#profile')
  await follow('Security', 'Security')
  await speak(page(), 'de')
  await page().goBack()
  await page().getByRole('heading', { level: 1, name: headings.profile }).waitFor()
  expect(address()).toBe('?lang=de#profile')
  expect(await page().getAttribute('html', 'lang')).toBe('de')
})

test('an answer that comes after the choice is told in the new language', async () => {
  await visit('#log-in')
  const late = Promise.withResolvers<void>()
  await page().route('**/auth/login', async route => {
    await late.promise
    await route.fallback()
  })
  await logIn(email, 'correct horse')
  await speak(page(), 'de')
  late.resolve()
  await page().getByRole('heading', { level: 1, name: headings.profile }).waitFor()
  expect(address()).toBe('?lang=de#profile')
})

test('where the other language does not come, nothing changes, and the page says so', async () => {
  await enter('#profile')
  await page().route('**/account?lang=de', route => route.abort())
  const shown = await page().innerText('main')
  await page().getByRole('link', { name: 'Deutsch' }).click()
  await page().locator('.languages').getByText(en.pages.forms.unreachable).waitFor()
  expect(await page().innerText('main')).toBe(shown)
  expect(await page().getAttribute('html', 'lang')).toBe('en')
  expect(address()).toBe('#profile')
})

test('hidden views and closed rows speak the new language, after a garbage collection too', async () => {
  await enter('#profile')
  await open('Change name')
  await open('Cancel')
  await follow('Security', 'Security')
  const browser = await page().context().newCDPSession(page())
  await browser.send('HeapProfiler.collectGarbage')
  await speak(page(), 'de')
  expect(await page().locator('h1').innerText()).toBe(headings.security)
  await page().getByRole('link', { name: headings.profile, exact: true }).click()
  await page().getByRole('heading', { level: 1, name: headings.profile }).waitFor()
  await page().getByRole('button', { name: controls.changeName, exact: true }).click()
  expect(await page().locator('main form').innerText()).toContain(texts.hintName)
  await page().getByRole('button', { name: controls.saveName, exact: true }).waitFor()
})

test('no other language is offered while a key or recovery codes are shown', async () => {
  await visit('#security')
  await logIn(email, 'correct horse')
  const isOffered = () => page().locator('.languages').isVisible()
  await change('Turn on', { 'Current password': 'x' })
  await page().locator('.secret').waitFor()
  expect(await isOffered()).toBe(false)
  await open('Cancel')
  expect(await isOffered()).toBe(true)
  await change('Turn on', { 'Current password': 'x' })
  await send('Confirm', { Code: '123456' })
  await see('Save your recovery codes')
  expect(await isOffered()).toBe(false)
  answers()['/auth/second-factor'] = [200, { methods: ['code'], recovery_codes_left: 10 }]
  await open('I have saved them')
  await see('Recovery codes left: 10.')
  expect(await isOffered()).toBe(true)
})

describe('registering', () => {
  const register = async (query: string) => {
    answers()['/auth/register'] = [201, me]
    await visit(`${query}#register`)
    const [address, password] = await page().locator('main .field input').all()
    await address?.fill(email)
    await password?.fill('correct horse')
    await page().locator('main [type="submit"]:visible').click()
    await expect.poll(() => sent().find(({ path }) => path === '/auth/register')?.body).toBeDefined()
    return sent().find(({ path }) => path === '/auth/register')?.body
  }
  const opened = { email, password: 'correct horse', name: null }

  test('gives the account the page’s language, also where only one is offered', async () => {
    expect(await register('?lang=de')).toEqual({ ...opened, language: 'de' })
    site().config.languages = ['de']
    expect(await register('')).toEqual({ ...opened, language: 'de' })
  })

  test('says nothing of a language where none is offered', async () => {
    site().config.languages = []
    expect(await register('')).toEqual(opened)
  })
})

describe('the language of mails', () => {
  const row = () => page().locator('.row', { has: page().getByRole('heading', { name: 'Language of our emails' }) })

  test('is one of those offered, and the page’s where none was chosen', async () => {
    await enter('#profile')
    expect(await row().innerText()).toContain('Not chosen yet')
    await open('Change language')
    const select = page().getByLabel('Language of our emails', { exact: true })
    expect(await page().evaluate(() => document.activeElement?.localName)).toBe('select')
    expect(await select.locator('option').allInnerTexts()).toEqual(offered.map(tag => allLanguages[tag]?.name))
    expect(await select.locator('option').evaluateAll(all => all.map(it => (it as HTMLElement).lang))).toEqual(offered)
    expect(await select.inputValue()).toBe('en')
    expect(await findBarriers(page())).toEqual([])
    await speakAll(page())
    await select.selectOption('Deutsch')
    answers()['/auth/me'] = [200, { ...me, language: 'de' }]
    await send('Save language')
    await see(
      'Our emails now come in this language. For seven days, warnings about your account still come in the former one.',
    )
    expect(sent().at(-1)).toEqual({ path: '/auth/me', body: { language: 'de' } })
    expect(await row().locator('[lang="de"]').innerText()).toBe('Deutsch')
    expect(await page().getAttribute('html', 'lang')).toBe('en')
    await open('Change language')
    expect(await select.inputValue()).toBe('de')
    await send('Save language')
    await see('Our emails now come in this language.')
    expect(await row().innerText()).not.toContain('For seven days')
  })

  test.each([
    ['where the service has one language', [], undefined],
    ['where there is no choice', ['de'], null],
  ])('is not shown %s', async (_, languages, language) => {
    site().config.languages = languages
    answers()['/auth/me'] = [200, { ...me, language }]
    await visit('#profile')
    const [address, password] = await page().locator('main .field input').all()
    await address?.fill(email)
    await password?.fill('correct horse')
    await page().locator('main [type="submit"]:visible').click()
    await page().waitForSelector('.inside h2')
    expect(await page().locator('h2').count()).toBe(2)
  })
})

test('the page itself is asked for once a choice, and by its own address', async () => {
  await enter('#profile')
  await speak(page(), 'de')
  await speak(page(), 'en')
  await seeHeading('Profile')
  expect(pageRequests()).toEqual(['GET /account', 'GET /account?lang=de', 'GET /account?lang=en'])
})
