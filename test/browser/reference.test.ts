import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { setUpBrowser } from './browser.ts'
import { findBarriersInLightAndDark, listenToConsole, openSite, type Site, scrollsSideways } from './support.ts'

const { openPage } = setUpBrowser()
let site: Site
let page: Page
let complaints: string[]
let asked: string[]

/** One page for most tests: it keeps nothing but its position. */
beforeAll(async () => {
  site = await openSite()
  site.config = { ...site.config, issuer: `${site.url}/auth` }
  await open()
})
afterAll(() => site.close())
afterEach(() => expect(complaints).toEqual([]))

async function open(options: BrowserContextOptions = {}): Promise<void> {
  page = await openPage({ viewport: { width: 1280, height: 800 }, ...options })
  complaints = await listenToConsole(page)
  asked = []
  page.on('request', request => asked.push(request.url()))
  await page.goto(`${site.url}/reference`)
  if (options.javaScriptEnabled !== false) await field().waitFor()
}

const field = () => page.getByRole('combobox', { name: 'Search' })
const options = () => page.getByRole('option')
const snippets = (kind: string) => page.locator(`.snippet.${kind}`).filter({ visible: true })
const hash = () => new URL(page.url()).hash
const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

test('asks this site alone, for itself', async () => {
  await page.reload({ waitUntil: 'networkidle' })
  expect(asked.filter(address => !address.startsWith('data:'))).toEqual(asked.map(() => `${site.url}/reference`))
})

describe('the search', () => {
  const found = {
    'log in': ['Log in', '#login'],
    'email-taken': ['email-taken', '#code-email-taken'],
    userresponse: ['UserResponse', '#shape-UserResponse'],
    PASSWORD_BLOCK: ['PASSWORD_BLOCKLIST', '#setting-PASSWORD_BLOCKLIST'],
    'retry-after': ['Retry-After', '#header-Retry-After'],
    '/auth/forgot': ['Forgot password', '#forgot-password'],
  } as const
  test.each(Object.entries(found))('finds %s first, and Enter leads there', async (typed, [title, target]) => {
    await page.locator('main').focus()
    await press('/')
    await page.keyboard.type(typed)
    await options().first().filter({ hasText: title }).waitFor()
    await press('Enter')
    await expect.poll(hash).toBe(target)
    await expect
      .poll(() => page.locator(':target').evaluate(element => element.getBoundingClientRect().top))
      .toBeLessThan(800)
    await field().fill('')
  })

  test('finds what an operation says, below what is named so', async () => {
    await field().fill('wrong-password')
    const found = await options().allInnerTexts()
    expect(found[0]).toContain('wrong-password')
    expect(found.slice(1).join()).toContain('Delete account')
    await field().fill('quixotic')
    expect(await page.getByRole('search').innerText()).toContain('Nothing here says quixotic.')
    await field().fill('')
  })

  test('says what to do instead of what is not here', async () => {
    await field().fill('webhook')
    const [first = ''] = await options().allInnerTexts()
    expect(first).toContain('Webhooks and events')
    expect(first).toContain('Nothing calls you when something changes. Ask when you need to know')
    await field().fill('')
  })
})

test('short words are found where words begin, not within others', async () => {
  await field().fill('ail')
  expect(await options().count()).toBe(0)
  await field().fill('')
})

describe('where somebody is', () => {
  test('is said in the contents and in the title', async () => {
    const current = page.getByRole('navigation', { name: 'Contents' }).locator('[aria-current]')
    for (const [target, title] of [
      ['#login', 'Log in'],
      ['#code-account-locked', 'account-locked'],
      ['#shape-Report', 'Report'],
    ]) {
      await page.goto(`${site.url}/reference${target}`)
      await expect.poll(() => page.title()).toMatch(new RegExp(`^${title} · `))
      expect(await current.getAttribute('href')).toBe(target)
    }
  })

  test('includes the chosen language, which a link keeps', async () => {
    await page.getByRole('radio', { name: 'Python' }).check()
    await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Log in', exact: true }).click()
    await page.waitForURL(`${site.url}/reference?language=python#login`)
    await page.goto('about:blank')
    await page.goto(`${site.url}/reference?language=python#login`)
    expect(await page.getByRole('radio', { name: 'Python' }).isChecked()).toBe(true)
    expect(await snippets('in-curl').count()).toBe(0)
    await page.goto(`${site.url}/reference?language=cobol`)
    expect(await page.getByRole('radio', { name: 'curl' }).isChecked()).toBe(true)
  })
})

