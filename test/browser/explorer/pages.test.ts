import { describe, expect, test } from 'vitest'
import { findBarriers, findBarriersInLightAndDark, scrollsSideways } from '../support.ts'
import { setUpExplorer } from './explorer.ts'

const { page, complaints, site, open, visit } = setUpExplorer()

/** A page of each kind, with a short module and one with long lists of values. */
const kinds = [
  '/catalogue/explore',
  '/catalogue/explore/query+links',
  '/catalogue/explore/query+logevents',
  '/catalogue/explore/sets/RIGHTS',
  '/catalogue/explore/sets/USERSUB',
  '/catalogue/explore/sets/REVBLOCK',
]

/** The index with findings, and fields for the query's parameters. */
const check = `${kinds[0]}#q=${encodeURIComponent(
  'https://en.wikipedia.org/w/api.php?action=query&generator=links&pllimit=6000&titles=A&prop=info|categorie&limit=x&wltoken=abc',
)}`

describe.each([...kinds, check])('%s', address => {
  const [path = ''] = address.split('#')

  test('has no barrier in light and dark, narrow and wide, and at 200 %', async () => {
    await open()
    await visit(address)
    for (const width of [320, 1440]) {
      await page().setViewportSize({ width, height: 700 })
      expect({ width, barriers: await findBarriersInLightAndDark(page()) }).toEqual({ width, barriers: [] })
    }
    // To a page, zooming to 200 % halves the window, which moves its content.
    await page().setViewportSize({ width: 640, height: 350 })
    expect(await findBarriers(page(), ['scrollable-region-focusable', 'target-size'])).toEqual([])
    expect(complaints()).toEqual([])
  })

  test('fits into windows of every width, with letters of twice the size too', async () => {
    await open()
    await visit(address)
    for (const fontSize of ['100%', '200%']) {
      await page().evaluate(size => document.documentElement.style.setProperty('font-size', size), fontSize)
      for (const width of [320, 375, 480, 600, 640, 704, 768, 1024, 1280, 1440]) {
        await page().setViewportSize({ width, height: 700 })
        expect({ fontSize, width, isCut: await scrollsSideways(page()) }).toEqual({ fontSize, width, isCut: false })
      }
    }
  })

  test('asks this site alone for its parts', async () => {
    await open()
    const asked: string[] = []
    page().on('request', request => asked.push(request.url().replace(site().url, '').replace(/#.*/, '')))
    await page().goto(site().url + address, { waitUntil: 'networkidle' })
    const hasQuery = address.includes('#q=')
    // A busy machine may be idle before the script is requested.
    if (hasQuery) await page().getByRole('textbox', { name: 'Check a query' }).waitFor()
    const files = ['explorer-….css', 'explorer-….js', ...(hasQuery ? ['late-….js', 'rare-….js'] : [])]
    expect(asked.map(address => address.replace(/-[\w-]{10}\./, '-….')).sort()).toEqual(
      [path, ...files.map(file => `/catalogue/explore/assets/${file}`)].sort(),
    )
    expect(complaints()).toEqual([])
  })

  test('has each id once, with what the script adds', async () => {
    await open()
    await visit(address)
    await page().keyboard.press('/')
    await page().keyboard.type('a')
    await page().getByRole('option').first().waitFor()
    const ids = await page()
      .locator('[id]')
      .evaluateAll(elements => elements.map(({ id }) => id))
    expect(ids).toContain('search-result-0')
    expect(ids).toEqual([...new Set(ids)])
  })
})

describe('an anchor', () => {
  test.each([
    [320, '/catalogue/explore/query+allusers', 'rights=apihighlimits'],
    [1440, '/catalogue/explore/query+allusers', 'rights=apihighlimits'],
    [1024, '/catalogue/explore/query+logevents', 'action=block/reblock'],
    [320, '/catalogue/explore/query+links', 'namespace'],
    [1024, '/catalogue/explore/sets/RIGHTS', 'apihighlimits'],
  ])('in a window of %i px is seen and set off: %s#%s', async (width, path, id) => {
    await open({ viewport: { width, height: 500 }, reducedMotion: 'reduce' })
    await visit(`${path}#${id}`)
    await page().getByRole('combobox', { name: 'Search' }).waitFor()
    const box = (selector: string) =>
      page()
        .locator(selector)
        .first()
        .evaluate(element => element.getBoundingClientRect().toJSON() as DOMRect)
    const [header, target] = [await box('header'), await box(':target')]
    expect(await page().locator(':target').getAttribute('id')).toBe(id)
    expect(target.top).toBeGreaterThanOrEqual(header.bottom - 1)
    expect(target.top).toBeLessThan(500)
    const background = (selector: string) =>
      page()
        .locator(selector)
        .first()
        .evaluate(element => getComputedStyle(element).backgroundColor)
    expect(await background(':target')).not.toBe(await background('.parameters, .values > li:not(:target)'))
  })
})

describe('on paper', () => {
  test.each(kinds)('%s leaves out what one presses, and shows the rest whole', async path => {
    // The width of an A4 sheet at 96 dpi.
    await open({ viewport: { width: 794, height: 1123 } })
    await visit(path)
    const due = await page().locator('main :is(.parameter, .values > li, .modules > li)').count()
    await page().emulateMedia({ media: 'print' })
    expect(await page().locator('header, .actions, .workbench, .contents').filter({ visible: true }).count()).toBe(0)
    expect(
      await page().locator('main :is(.parameter, .values > li, .modules > li)').filter({ visible: true }).count(),
    ).toBe(due)
    expect(due).toBeGreaterThan(0)
    expect(await scrollsSideways(page())).toBe(false)
    expect((await page().pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-')
  })
})

test.each(kinds)('%s shows without a script all that is on it', async path => {
  await open({ javaScriptEnabled: false })
  await visit(path)
  const parts = page().locator('main :is(.parameter, .values > li, .modules > li)')
  const due = await parts.count()
  expect(due).toBeGreaterThan(0)
  expect(await parts.filter({ visible: true }).count()).toBe(due)
})

describe('the policy', () => {
  test.each([
    ['nothing is made into markup', () => document.body.insertAdjacentHTML('beforeend', '<p>')],
    ['nothing is made into a script', () => (document.createElement('script').text = 'complain()')],
    [
      'nobody allows it',
      () =>
        (
          window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): void } }
        ).trustedTypes.createPolicy('default', {}),
    ],
    ['nothing is sent', () => fetch('/catalogue').then(() => undefined)],
  ])('holds: %s', async (_, attempt) => {
    await open()
    await visit('/catalogue/explore')
    await expect(page().evaluate(attempt)).rejects.toThrow(/Trusted|[Pp]olicy|Failed to fetch/)
    expect(complaints()).not.toEqual([])
  })

  test('holds: no style or picture comes from elsewhere or from the page itself', async () => {
    await open()
    await visit('/catalogue/explore')
    await page().evaluate(() => {
      document.body.append(Object.assign(document.createElement('img'), { src: 'https://example.com/picture.png' }))
      document.body.append(Object.assign(document.createElement('style'), { textContent: 'body { color: red }' }))
    })
    await expect.poll(() => complaints().filter(text => /Content Security Policy/.test(text)).length).toBe(2)
  })
})

test.each(kinds)('%s hardly moves when its script arrives', async path => {
  await open({ viewport: { width: 320, height: 640 } })
  await visit(path)
  await page().getByRole('combobox', { name: 'Search' }).waitFor()
  const shift = await page().evaluate(
    () =>
      new Promise<number>(resolve => {
        let sum = 0
        new PerformanceObserver(list => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value
        }).observe({ type: 'layout-shift', buffered: true })
        // What has moved is reported with the next frame.
        requestAnimationFrame(() => setTimeout(() => resolve(sum), 50))
      }),
  )
  // Up to 0.1 is good (https://web.dev/articles/cls).
  expect(shift).toBeLessThan(0.1)
})

test('the header leads to building a query, and a module lists the others', async () => {
  await open()
  await visit('/catalogue/explore/query+links')
  const others = page().getByRole('navigation', { name: 'All modules' })
  expect(await others.getByRole('link').count()).toBe(62)
  expect(await others.locator('[aria-current=page]').textContent()).toBe('links')
  await page().setViewportSize({ width: 1023, height: 700 })
  expect(await others.isVisible()).toBe(false)
  await page().getByRole('link', { name: 'Build', exact: true }).click()
  const top = () => page().evaluate(() => document.querySelector('.builder')?.getBoundingClientRect().top)
  await expect.poll(top).toBeLessThan(100)
  await page().getByRole('link', { name: 'Check', exact: true }).click()
  await expect.poll(top).toBeGreaterThan(100)
})
