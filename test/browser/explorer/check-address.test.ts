import { beforeEach, describe, expect, test } from 'vitest'
import { setUpCheck } from './check.ts'

const { page, complaints, site, open, field, status, findings, button, text, underlined, hash, queryInAddress, paste } =
  setUpCheck()

describe('the address', () => {
  beforeEach(() => open())

  test('follows: what is done, not letters, can be gone back from; a reload keeps it', async () => {
    await paste('list=allpages&aplmit=5')
    await expect.poll(queryInAddress).toBe('list=allpages&aplmit=5')
    await button('Write aplimit').click()
    await expect.poll(queryInAddress).toBe('list=allpages&aplimit=5')
    await page().keyboard.press('End')
    await page().keyboard.type('0')
    await expect.poll(queryInAddress).toBe('list=allpages&aplimit=50')
    await page().goBack()
    await expect.poll(text).toBe('list=allpages&aplmit=5')
    expect(await underlined()).toEqual(['aplmit'])
    await page().goForward()
    await expect.poll(text).toContain('aplimit')
    await page().reload()
    expect(await text()).toContain('aplimit')
    await page().goBack()
    await page().goBack()
    expect(page().url()).toBe('about:blank')
  })

  test('is written by the latest letters, also where a fix comes right after them', async () => {
    await field().focus()
    await page().keyboard.insertText('list=allpages&aplmit=5')
    await button('Write aplimit').click()
    await page().goBack()
    await expect.poll(text).toBe('list=allpages&aplmit=5')
  })

  test('keeps the limits, and follows a fragment that is changed by hand', async () => {
    await page().getByLabel('Check for').selectOption('normal')
    await expect.poll(hash).toBe('#q=&limits=normal')
    await page().evaluate(() => {
      location.hash = '#q=list%3Dallpages%26aplimit%3D501&limits=normal'
    })
    await expect.poll(text).toBe('list=allpages&aplimit=501')
    expect(await findings().allTextContents()).toEqual([expect.stringContaining('501 is clamped to 500')])
    await page().evaluate(() => {
      location.hash = ''
    })
    await expect.poll(text).toBe('')
  })

  test('of an anchor on the page leaves the query alone', async () => {
    await paste('list=allpages&aplmit=5')
    await page().evaluate(() => {
      location.hash = '#main-content'
    })
    await expect.poll(queryInAddress).toBe('list=allpages&aplmit=5')
    expect(await text()).toBe('list=allpages&aplmit=5')
  })

  test('of an anchor leaves the limits alone, where there is no query', async () => {
    await page().getByLabel('Check for').selectOption('normal')
    await page().evaluate(() => {
      location.hash = '#main-content'
    })
    await expect.poll(hash).toBe('#q=&limits=normal')
  })

  test('has no secret, nor has the history, nor the title', async () => {
    await paste('https://ada:pw9@wiki.example/w/api.php?list=watchlist&wlowner=Ada&wltoken=s3cret&wlimit=5')
    await expect.poll(queryInAddress).toContain('wltoken=***')
    await button('Use it').click()
    await expect.poll(text).toContain('wllimit=5')
    expect(await text()).toContain('wltoken=s3cret')
    const seen = await page().evaluate(() => [location.href, document.title, JSON.stringify(history.state)].join())
    await page().goBack()
    const before = page().url()
    for (const secret of ['s3cret', 'pw9', 'ada:']) expect(seen + before).not.toContain(secret)
    // Stepping back goes to the address's state.
    await expect.poll(text).toContain('wltoken=***')
  })
})

test('the address loses a secret that was in it from the start', async () => {
  await open('list=watchlist&wlowner=Ada&wltoken=s3cret')
  expect(await text()).toContain('wltoken=s3cret')
  await expect.poll(queryInAddress).toBe('list=watchlist&wlowner=Ada&wltoken=***')
})

test.each([
  ['?', 'Nothing yet: it names no module.'],
  ['format=json', 'Nothing yet: it names no module.'],
  ['prop=categories', 'categories'],
])('%s, which has no error but asks for nothing yet, is not praised', async (query, says) => {
  await open()
  await paste(query)
  const overview = page().getByRole('region', { name: 'What it asks for' })
  expect(await overview.textContent()).toContain(says)
  expect(await page().locator('.overview.good').count()).toBe(0)
})

test('what titles ask for without a module is said in words', async () => {
  await open()
  await paste('titles=A&redirects&export')
  const overview = page().locator('.overview.good')
  expect(await overview.textContent()).toContain(
    'Whether there are such, and the ids, where redirects lead and an export of the pages that it names.',
  )
})

describe('a hostile fragment', () => {
  test.each([
    ['markup', '<img src=x onerror=alert(1)>&"><script>alert(1)</script>&\'`$(x)'],
    ['64 KiB', `list=allpages&${'"<b>&'.repeat(13_000)}`],
    ['64 KiB without an end', 'x'.repeat(65_000)],
  ])('of %s is text', async (_, query) => {
    const dialogs: string[] = []
    page().on('dialog', dialog => dialogs.push(dialog.message()))
    await open(query)
    expect(await text()).toBe(query)
    await expect.poll(() => status().textContent()).toMatch(/error/)
    expect(await page().locator('.check img, .check script, .check b').count()).toBe(0)
    expect([...dialogs, ...complaints()]).toEqual([])
  })

  test('that is malformed breaks nothing', async () => {
    await open()
    await page().goto(`${site().url}/catalogue/explore?#q=%zz&limits=none`)
    await field().fill('list=allpages&aplmit=5')
    expect(await underlined()).toEqual(['aplmit'])
    expect(complaints()).toEqual([])
  })
})
