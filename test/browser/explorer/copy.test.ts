import type { BrowserContextOptions } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { type FormName, forms } from '../../../catalogue/explorer/client/copy/forms.ts'
import { readRequest } from '../../../catalogue/explorer/client/copy/request.ts'
import { findBarriers, findBarriersInLightAndDark, scrollsSideways } from '../support.ts'
import { setUpExplorer } from './explorer.ts'

const { page, complaints, openQuery } = setUpExplorer()

/** Lets the page write to the clipboard. */
const open = (query: string, options: BrowserContextOptions = {}) =>
  openQuery(query, { permissions: ['clipboard-read', 'clipboard-write'], ...options })

const tabNames: Record<FormName, string> = { url: 'URL', curl: 'curl', fetch: 'fetch', python: 'Python' }
const box = () => page().getByRole('region', { name: 'Copy the query' })
const tab = (form: FormName) => box().getByRole('tab', { name: tabNames[form], exact: true })
const shown = () => box().getByRole('tabpanel').locator('pre').textContent()
const tick = () => box().getByRole('checkbox')
const copy = () => box().getByRole('button', { name: 'Copy', exact: true }).click()
const said = () => box().getByRole('status')
const clipboard = () => page().evaluate(() => navigator.clipboard.readText())
const edit = (query: string) => page().getByRole('textbox', { name: 'Check a query' }).fill(query)

/** All places where a secret could remain. */
const traces = async (): Promise<string> =>
  `${page().url()} ${await page().title()} ${await page().evaluate(() => JSON.stringify([history.state, { ...localStorage }, { ...sessionStorage }]))}`

describe('the copied query', () => {
  const odd = `list=search&srsearch=${encodeURIComponent('it\'s $(id) `id` "x"\n!! \\ 100% 👩‍💻 </script>')}`

  test.each(Object.keys(forms) as FormName[])('as %s is what is shown, and what the form writes', async form => {
    await open(odd)
    await tab(form).click()
    const due = forms[form](readRequest(odd))
    await expect.poll(shown).toBe(due)
    await copy()
    await said().getByText('Copied').waitFor()
    expect(await clipboard()).toBe(due)
    expect(complaints()).toEqual([])
  })

  test('says beside the button where it goes, and that nothing but the default says so', async () => {
    await open('https://ada:secret@de.wikipedia.org/w/api.php?list=search')
    expect(await box().locator('.tools').innerText()).toContain('goes to de.wikipedia.org')
    expect(await shown()).toMatch(/^https:\/\/de\.wikipedia\.org\/w\/api\.php\?/)
    await edit('list=search')
    expect(await box().locator('.tools').innerText()).toContain(
      'goes to en.wikipedia.org: the query names no other address',
    )
    await edit('ftp://de.wikipedia.org/w/api.php?list=search')
    expect(await box().locator('.tools').innerText()).toContain(
      'goes to en.wikipedia.org: the address before the ? could not be read',
    )
  })

  test('follows the text, and does not say of another one that it is copied', async () => {
    await open('list=search')
    await copy()
    await said().getByText('Copied').waitFor()
    await edit('list=allpages')
    expect(await shown()).toContain('list=allpages')
    expect(await said().textContent()).toBe('')
  })

  test('says how many errors are left in it', async () => {
    const button = () => box().getByRole('button', { name: 'Copy', exact: true })
    const isPlain = () => button().evaluate(({ classList }) => classList.contains('plain'))
    await open('list=allpages&aplmit=5&plnamespace=0')
    expect(await box().innerText()).toContain('This copy still has 2 errors.')
    expect(await isPlain()).toBe(true)
    await edit('list=allpages&aplmit=5')
    expect(await box().innerText()).toContain('This copy still has 1 error.')
    await edit('list=allpages&aplimit=5')
    expect(await box().innerText()).not.toContain('This copy')
    expect(await isPlain()).toBe(false)
  })

  test('is selected, and that is said, where the browser keeps the clipboard to itself', async () => {
    await open('list=search')
    await page().evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('no'))
    })
    await copy()
    await said().getByText('Not copied, but selected').waitFor()
    expect(await page().evaluate(() => getSelection()?.toString())).toBe(await shown())
  })

  test('is text, whatever a link makes of it', async () => {
    await open(
      `list=search&srsearch=<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`,
    )
    for (const form of Object.keys(forms) as FormName[]) {
      await tab(form).click()
      expect(await box().locator('pre *').count()).toBe(0)
    }
    expect(await page().title()).not.toBe('owned')
    expect(complaints()).toEqual([])
  })
})

