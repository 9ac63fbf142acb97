import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { linkIn, runSystem } from '../../support/system/running.ts'
import { setUpBrowser } from '../browser.ts'
import { listenToConsole } from '../support.ts'
import { onAccountPage } from './account.ts'

/** How new people continue where verified addresses are required, with the running system. */

const running = runSystem({ RATE_LIMITS: 'off', REQUIRE_EMAIL_VERIFICATION: 'true' })
const { openPage } = setUpBrowser()
let current: Page
let complaints: string[]
const { seeHeading, see, send, logIn } = onAccountPage(() => current)

const password = 'correct horse'
let people = 0

beforeEach(async () => {
  current = await openPage()
  complaints = await listenToConsole(current)
})
afterEach(() => expect(complaints).toEqual([]))

/** Registers on the page. @returns the address */
async function register(): Promise<string> {
  const email = `newcomer-${++people}@example.com`
  await current.goto(`${running.system.baseUrl}/account#register`)
  await send('Create an account', { 'Email address': email, Password: password })
  await seeHeading('Check your inbox')
  return email
}

/** Uses the link in the newest mail, in a tab or in another browser. */
async function verify(email: string, page: Page): Promise<void> {
  await page.goto(linkIn(await running.nextMail(email)).href)
  await page.getByRole('button', { name: 'Verify email address' }).click()
  await page.getByText('Your address is verified').waitFor()
  await page.close()
}

async function inAnotherBrowser(): Promise<Page> {
  const context = await current.context().browser()?.newContext()
  if (!context) throw new Error('there is no browser')
  return context.newPage()
}

test('who has registered is logged in once another tab has verified the address', async () => {
  const email = await register()
  await see('this page goes on by itself')
  await verify(email, await current.context().newPage())
  await seeHeading('Profile')
  await current.getByText('Verified', { exact: true }).waitFor()
  await current.reload()
  await seeHeading('Profile')
})

test('who has verified the address in another browser goes on by "Continue", and not before', async () => {
  const email = await register()
  await send('Continue')
  await see('Verify your email address first')
  await verify(email, await inAnotherBrowser())
  await send('Continue')
  await seeHeading('Profile')
})

test('a login that waits for the verified address goes on by itself, too', async () => {
  const email = await register()
  await current.reload()
  await see('After that you can log in.')
  expect(await current.getByRole('button', { name: 'Continue' }).count()).toBe(0)
  await current.getByRole('link', { name: 'Log in', exact: true }).click()
  await running.nextMail(email)
  await logIn(email, password)
  await see('Verify your email address first')
  await verify(email, await current.context().newPage())
  await seeHeading('Profile')
})

test('who registers, logs in otherwise and logs out leaves nothing that logs in', async () => {
  await current.goto(`${running.system.baseUrl}/account`)
  await current.getByRole('link', { name: 'Create an account' }).click()
  const email = `newcomer-${++people}@example.com`
  await send('Create an account', { 'Email address': email, Password: password })
  await seeHeading('Check your inbox')
  await verify(email, await inAnotherBrowser())
  await current.goBack()
  await seeHeading('Create an account')
  await current.goBack()
  await logIn(email, password)
  await seeHeading('Profile')
  await current.getByRole('button', { name: 'Log out' }).click()
  await seeHeading('Log in')
  await current.goForward()
  await seeHeading('Create an account')
  await current.goForward()
  await seeHeading('Check your inbox')
  expect(await current.getByRole('button', { name: 'Continue' }).count()).toBe(0)
})

test('the message between tabs tells one fact, and to its own origin alone', async () => {
  const email = await register()
  const heard = current.evaluate(
    () =>
      new Promise(resolve => {
        new BroadcastChannel('address-verified').onmessage = ({ data, origin }) => resolve([data, origin])
      }),
  )
  await verify(email, await current.context().newPage())
  expect(await heard).toEqual([null, running.system.baseUrl])
  await seeHeading('Profile')
})