describe('an example', () => {
  test('is shown in the chosen language', async () => {
    const count = await page.locator('.snippet.in-curl').count()
    expect(count).toBeGreaterThan(30)
    for (const [label, kind] of Object.entries({ fetch: 'in-fetch', Python: 'in-python', curl: 'in-curl' })) {
      await page.getByRole('radio', { name: label }).check()
      const seen = ['in-curl', 'in-fetch', 'in-python'].map(each => snippets(each).count())
      expect(await Promise.all(seen)).toEqual(
        ['in-curl', 'in-fetch', 'in-python'].map(each => (each === kind ? count : 0)),
      )
    }
  })

  test('is copied as it stands, with the address of this service', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    // By key: a late layout would move the pointer's target.
    await page.getByRole('button', { name: 'Copy: Forgot password with curl' }).press('Enter')
    await page.locator('#forgot-password').getByText('Copied').waitFor()
    const email = '{\n  "email": "ada@example.com"\n}'
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `curl ${site.url}/auth/forgot-password \\\n  -H 'Content-Type: application/json' \\\n  -d '${email}'`,
    )
  })

  test('is selected where it cannot be copied', async () => {
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('forbidden'))
    })
    await page.getByRole('button', { name: 'Copy: Get account with curl' }).press('Enter')
    await page.locator('#get-me').getByText('Not copied, but selected').waitFor()
    expect(await page.evaluate(() => String(getSelection()))).toContain('/auth/me')
  })
})

test('a link leads to an operation, a code and a shape, below the header', async () => {
  for (const target of ['#login', '#code-account-locked', '#shape-Report']) {
    await page.goto(`${site.url}/reference${target}`)
    const top = () => page.locator(':target').evaluate(element => element.getBoundingClientRect().top)
    const header = await page.locator('header').evaluate(element => element.getBoundingClientRect().bottom)
    await expect.poll(top).toBeLessThan(200)
    expect(await top()).toBeGreaterThanOrEqual(header - 1)
    expect(`#${await page.locator(':target').getAttribute('id')}`).toBe(target)
  }
})

test('by keys: the first stop skips the header, and the contents lead on', async () => {
  await page.goto(`${site.url}/reference`)
  await press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content')
  await press('Enter')
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main-content')
  await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Log in', exact: true }).focus()
  await press('Enter')
  await expect.poll(hash).toBe('#login')
})

test('fits into windows of every width, with letters of twice the size too', async () => {
  for (const fontSize of ['100%', '200%']) {
    await page.evaluate(size => document.documentElement.style.setProperty('font-size', size), fontSize)
    for (const width of [320, 480, 768, 1024, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      expect({ fontSize, width, isCut: await scrollsSideways(page) }).toEqual({ fontSize, width, isCut: false })
    }
  }
})

test('has no barrier in light and dark colours, in narrow and wide windows', async () => {
  await open()
  // One of dozens is enough: axe would take half a minute for all.
  await page.evaluate(() => {
    for (const more of document.querySelectorAll('.operation ~ .operation, .shape ~ .shape, tr ~ tr ~ tr'))
      more.remove()
    // axe takes elements without layout for small ones.
    for (const element of document.querySelectorAll<HTMLElement>('.operation, .shape, table'))
      element.style.contentVisibility = 'visible'
  })
  for (const width of [320, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    expect({ width, barriers: await findBarriersInLightAndDark(page) }).toEqual({ width, barriers: [] })
  }
})

test('on paper leaves out what one presses, and shows the rest whole', async () => {
  // The width of an A4 sheet at 96 dpi.
  await open({ viewport: { width: 794, height: 1123 } })
  await page.emulateMedia({ media: 'print' })
  expect(await page.locator('header, nav, button, fieldset').filter({ visible: true }).count()).toBe(0)
  const shut = await page
    .locator('main details:not([open]) .snippet')
    .evaluateAll(elements => elements.map(element => element.getBoundingClientRect().height))
  expect(shut.length).toBeGreaterThan(0)
  expect(Math.min(...shut)).toBeGreaterThan(100)
  expect(await scrollsSideways(page)).toBe(false)
})

test('without a script, everything is there but the search and the buttons', async () => {
  await open({ javaScriptEnabled: false })
  expect(await snippets('in-curl').count()).toBeGreaterThan(30)
  await page.getByRole('radio', { name: 'Python' }).check()
  expect(await snippets('in-curl').count()).toBe(0)
  expect(await page.getByRole('button').count()).toBe(0)
})
