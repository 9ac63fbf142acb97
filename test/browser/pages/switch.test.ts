import { describe, expect, test } from 'vitest'
import { pathOf } from '../../../api/route-keys.ts'
import { en } from '../../../shared/words/en.ts'
import { allLanguages } from '../../../shared/words/pseudo.ts'
import { speak } from '../languages.ts'
import type { Answer } from '../support.ts'
import { linkPaths, ok, problem, renewingPaths, setUpPages } from './pages.ts'

/** The pages behind links change their language without a navigation, which would lose the history's state. */

const { site, page, replacePage, waitForState, waitForAlert, alert, click, linkPage } = setUpPages()
const offer = () => {
  site().config.languages = ['en', 'de', 'en-XA']
}
const german = allLanguages.de?.pages ?? en.pages

describe.each(linkPaths)('the page %s', (path, { endpoint, body, optionalField }) => {
  const { visit, act } = linkPage(path)

  test('keeps the link’s language without the token, after a reload and Back', async () => {
    offer()
    const isGerman = async () => {
      expect(page().url()).toBe(`${site().url}${path}?lang=de`)
      expect(await page().getAttribute('html', 'lang')).toBe('de')
    }
    await page().goto(`${site().url}${path}?lang=de&token=secret-token&from=mail`)
    await isGerman()
    await page().reload()
    await isGerman()
    await page().goto(`${site().url}/`)
    await page().goBack()
    await isGerman()
    await act()
    await waitForState('done')
    expect(site().posts[0]).toMatchObject({ path: pathOf(endpoint), body })
  })

  test('in another language keeps token and what was typed, reloaded or not, and posts nothing', async () => {
    offer()
    site().answer = ok
    await visit()
    const type = async (text: string) => {
      for (const field of await page().locator('input:visible').all()) await field.fill(text)
    }
    await type('correct horse')
    await speak(page(), 'de')
    expect(page().url()).toBe(`${site().url}${path}?lang=de`)
    expect(await page().evaluate(() => document.activeElement?.textContent)).toBe('Deutsch')
    expect(await page().innerText('[role="status"]')).toBe('Deutsch')
    for (const field of await page().locator('input:visible').all())
      expect(await field.inputValue()).toBe('correct horse')
    expect(site().posts).toEqual([])
    expect(site().requests).toEqual([`GET ${path}?token=secret-token`, `GET ${path}?lang=de`])
    await page().reload()
    expect(await page().getAttribute('html', 'lang')).toBe('de')
    await type('correct horse')
    await click()
    await waitForState('done')
    const typed = optionalField === null ? body : { ...body, [optionalField]: 'correct horse' }
    expect(site().posts).toMatchObject([{ path: pathOf(endpoint), body: typed }])
    await page().reload()
    await waitForState('done')
    expect(await page().getAttribute('html', 'lang')).toBe('de')
  })

  test('links only to pages that keep the language, once it was chosen', async () => {
    offer()
    site().config.appUrl = null as never
    await visit()
    await speak(page(), 'de')
    const links = await page()
      .locator('a[href^="/"]')
      .evaluateAll(all => all.map(link => (link as HTMLAnchorElement).search))
    expect(new Set(links)).toEqual(new Set(['?lang=de']))
  })
})

describe('while a form waits, another language', () => {
  const { visit, act } = linkPage('/undo')

  test('says so in its words, and then what the button did', async () => {
    offer()
    const late = Promise.withResolvers<Answer>()
    site().answer = late.promise
    await visit()
    await act()
    const button = page().locator('[type="submit"]:visible')
    await expect.poll(() => button.innerText()).toBe(en.pages.forms.moment)
    await speak(page(), 'de')
    expect(await button.innerText()).toBe(german.forms.moment)
    late.resolve({ ...problem(429, '', { code: 'too-many-requests' }), headers: { 'retry-after': '840' } })
    await waitForAlert()
    expect(await button.textContent()).toBe(german.undo.heading)
    expect(await alert().innerText()).toBe(
      german.forms.refusals['too-many-requests'].replace('{wait}', 'in 14 Minuten'),
    )
    await speak(page(), 'en')
    expect(await button.innerText()).toBe(en.pages.undo.heading)
    expect(await alert().innerText()).toBe(
      en.pages.forms.refusals['too-many-requests'].replace('{wait}', 'in 14 minutes'),
    )
  })
})

