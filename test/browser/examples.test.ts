import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bytesOfBase32 } from '../../accounts/factor/codes.ts'
import { codeOf, stepOf } from '../../accounts/factor/totp.ts'
import { invite } from '../support/system/operator.ts'
import { linkIn, runSystem, verifyAddress } from '../support/system/running.ts'
import { chromiumOptions, patience } from './chromium.ts'
import { findBarriers, listenToConsole } from './support.ts'

/** The examples in `docs/examples/`, unchanged, with the running system. */

const examples = join(import.meta.dirname, '../../docs/examples')

const site = spawn(process.execPath, [join(examples, 'browser-app/serve.js')], { env: { PORT: '0' } })
const [line] = await once(site.stdout, 'data')
const siteUrl = String(line).trim()
afterAll(() => site.kill())

const running = runSystem({ SITE_URL: siteUrl, CORS_ORIGINS: siteUrl, RATE_LIMITS: 'resend-verification=1/day' })
let browser: Browser
let page: Page
let complaints: string[]

beforeAll(async () => {
  // The example has the default address of `npm start`.
  const { host } = new URL(running.system.baseUrl)
  const args = [...(chromiumOptions.args ?? []), `--host-resolver-rules=MAP localhost:3000 ${host}`]
  browser = await chromium.launch({ ...chromiumOptions, args })
})
afterAll(() => browser.close())
beforeEach(async () => {
  page = await browser.newPage()
  page.setDefaultTimeout(patience)
  complaints = await listenToConsole(page)
})
afterEach(async () => {
  await page.close()
  expect(complaints).toEqual([])
})

const password = 'correct horse'

/** Someone who has registered at the API. @returns the address */
async function someone(name: string): Promise<string> {
  const email = `${name}@example.com`
  await running.send('POST', '/auth/register', { email, password })
  return email
}

/** Gives an account a second factor. @returns its recovery codes */
async function protect(email: string): Promise<string[]> {
  await verifyAddress(running, email)
  const { access_token } = (await running.send('POST', '/auth/login', { email, password })).body
  const post = async (path: string, body: object) =>
    (await running.send('POST', `/auth/second-factor/${path}`, body, { authorization: `Bearer ${access_token}` })).body
  const { secret } = await post('setup', { password })
  return (await post('confirm', { code: codeOf(bytesOfBase32(secret), stepOf(new Date())) })).recovery_codes
}

