import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { build, stop } from 'esbuild'
import type { UserManager } from 'oidc-client-ts'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { fallbacks } from '../../local/local-settings.ts'
import { folderOf } from '../integrate/programs.ts'
import { shopQuery } from '../support/clients.ts'
import { linkIn, runSystem } from '../support/system/running.ts'
import { serve } from '../support/web-server.ts'
import { setUpBrowser } from './browser.ts'
import { listenToConsole } from './support.ts'

/** Logging in to applications with the running system: to a page with the guide's lines, to the sample, and to another. */

declare const manager: UserManager

/** A page with the guide's lines, which shows who is logged in. */
const program = `
  import { connect } from './page.js'
  const manager = connect({ issuer: ISSUER, clientId: 'page', redirect: location.origin + '/back' })
  globalThis.manager = manager
  const say = user => { document.querySelector('h1').textContent = user?.profile.email ?? 'nobody' }
  if (location.pathname === '/back') say(await manager.signinCallback())
  else say(await manager.getUser())`
let script = ''
const site = await serve((request, response) => {
  const isScript = request.url === '/page.js'
  response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
  response.end(
    isScript ? script : '<!doctype html><link rel=icon href=data:,><h1></h1><script type=module src=/page.js></script>',
  )
})
const folder = folderOf('page.js')

const listed = [
  ...JSON.parse(fallbacks.OIDC_CLIENTS),
  { id: 'page', name: 'Page', redirects: ['http://127.0.0.1/back'], unverified: true },
  {
    id: 'shop',
    name: 'Shop',
    redirects: ['https://shop.example.com/callback'],
    secrets: ['0'.repeat(64)],
    unverified: true,
  },
]
const running = runSystem({ RATE_LIMITS: 'off', CORS_ORIGINS: site.url, OIDC_CLIENTS: JSON.stringify(listed) })
const { page, openPage } = setUpBrowser()
let complaints: string[]

const password = 'correct horse'
const ada = 'ada@example.com'

beforeAll(async () => {
  await running.send('POST', '/auth/register', { email: ada, password })
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: folder },
    define: { ISSUER: JSON.stringify(`${running.system.baseUrl}/auth`) },
    bundle: true,
    write: false,
    format: 'esm',
  })
  script = outputFiles[0]?.text ?? ''
})
afterAll(async () => {
  await site.close()
  await stop()
  rmSync(folder, { recursive: true })
})
beforeEach(async () => {
  complaints = await listenToConsole(await openPage())
  await page().context().clearCookies()
})
afterEach(() => expect(complaints).toEqual([]))

const press = (name: string, on: Page = page()) => on.getByRole('button', { name, exact: true }).click()
const titled = (name: string, on: Page = page()) => on.getByRole('heading', { name, exact: true }).waitFor()

/** Logs in on the service's page. */
async function logIn(application: string, { stay = false, email = ada, on = page() } = {}): Promise<void> {
  await titled(`Log in to ${application}`, on)
  await on.getByLabel('Email address').fill(email)
  await on.getByLabel('Password', { exact: true }).fill(password)
  if (stay) await on.getByLabel('Keep me logged in in this browser').check()
  await press('Log in', on)
}

const cookies = async () => (await page().context().cookies()).filter(({ name }) => name === '__Host-gatehouse')

describe('a page with oidc-client-ts', () => {
  async function open(): Promise<void> {
    await page().goto(site.url)
    await titled('nobody')
  }

  /** The outcome of a silent login. */
  const renew = () =>
    page().evaluate(() =>
      manager.signinSilent({ silentRequestTimeoutInSeconds: 120 }).then(
        user => user?.profile.email,
        error => error.error ?? error.message,
      ),
    )

  test('logs in by going to the service and back, renews, and logs out', async () => {
    await open()
    await page().evaluate(() => void manager.signinRedirect())
    await logIn('Page')
    await titled(ada)
    expect(page().url()).toMatch(`${site.url}/back?code=`)
    expect(await cookies()).toEqual([])

    const asked = page().waitForRequest(`${running.system.baseUrl}/auth/token`)
    expect(await renew()).toBe(ada)
    expect((await asked).postDataJSON()).toMatchObject({ grant_type: 'refresh_token' })

    await page().evaluate(() => manager.revokeTokens(['refresh_token']))
    expect(await renew()).toBe('login_required')
    await page().evaluate(() => void manager.signoutRedirect())
    await press('Log out')
    await titled('You are logged out in this browser')
  })

  test('logs in by a window of its own', async () => {
    await open()
    const opened = page().waitForEvent('popup')
    const user = page().evaluate(async () => (await manager.signinPopup()).profile.email)
    await logIn('Page', { on: await opened })
    expect(await user).toBe(ada)
  })

  test('is told at once that a frame logs nobody in, logged in or not', async () => {
    await open()
    await page().evaluate(() => void manager.signinRedirect())
    await logIn('Page', { stay: true })
    await titled(ada)
    expect(await cookies()).toHaveLength(1)
    await page().evaluate(() => manager.removeUser())
    expect(await renew()).toBe('login_required')
  })
})

describe('the sample application', () => {
  const example = join(import.meta.dirname, '../../docs/examples/sign-in/serve.js')

  test('greets who has registered; the next needs no password, until a logout ends that', async () => {
    const env = { ...process.env, ISSUER: `${running.system.baseUrl}/auth`, PORT: '0' }
    const sample = spawn(process.execPath, [example], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void sample.kill())
    const [printed] = await once(sample.stdout, 'data')
    const [home = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(String(printed)) ?? []
    await page()
      .context()
      .route('https://shop.example.com/**', route =>
        route.fulfill({ contentType: 'text/html', body: '<title>Shop</title><link rel=icon href=data:,>' }),
      )
    const shop = `${running.system.baseUrl}/authorize?${shopQuery()}`

    await page().goto(home)
    await page().getByText('Log in').click()
    await page().getByRole('link', { name: 'Create an account' }).click()
    await page().getByLabel('Email address').fill('bob@example.com')
    await page().getByLabel('Password', { exact: true }).fill(password)
    await page().getByLabel('Name').fill('Bob')
    await press('Create an account')
    await titled('Check your inbox')
    // The sample takes verified addresses alone. The page continues once the link is used in the same browser.
    const other = await page().context().newPage()
    await other.goto(linkIn(await running.nextMail('bob@example.com')).href)
    await other.click('button:visible')
    await page().getByText('Hello, Bob!').waitFor()
    await other.close()
    expect(await cookies()).toEqual([])

    await page().goto(`${home}/logout`)
    await page().goto(`${home}/login`)
    await logIn('Sample app', { stay: true, email: 'bob@example.com' })
    await page().getByText('Hello, Bob!').waitFor()
    await page().goto(shop)
    await page().waitForURL(/^https:\/\/shop\.example\.com\/callback\?code=/)

    // Any program may listen on this machine, so the page asks.
    await page().goto(`${home}/logout`)
    await page().goto(`${home}/login`)
    await page().getByText('Continue as bob@example.com?').waitFor()
    await press('Continue')
    await page().getByText('Hello, Bob!').waitFor()

    await page().goto(`${running.system.baseUrl}/logout`)
    await press('Log out')
    await titled('You are logged out in this browser')
    expect(await cookies()).toEqual([])
    await page().goto(shop)
    await titled('Log in to Shop')
  })
})
