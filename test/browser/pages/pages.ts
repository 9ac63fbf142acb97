import type { BrowserContextOptions } from 'playwright-core'
import { afterEach, beforeEach } from 'vitest'
import { setUpBrowser } from '../browser.ts'
import { type Answer, listenToConsole, openSite, type Site } from '../support.ts'

/** The pages behind the links in mails, and what a person sees and does there. */
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

  /** Replaces the page by an empty one of these options. */
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

  /** The page of a link: how a person opens it, does what it asks, and learns that the link is too old. */
  function linkPage(path: LinkPath) {
    const visit = () => current().goto(`${site.url}${path}?token=secret-token`)
    const { passwordField, invalidTokenCode } = linkPages[path]
    const act = async () => {
      if (passwordField !== null) await current().fill(`#${passwordField}`, 'correct horse')
      await click()
    }
    const dead = problem(400, 'Invalid or expired token', { code: invalidTokenCode })
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

/** What a page of a link posts, and says. */
interface LinkPage {
  endpoint: string
  body: Record<string, string>
  passwordField: string | null
  /** A field that may stay empty, after that of the password. */
  optionalField?: string
  done: string
  invalidTokenCode: string
  /** What it says about a link that was used. */
  doneAlready: string
  /** Where to continue. */
  onwards: string
  renewal: Renewal | null
}

/** How it has a new link sent. */
interface Renewal {
  newLinkPath: string
  sent: string
  requestHeading: string
}

const onwards = 'Continue to Acme'

const linkPages = {
  '/verify-email': {
    endpoint: '/auth/verify-email',
    body: { token: 'secret-token' },
    passwordField: null,
    done: 'Your address is verified',
    invalidTokenCode: 'invalid-verification-token',
    doneAlready: 'If you have verified your address already, you can log in',
    onwards,
    renewal: {
      newLinkPath: '/auth/resend-verification',
      sent: 'If ada@example.com is the address of an account that is not verified yet, a mail with a link is on its way.',
      requestHeading: 'Get a verification link',
    },
  },
  '/reset-password': {
    endpoint: '/auth/reset-password',
    body: { token: 'secret-token', new_password: 'correct horse' },
    passwordField: 'new-password',
    done: 'Your password was changed',
    invalidTokenCode: 'invalid-reset-token',
    doneAlready: 'If you have chosen a new password already, you can log in',
    onwards,
    renewal: {
      newLinkPath: '/auth/forgot-password',
      sent: 'If ada@example.com is the address of an account, a mail with a link is on its way.',
      requestHeading: 'Reset your password',
    },
  },
  '/invitation': {
    endpoint: '/auth/accept-invitation',
    body: { token: 'secret-token', new_password: 'correct horse', name: '' },
    passwordField: 'new-password',
    optionalField: 'name',
    done: 'Your account is ready',
    invalidTokenCode: 'invalid-invitation',
    doneAlready: 'If you have chosen a password already, log in.',
    onwards,
    renewal: {
      newLinkPath: '/auth/forgot-password',
      sent: 'If ada@example.com is the address of an account, a mail with a link is on its way.',
      requestHeading: 'Get a new link',
    },
  },
  '/change-email': {
    endpoint: '/auth/confirm-email-change',
    body: { token: 'secret-token', password: 'correct horse' },
    passwordField: 'password',
    done: 'Your email address was changed',
    invalidTokenCode: 'invalid-email-change-token',
    doneAlready: 'If you have confirmed the new address already, you can log in with it.',
    onwards,
    renewal: null,
  },
  '/undo': {
    endpoint: '/auth/undo',
    body: { token: 'secret-token' },
    passwordField: null,
    done: 'The change was undone',
    invalidTokenCode: 'invalid-undo-token',
    doneAlready: 'If you have undone the change already, choose a new password with the link that was mailed to you',
    onwards: 'get another link',
    renewal: null,
  },
} as const satisfies Record<string, LinkPage>

type LinkPath = keyof typeof linkPages
/** The pages of links. */
export const linkPaths = Object.entries<LinkPage>(linkPages) as [LinkPath, LinkPage][]
/** Those on which anybody can ask for a new link. */
export const renewingPaths = linkPaths.flatMap(([path, { renewal, ...page }]) =>
  renewal ? [[path, { ...page, ...renewal }] as const] : [],
)