describe('the browser app', () => {
  const news = (text: string) => page.locator('#news', { hasText: text }).waitFor()
  const goTo = async (link: string, heading: string) => {
    await page.click(`text=${link}`)
    await page.getByRole('heading', { name: heading }).waitFor()
  }
  const fill = (name: string, text: string) => page.fill(`input[name=${name}]:visible`, text)
  const send = async (fields: Record<string, string> = {}) => {
    for (const [name, text] of Object.entries(fields)) await fill(name, text)
    await page.click('button[type=submit]:visible')
  }
  /** The message at a field, once there is one. */
  const errorAt = async (name: string) => {
    const id = await page.locator(`input[name=${name}][aria-invalid]:visible`).getAttribute('aria-describedby')
    return page.locator(`#${id}`).innerText()
  }
  const alert = (text: string) => page.locator('[role=alert]:visible', { hasText: text }).waitFor()
  async function logIn(email: string, typed = password) {
    await page.goto(siteUrl)
    await send({ email, password: typed })
  }

  test('registers, and says each mistake at its field', async () => {
    const email = 'ada@example.com'
    await page.goto(siteUrl)
    await goTo('Open an account', 'Open an account')
    expect(await findBarriers(page)).toEqual([])
    await send()
    expect(await errorAt('email')).toMatch(/must be an e-mail address/)
    await send({ email, password: 'short' })
    await page.locator('input[name=email]:visible:not([aria-invalid])').waitFor()
    expect(await errorAt('password')).toBe('Take at least 8 characters.')
    await send({ password })
    await news(`on its way to ${email}`)
    await goTo('Open an account', 'Open an account')
    await send({ email, password })
    expect(await errorAt('email')).toMatch(/has an account/)
  })

  test('verifies an address by the mail’s link, which works once and leaves the address bar', async () => {
    const email = await someone('bob')
    const link = linkIn(await running.nextMail(email)).href
    expect(link).toMatch(siteUrl)
    await page.goto(link)
    await page.getByText('Yes, this is my address').waitFor()
    expect(page.url()).toBe(`${siteUrl}/verify-email`)
    await send()
    await news('Email verified successfully.')
    await logIn(email)
    await page.locator('dd[data-member=is_verified]', { hasText: 'yes' }).waitFor()

    await page.goto(link)
    await send()
    await news('This link was used')
    await send({ email })
    await news('If an unverified account')
    await goTo('No mail came?', 'Verify your address')
    await send({ email })
    await alert('Try again in')
  })

  test('shows the account, changes the password, and logs out when the token has ended', async () => {
    const email = await someone('carol')
    await logIn(email, 'wrong horse')
    await alert('The address or the password is wrong.')
    await logIn(email)
    await page.locator('dd[data-member=email]', { hasText: email }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await send({ current_password: 'wrong horse', new_password: 'battery staple' })
    expect(await errorAt('current_password')).toBe('This is not your password.')
    await send({ current_password: password, new_password: 'short' })
    expect(await errorAt('new_password')).toBe('Take at least 8 characters.')
    await send({ new_password: 'battery staple' })
    await news('Your password was changed.')

    const { body } = await running.send('POST', '/auth/login', { email, password: 'battery staple' })
    const authorization = `Bearer ${body.access_token}`
    await running.send('POST', '/auth/logout-everywhere', undefined, { authorization })
    await send({ current_password: 'battery staple', new_password: password })
    await news('You were logged out.')
  })

  test('changes the address by the mail’s link, and takes it back by the notice’s', async () => {
    const email = await someone('frida')
    await verifyAddress(running, email)
    await logIn(email)
    await page.locator('dd[data-member=email]', { hasText: email }).waitFor()
    await fill('new_email', 'frida')
    await page.click('#email button')
    expect(await errorAt('new_email')).toMatch(/must be an e-mail address/)
    await fill('new_email', 'frida@example.org')
    await page.click('#email button')
    await news('If the address can be used')

    await page.goto(linkIn(await running.nextMail('frida@example.org')).href)
    await send({ password: 'wrong horse' })
    expect(await errorAt('password')).toBe('This is not your password.')
    await send({ password })
    await news('Your email address has been changed.')
    await logIn('frida@example.org')
    await page.locator('dd[data-member=email]', { hasText: 'frida@example.org' }).waitFor()

    const undo = linkIn(await running.nextMail(email)).href
    await page.goto(undo)
    await send()
    await news('The change has been undone.')
    await page.goto(undo)
    await send()
    await news('Have a link mailed to choose a new password.')
    expect((await running.send('POST', '/auth/login', { email, password })).status).toBe(401)
  })

  test('resets a password by the link in the mail', async () => {
    const email = await someone('dora')
    await running.nextMail(email)
    await page.goto(siteUrl)
    await goTo('Forgot the password?', 'Reset your password')
    await send({ email })
    await news('a password reset link has been sent')
    await page.goto(linkIn(await running.nextMail(email)).href)
    await send({ new_password: 'battery staple' })
    await news('Password has been reset successfully.')
    await logIn(email, 'battery staple')
    await page.locator('dd[data-member=email]', { hasText: email }).waitFor()
  })

  test('asks for a code where there is a second factor, and keeps what was typed', async () => {
    const email = await someone('erik')
    const [code = ''] = await protect(email)
    await logIn(email)
    expect(await errorAt('code')).toMatch(/^Type the code/)
    await send({ code: 'none' })
    expect(await errorAt('code')).toBe('This code is wrong.')
    await send({ code })
    await page.locator('dd[data-member=email]', { hasText: email }).waitFor()
  })

  test('accepts an invitation by the link in the mail, once', async () => {
    const email = await someone('grace')
    const link = `${siteUrl}/invitation?token=${await invite(running.system, email)}`
    await page.goto(link)
    await page.getByRole('heading', { name: 'Accept your invitation' }).waitFor()
    expect(page.url()).toBe(`${siteUrl}/invitation`)
    await send({ new_password: 'battery staple', name: 'Grace' })
    await news('Your account is ready.')
    await logIn(email, 'battery staple')
    await page.locator('dd[data-member=name]', { hasText: 'Grace' }).waitFor()
    await page.goto(link)
    await send({ new_password: password })
    await news('This link was used')
  })

  test('says that no answer came', async () => {
    await page.goto(siteUrl)
    await page.context().setOffline(true)
    await send()
    await alert('No answer came.')
  })
})