test('the tabs take arrows, Home and End, and are one stop of Tab', async () => {
  await open('list=search')
  const selected = () => box().getByRole('tab', { selected: true }).textContent()
  await tab('url').focus()
  for (const [key, name] of [
    ['ArrowRight', 'curl'],
    ['End', 'Python'],
    ['ArrowRight', 'URL'],
    ['ArrowLeft', 'Python'],
    ['Home', 'URL'],
  ] as const) {
    await page().keyboard.press(key)
    expect(await selected()).toBe(name)
    expect(await page().evaluate(() => document.activeElement?.textContent)).toBe(name)
  }
  for (const modifier of ['Control', 'Shift', 'Meta']) {
    await page().keyboard.press(`${modifier}+ArrowRight`)
    expect(await selected()).toBe('URL')
  }
  await page().keyboard.press('Tab')
  expect(await page().evaluate(() => document.activeElement?.getAttribute('role'))).toBe('tabpanel')
  await page().keyboard.press('Tab')
  await page().keyboard.press('Enter')
  await said().getByText('Copied').waitFor()
})

test('Alt and an arrow on the tabs goes back and forward, as everywhere', async () => {
  await open('list=search')
  await page().evaluate(() => {
    document.addEventListener('keydown', ({ defaultPrevented }) => {
      document.title = String(defaultPrevented)
    })
  })
  await tab('curl').click()
  await page().keyboard.press('Alt+ArrowUp')
  await tab('curl').dispatchEvent('keydown', { key: 'ArrowLeft', altKey: true, bubbles: true, cancelable: true })
  expect(await box().getByRole('tab', { selected: true }).textContent()).toBe('curl')
  expect(await page().title()).toBe('false')
})

describe('a secret', () => {
  const query = 'list=watchlist&wlowner=Ada&wltoken=SECRET'
  const openWithSecret = async () => {
    await open('list=search')
    await edit(query)
  }
  const written = async () => {
    await copy()
    await said().getByText('Copied').waitFor()
    return clipboard()
  }

  test.each(Object.keys(forms) as FormName[])('is copied as %s only where that is ticked', async form => {
    await openWithSecret()
    await tab(form).click()
    expect(await written()).not.toContain('SECRET')
    await box().getByText('with the value of wltoken').click()
    expect(await written()).toContain('SECRET')
    expect(await traces()).not.toContain('SECRET')
  })

  test('is ticked for one form of one text, once', async () => {
    await openWithSecret()
    await tab('curl').click()
    await tick().check()
    await tab('fetch').click()
    expect([await tick().isChecked(), (await shown())?.includes('SECRET')]).toEqual([false, false])
    await tab('curl').click()
    expect([await tick().isChecked(), (await shown())?.includes('SECRET')]).toEqual([false, false])
    await tick().check()
    await edit(`${query}&wlprop=ids`)
    expect([await tick().isChecked(), (await shown())?.includes('SECRET')]).toEqual([false, false])
    await edit(query)
    expect([await tick().isChecked(), (await shown())?.includes('SECRET')]).toEqual([false, false])
  })

  test('is gone after a reload, and a query without one has no tick', async () => {
    await openWithSecret()
    await tick().check()
    await page().waitForFunction(() => location.hash.includes('wltoken'))
    await page().reload()
    expect(await shown()).toContain('wltoken=***')
    expect(await tick().count()).toBe(0)
    expect(await box().innerText()).toContain(
      'The value of wltoken is gone, since secrets are not kept: type it again.',
    )
    await edit('list=search')
    expect(await tick().count()).toBe(0)
  })
})

test('has no barrier that axe-core can see, in light and dark, in any form', async () => {
  await open('list=watchlist&wlowner=Ada&wltoken=x')
  for (const form of Object.keys(forms) as FormName[]) {
    await tab(form).click()
    await copy()
    await said().getByText('Copied').waitFor()
    expect(await findBarriers(page())).toEqual([])
  }
  // All forms have the same colours.
  expect(await findBarriersInLightAndDark(page())).toEqual([])
})

test.each([320, 1440])('at %i pixels never scrolls sideways', async width => {
  await open(`https://${'x'.repeat(60)}.example/${'y'.repeat(200)}?titles=${'z'.repeat(3000)}`, {
    viewport: { width, height: 800 },
  })
  for (const form of Object.keys(forms) as FormName[]) {
    await tab(form).click()
    expect(await scrollsSideways(page())).toBe(false)
  }
})
