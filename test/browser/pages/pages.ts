import type { BrowserContextOptions } from 'playwright-core'
import { afterEach, beforeEach } from 'vitest'
import { pathOf } from '../../../api/route-keys.ts'
import { pagesOfLinks } from '../../support/link-pages.ts'
import { setUpBrowser } from '../browser.ts'
import { type Answer, listenToConsole, openSite, type Site } from '../support.ts'

/** The pages behind mailed links, with a person's view and acts. */
export function setUpPages() {
  const { page: current, openPage } = setUpBrowser()
  let site: Site
  let complaints: string[]

  beforeEach(async () => {
    site = await openSite()
    await replacePage({})
  })
  afterEach(async () => {
    await current().close()
    await site.close()
  })

  /** Replaces the page by an empty one with these options. */
  async function replacePage(options: BrowserContextOptions): Promise<void> {
    complaints = await listenToConsole(await openPage(options))
  }

  const waitForState = (state: 'ask' | 'done' | 'expired' | 'request' | 'sent' | 'other') =>
    current().waitForSelector(`section[data-state~="${state}"]:not([hidden])`)
  const shown = () => current().innerText('main')
  const heading = () => current().innerText('h1:visible')
  /** The text beneath the button of the visible form. */
  const alert = () => current().locator('[role="alert"]:visible')
  const waitForAlert = () => alert().filter({ hasText: /./ }).waitFor()
  const click = () => current().click('button:visible:not([type="button"])')
  const focused = (): Promise<string> =>
    current().evaluate(() => document.activeElement?.id || document.activeElement?.tagName || '')

  /** A link's page: opening it, acting, and its expiry. */
  function linkPage(path: string) {
    const visit = () => current().goto(`${site.url}${path}?token=secret-token`)
    const { passwordField = null, deadCode } = pagesOfLinks.find(({ name }) => path === `/${name}`) ?? {}
    const act = async () => {
      if (passwordField !== null) await current().fill(`#${passwordField}`, 'correct horse')
      await click()
    }
    const dead = problem(400, 'Invalid or expired token', { code: deadCode })
    const expire = async () => {
      site.answer = dead
      await visit()
      await act()
      await waitForState('expired')
    }
    return { visit, act, dead, expire }
  }

  const parts = { waitForState, shown, heading, alert, waitForAlert, click, focused, linkPage }
  return { site: () => site, page: current, complaints: () => complaints, replacePage, ...parts }
}

export const ok = { body: { message: 'It is done.', success: true } }
export const problem = (status: number, detail: string, members = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/problem+json' },
  body: { type: 'about:blank', status, detail, ...members },
})
export const notAnAddress = problem(422, "'email' must be an e-mail address, such as ada@example.com", {
  code: 'invalid-body',
  errors: [{ pointer: '/email', detail: 'must be an e-mail address, such as ada@example.com' }],
})

/** The pages of links. */
export const linkPaths = pagesOfLinks.map(page => [`/${page.name}`, page] as const)
/** The pages on which anybody can request a new link. */
export const renewingPaths = pagesOfLinks.flatMap(({ name, renewal }) =>
  renewal ? [[`/${name}`, { ...renewal, newLinkPath: pathOf(renewal.endpoint) }] as const] : [],
)