test.each(renewingPaths)('on %s the address to which a link was sent stays', async (path, { newLinkPath }) => {
  offer()
  site().answer = ok
  await page().goto(`${site().url}${path}`)
  await page().fill('#email', 'ada@example.com')
  await click()
  await waitForState('sent')
  await speak(page(), 'de')
  await click()
  await page().waitForSelector('[data-resent]:not([hidden])')
  const post = { path: newLinkPath, body: { email: 'ada@example.com' } }
  expect(site().posts).toMatchObject([post, post])
})

describe('where the other language does not come', () => {
  const { visit } = linkPage('/reset-password')

  test.each([
    ['the connection breaks', { abort: true }],
    ['a gateway answers', { status: 502, body: '<h1>Bad Gateway</h1>', contentType: 'text/html' }],
    ['another page comes', { status: 200, body: '<html lang="de"><p>Willkommen', contentType: 'text/html' }],
    ['what comes is no page', { status: 200, body: '{}', contentType: 'application/json' }],
    ['it comes in a language that was not asked for', { path: '/reset-password?lang=en-XA' }],
    ['another page of the service comes', { path: '/undo?lang=de' }],
    ['another version of the page comes', { path: '/reset-password?lang=de', also: 'let added' }],
  ] as const)('because %s, nothing changes, the page says so, and one can try again', async (_, answer) => {
    offer()
    await visit()
    await page().fill('#new-password', 'correct horse')
    const shown = await page().innerText('body')
    await page().route('**/*lang=de', async route => {
      if ('abort' in answer) return route.abort()
      if ('path' in answer) {
        const response = await page().request.get(`${site().url}${answer.path}`)
        const module = '<script type="module">'
        const body = (await response.text()).replace(module, `${module}${'also' in answer ? `${answer.also};` : ''}`)
        return route.fulfill({ response, body })
      }
      return route.fulfill(answer)
    })
    const german = page().getByRole('link', { name: 'Deutsch' })
    await german.click()
    const alert = page().locator('.languages [role="alert"]')
    await alert.filter({ hasText: /try again/i }).waitFor()
    expect((await page().innerText('body')).replace(await alert.innerText(), '').trim()).toBe(shown.trim())
    expect(await page().getAttribute('html', 'lang')).toBe('en')
    expect(page().url()).toBe(`${site().url}/reset-password`)
    expect(await page().inputValue('#new-password')).toBe('correct horse')
    await page().unroute('**/*lang=de')
    await speak(page(), 'de')
    expect(await alert.textContent()).toBe('')
  })

  test('of two choices the last one holds, also when its answer comes first', async () => {
    offer()
    await visit()
    const late = Promise.withResolvers<void>()
    await page().route('**/*lang=de', async route => {
      await late.promise
      await route.continue()
    })
    const arrived = page().waitForResponse('**/*lang=de')
    await page().getByRole('link', { name: 'Deutsch' }).click()
    await speak(page(), 'en-XA')
    late.resolve()
    await (await arrived).finished()
    await page().evaluate(() => new Promise(resolve => setTimeout(resolve)))
    expect(await page().getAttribute('html', 'lang')).toBe('en-XA')
    expect(page().url()).toContain('?lang=en-XA')
  })
})

test('a person with the keyboard alone goes to another language and back', async () => {
  offer()
  await page().goto(`${site().url}/reset-password?token=secret-token`)
  const focused = () => page().evaluate(() => document.activeElement?.id || document.activeElement?.textContent)
  await page().focus('#new-password')
  for (let i = 0; (await focused()) !== 'Deutsch' && i < 10; i++) await page().keyboard.press('Tab')
  await page().keyboard.press('Enter')
  await page().waitForSelector('html[lang="de"]')
  expect(await focused()).toBe('Deutsch')
  for (let i = 0; (await focused()) !== 'new-password' && i < 10; i++) await page().keyboard.press('Shift+Tab')
  await page().keyboard.type('correct horse')
  expect(await page().inputValue('#new-password')).toBe('correct horse')
})

test('a link to another language can be opened in another tab', async () => {
  await replacePage({})
  offer()
  await page().goto(`${site().url}/reset-password`)
  const opened = page().context().waitForEvent('page')
  await page()
    .getByRole('link', { name: 'Deutsch' })
    .click({ modifiers: ['ControlOrMeta'] })
  const other = await opened
  await other.waitForSelector('html[lang="de"]')
  await other.close()
  expect(await page().getAttribute('html', 'lang')).toBe('en')
})
