import type { BrowserContextOptions } from 'playwright-core'
import { afterEach, expect } from 'vitest'
import { setUpExplorer } from './explorer.ts'

/** The search on a module's page, with a person's view and acts. */
export function setUpSearch() {
  const explorer = setUpExplorer()
  const { page, complaints, site } = explorer

  async function open(options: BrowserContextOptions = {}): Promise<void> {
    await explorer.open(options)
    await explorer.visit('/catalogue/explore/query+links')
  }
  afterEach(() => expect(complaints()).toEqual([]))

  /** Opens the page, and waits for the search, which loads at the first focus. */
  async function openLoaded(): Promise<void> {
    await open()
    await field().fill('a')
    await options().first().waitFor()
    await field().fill('')
    await field().blur()
  }

  const field = () => page().getByRole('combobox', { name: 'Search' })
  const options = () => page().getByRole('option')
  const chosen = () => page().locator('[role="option"][aria-selected="true"]')
  const status = () => page().locator('.search [role="status"]')
  const press = (...keys: string[]) =>
    keys.reduce((before, key) => before.then(() => page().keyboard.press(key)), Promise.resolve())
  const isFocused = () => field().evaluate(field => field === document.activeElement)
  const activeOption = async () => {
    const id = await field().getAttribute('aria-activedescendant')
    return id && (await page().locator(`#${id}`).innerText())
  }
  const whereIs = () => page().url().replace(site().url, '')

  return { page, site, open, openLoaded, field, options, chosen, status, press, isFocused, activeOption, whereIs }
}
