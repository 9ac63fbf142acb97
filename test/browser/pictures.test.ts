import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { writeLink, writeNotice } from '../../accounts/mail/templates.ts'
import { inboxPage } from '../../local/inbox/inbox-page.ts'
import { shopQuery } from '../support/clients.ts'
import { english } from '../support/letter-words.ts'
import { providers } from '../support/providers.ts'
import { serve } from '../support/web-server.ts'
import { setUpBrowser } from './browser.ts'
import { openExplorer } from './explorer/explorer.ts'
import { acme, openSite, reply, type Site } from './support.ts'

/**
 * The screenshots in the documents. `PICTURES=on npm run test:browser -- pictures` takes them again, and `pngquant
 * --ext .png --force 64 docs/images/*.png` shrinks them to a quarter. Other runs only check that they can still be
 * taken, and that each exists and is small.
 */

const root = join(import.meta.dirname, '../..')
const isTaking = process.env.PICTURES === 'on'

const { openPage } = setUpBrowser()

const ada = { email: 'ada@example.com', name: 'Ada', isVerified: true }
const linkTo = (page: string) => `https://auth.acme.example/${page}?token=Zk3vYk1b0mS8m1qQm7C4XwKf2u0s9d8J6h5G4f3D2s1`
const mails = [
  writeLink(english, 'verification', { ...ada, isVerified: false }, linkTo('verify-email'), acme),
  writeNotice(english, 'password-changed', ada, new Date('2026-03-01T12:17:00Z'), acme),
  writeLink(english, 'reset', ada, linkTo('reset-password'), acme),
]
const [verification] = mails

/** By file name: the size, and the steps to the picture. */
const pictures: Record<string, readonly [width: number, height: number, arrange: (page: Page) => Promise<unknown>]> = {
  mail: [600, 640, page => page.setContent(verification?.html ?? '')],
  verify: [520, 420, page => visit(page, 'verify-email')],
  reset: [
    520,
    520,
    async page => {
      await visit(page, 'reset-password')
      await page.fill('#new-password', 'correct horse battery')
    },
  ],
  inbox: [
    960,
    580,
    async page => {
      const emails = mails.map(({ subject, text, html }, i) => ({
        messageId: `mail-${i}`,
        from: 'Acme <no-reply@acme.example>',
        destination: { to: [ada.email] },
        subject,
        body: { text, html },
        at: Date.parse(`2026-03-01T12:${10 + 7 * i}:00Z`) / 1000,
      }))
      await using server = await serve((request, response) => {
        if (request.url !== '/store') return reply(response, { statusCode: 200, ...inboxPage })
        reply(response, { statusCode: 200, body: JSON.stringify({ emails }) })
      })
      await page.goto(server.url)
      await page.click('li a')
      await page.frameLocator('#html').getByText('Choose a new password').waitFor()
    },
  ],
  'log-in': [480, 918, visitLogIn],
  account: [960, 1110, page => useAccount(page, '#security', 'Add a passkey')],
  'account-sessions': [720, 480, page => useAccount(page, '#sessions', 'Phone')],
  'explore-check': [1100, 720, page => explore(page, `#q=${encodeURIComponent(mistaken)}`, '.corrected mark')],
  explore: [1100, 720, page => explore(page, '', '.workbench textarea')],
  'explore-module': [1100, 720, page => explore(page, '/query+categorymembers', '.site-search input')],
}

const session = { created_at: '2026-03-01T12:00:00Z', last_used_at: '2026-03-02T09:30:00Z', expires_at: '' }
const answers: Record<string, object> = {
  '/auth/login': { access_token: 'x', token_type: 'bearer', expires_in: 3600, refresh_token: 'ghr2.YQ.a.1.s.m' },
  '/auth/me': { id: '1', email: ada.email, name: 'Ada Lovelace', is_verified: true },
  '/auth/passkeys': {
    rp_id: 'localhost',
    user_handle: null,
    passkeys: [
      {
        id: '1',
        label: 'Phone',
        created_at: session.created_at,
        last_used_at: '2026-03-02T00:00:00Z',
        is_synced: true,
      },
    ],
  },
  '/auth/sign-in-methods': {
    has_password: true,
    password_changed_at: '2026-02-24T08:00:00Z',
    changes: [],
    providers: [{ id: '1', provider: 'google', email: 'ada@gmail.com', connected_at: session.created_at }],
  },
  '/auth/second-factor': { methods: [], recovery_codes_left: 0 },
  '/auth/sessions': {
    sessions: [
      { ...session, id: '1', label: 'Firefox, Linux', is_current: true },
      { ...session, id: '2', label: 'Phone', is_current: false },
    ],
  },
}

