import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type APIRequestContext, type Locator, type Page, request } from 'playwright-core'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { blocks, program } from '../integrate/programs.ts'
import { queryOf } from '../support/clients.ts'
import { applications } from '../support/stack/settings.ts'
import { runSystem, verifyAddress } from '../support/system/running.ts'
import { setUpBrowser } from './browser.ts'
import { type Firefox, firefoxIsThere, launchFirefox } from './firefox.ts'

/** The browser code of docs/integrate.md, unchanged, with Chromium's virtual authenticator. */

const { page, openPage } = setUpBrowser()
const running = runSystem({ PASSKEY_RP_ID: 'localhost', MAIL_FROM: 'no-reply@localhost', OIDC_CLIENTS: applications })
const ada = { email: 'ada@example.com', password: 'correct horse' }

const lines = blocks.find(({ text }) => text.startsWith('// passkey-login.js\n'))?.text

/** Runs code in the page, at its own origin. */
const run = (code: string): Promise<unknown> => page().evaluate(`(async () => { const api = ''\n${code} })()`)

const guide = readFileSync(join(import.meta.dirname, '../../docs/integrate.md'), 'utf8')

/** What a test of Playwright's runner is given. */
interface Fixtures {
  page: GuidePage
  request: APIRequestContext
}
type Body = (fixtures: Fixtures) => Promise<unknown>

/** Playwright's runner, as far as the guide uses it: it is no dependency of ours. */
const runner = () => {
  const tests = new Map<string, Body>()
  const after: Body[] = []
  const test = Object.assign((name: string, body: Body) => tests.set(name, body), {
    afterEach: (body: Body) => after.push(body),
  })
  const expect = (locator: Pick<Locator, 'waitFor'>) => ({ toBeVisible: () => locator.waitFor() })
  return { tests, after, exports: { test, expect } }
}

beforeEach(async () => {
  await openPage()
})

test('a page adds a passkey as the reference says, and logs in by three lines', async () => {
  const { baseUrl } = running.system
  await running.send('POST', '/auth/register', ada)
  await verifyAddress(running, ada.email)
  const { access_token: access } = (await running.send('POST', '/auth/login', ada)).body

  await page().goto(`${baseUrl}/verify-email`)
  const devtools = await page().context().newCDPSession(page())
  await devtools.send('WebAuthn.enable')
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options: { ...options, isUserVerified: true } })

  const added = await run(`
    const headers = { 'content-type': 'application/json', authorization: 'Bearer ${access}' }
    const post = async (path, body) => (await fetch('/auth/passkeys/' + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
    const options = await post('setup', { password: '${ada.password}' })
    const credential = await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    return post('confirm', { credential: credential.toJSON(), label: 'Phone' })`)
  expect(added).toMatchObject({ label: 'Phone', last_used_at: null })

  const { access_token: byPasskey } = (await run(`${lines}; return token`)) as { access_token: string }
  const [, claims = ''] = byPasskey.split('.')
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ amr: ['pop', 'user', 'mfa'] })
})

test('a first visit logs in the console the errors that the guide names, alone', async () => {
  const { baseUrl } = running.system
  const query = queryOf('/authorize')
  const paths = [
    '/',
    '/account',
    `/authorize?${query}`,
    '/verify-email',
    '/reset-password',
    '/reference',
    '/catalogue/explore',
  ]
  const logged: string[] = []
  for (const path of paths) {
    await openPage()
    page().on('console', message => {
      const [, status] = /status of (\d+)/.exec(message.text()) ?? []
      if (message.type() === 'error') logged.push(`${status} of POST ${new URL(message.location().url).pathname}`)
    })
    await page().goto(`${baseUrl}${path}`, { waitUntil: 'networkidle' })
  }
  expect(logged).toEqual(['401 of POST /auth/authorize-session'])
  const [named] = logged
  expect(guide).toContain(`\`${named?.replace(' of ', '` of `')}\``)
})

/** What the guide's file uses of a page. */
interface GuidePage extends Pick<Page, 'goto'> {
  clock: Pick<Page['clock'], 'setSystemTime'>
  getByRole(role: 'button', options: { name: string }): Pick<Locator, 'click' | 'waitFor'>
}

/** Playwright drives only its own build of Firefox: what the file uses, by what every Firefox understands. */
function pageIn(firefox: Firefox): GuidePage {
  const button = (name: string) =>
    `[...document.querySelectorAll('button')].find(it => it.textContent === ${JSON.stringify(name)} && it.checkVisibility())`
  const waitFor = (name: string) =>
    expect.poll(() => firefox.evaluate<boolean>(`${button(name)} !== undefined`)).toBe(true)
  return {
    goto: async url => void (await firefox.goTo(url)) as never,
    clock: {
      setSystemTime: time =>
        firefox.preload(`() => {
          const Machine = Date
          const now = () => Machine.now() + ${new Date(time).getTime() - Date.now()}
          Date = class extends Machine {
            static now = now
            constructor(...given) { super(...(given.length > 0 ? given : [now()])) }
          }
        }`),
    },
    getByRole: (_, { name }) => ({
      async click() {
        await waitFor(name)
        await firefox.evaluate(`${button(name)}.click()`)
      },
      waitFor: async () => void (await waitFor(name)),
    }),
  }
}

/** The page in each browser that is there. */
const browsers: [name: string, open: () => Promise<GuidePage>][] = [['Chromium', async () => page()]]
if (firefoxIsThere()) {
  browsers.push([
    'Firefox',
    async () => {
      const firefox = await launchFirefox()
      onTestFinished(() => firefox[Symbol.asyncDispose]())
      return pageIn(firefox)
    },
  ])
}

test.each(browsers)(
  'the guide’s file for Playwright finds in %s an expired link, and puts all back',
  async (name, open) => {
    const folder = mkdtempSync(join(tmpdir(), 'playwright-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const { tests, after, exports } = runner()
    Object.assign(globalThis, { playwrightRunner: exports })
    const module = join(folder, 'node_modules/@playwright/test')
    mkdirSync(module, { recursive: true })
    writeFileSync(join(module, 'package.json'), '{"type":"module","exports":"./index.js"}')
    writeFileSync(join(module, 'index.js'), 'export const { expect, test } = globalThis.playwrightRunner')
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    for (const name of ['link-to.js', 'expired-link.spec.js']) writeFileSync(join(folder, name), program(name))
    const { baseUrl, inboxUrl, inbox } = running.system
    Object.assign(process.env, { API_URL: baseUrl, INBOX_URL: inboxUrl })
    await import(/* @vite-ignore */ `${pathToFileURL(join(folder, 'expired-link.spec.js'))}?${name}`)

    const fixtures = { page: await open(), request: await request.newContext() }
    onTestFinished(() => fixtures.request.dispose())
    const ahead = async (): Promise<number> => (await (await fixtures.request.get(`${inboxUrl}/clock`)).json()).ahead
    const before = inbox.list().length
    expect([...tests.keys()]).toEqual(['a link that has expired offers a new one'])
    for (const body of tests.values()) await body(fixtures)
    expect([await ahead(), inbox.list().length]).toEqual([25 * 3600, before + 1])
    for (const body of after) await body(fixtures)
    expect([await ahead(), inbox.list()]).toEqual([0, []])
  },
)