/** @returns the address of the pages */
function usePasskeysAndProviders(site: Site): string {
  // Passkeys work at names alone.
  const url = site.url.replace('127.0.0.1', 'localhost')
  Object.assign(site.config, { passkeyRpId: 'localhost', hasProviders: true, browserUrl: url })
  Object.assign(site, { providers: providers.slice(0, 2) })
  return url
}

async function visitAccount(page: Page, fragment: string): Promise<void> {
  await using site = await openSite()
  const url = usePasskeysAndProviders(site)
  await page.clock.setFixedTime('2026-03-02T12:30:00Z')
  await page.route('**/auth/**', route => route.fulfill({ json: answers[new URL(route.request().url()).pathname] }))
  await page.goto(`${url}/account${fragment}`)
  await page.getByLabel('Email address').fill(ada.email)
  await page.getByLabel('Password').fill('correct horse')
}

async function visitLogIn(page: Page): Promise<void> {
  await using site = await openSite()
  const url = usePasskeysAndProviders(site)
  site.config.hasClients = true
  await page.route('**/auth/**', route => route.fulfill({ status: 401, json: { code: 'login-required' } }))
  await page.goto(`${url}/authorize?${shopQuery()}`)
  await page.getByLabel('Email address').fill(ada.email)
  await page.getByLabel('Password').fill('correct horse')
  await page.getByRole('button', { name: 'Log in', exact: true, disabled: false }).waitFor()
}

async function useAccount(page: Page, fragment: string, sight: string): Promise<void> {
  await visitAccount(page, fragment)
  await page.keyboard.press('Enter')
  await page.getByText(sight).waitFor()
}

/** A query with three mistakes of different kinds. */
const mistaken =
  'https://en.wikipedia.org/w/api.php?action=query&generator=links&titles=Ada Lovelace&plnamespace=0&gpllimit=6000&prop=info|categoris'

async function explore(page: Page, place: string, sight: string): Promise<void> {
  await using site = await openExplorer()
  await page.goto(`${site.url}/catalogue/explore${place}`)
  await page.waitForSelector(sight)
}

async function visit(page: Page, path: string): Promise<void> {
  await using site = await openSite()
  await page.goto(`${site.url}/${path}?token=secret-token`)
  await page.waitForSelector('h1:visible')
}

test.each(Object.entries(pictures))(
  'there is a small picture of the page %s',
  async (name, [width, height, arrange]) => {
    const page = await openPage({ viewport: { width, height }, deviceScaleFactor: 2, timezoneId: 'UTC' })
    await arrange(page)
    const path = join(root, 'docs/images', `${name}.png`)
    const picture = await page.screenshot({ animations: 'disabled', caret: 'hide', ...(isTaking && { path }) })
    expect(picture.length).toBeGreaterThan(5_000)
    expect(existsSync(path)).toBe(true)
    // A README that loads slowly is not read. A new picture is not shrunk yet.
    if (!isTaking) expect(statSync(path).size).toBeLessThan(100_000)
  },
)

test('the documents show each of them, the README one', () => {
  const shownIn = (file: string) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\bimages\/([\w-]+)\.png/g)].map(([, name]) => name)
  const inReadme = shownIn('README.md')
  expect(inReadme).toHaveLength(1)
  const guides = ['deploy', 'catalogue', 'integrate', 'local'].flatMap(guide => shownIn(`docs/${guide}.md`))
  const shown = [...guides, ...inReadme]
  expect(new Set(shown)).toEqual(new Set(Object.keys(pictures)))
})
