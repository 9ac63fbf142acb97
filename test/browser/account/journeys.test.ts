import { text } from 'node:stream/consumers'
import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bytesOfBase32 } from '../../../accounts/factor/codes.ts'
import { codeOf, stepOf } from '../../../accounts/factor/totp.ts'
import { linkIn, runSystem } from '../../support/system/running.ts'
import { setUpBrowser } from '../browser.ts'
import { listenToConsole } from '../support.ts'
import { onAccountPage } from './account.ts'

/** People's journeys on `/account`, with the running system. */

const running = runSystem({ RATE_LIMITS: 'off' })
const { page: first, openPage } = setUpBrowser()
/** Another device is another context; a duplicated tab has the same. */
let current: Page
let context: BrowserContext
let complaints: string[]
const { form, field, focused, seeHeading, see, open, send, change, follow, logIn, errorAt } = onAccountPage(
  () => current,
)

const address = (fragment = '') => `${running.system.baseUrl}/account${fragment}`
const password = 'correct horse'
let people = 0

/** Somebody with an account. @returns the address */
async function someone(): Promise<string> {
  const email = `person-${++people}@example.com`
  await running.send('POST', '/auth/register', { email, password })
  return email
}

/** Opens the page at a fragment, and logs in. */
async function enter(email: string, fragment = '', options = {}): Promise<void> {
  await current.goto(address(fragment))
  await logIn(email, password, options)
  await current.getByRole('button', { name: 'Log out', exact: true }).waitFor()
}

async function openLink(email: string): Promise<void> {
  await current.goto(linkIn(await running.nextMail(email)).href)
}

beforeEach(async () => {
  current = await openPage()
  context = current.context()
  complaints = await listenToConsole(current)
})
afterEach(() => expect(complaints).toEqual([]))

test('a person registers, verifies the address, takes a name and another address, and leaves', async () => {
  const [email, moved] = ['ada@example.com', 'ada.lovelace@example.com']
  await current.goto(address())
  await seeHeading('Log in')
  await follow('Create an account', 'Create an account')
  await send('Create an account', { 'Email address': email, Password: password, 'Name (optional)': 'Ada' })
  await seeHeading('Profile')
  await see(`We have sent a link to ${email}.`)
  await see('Not verified yet')
  await current.waitForURL('**/account#profile')
  expect(await current.title()).toBe('Profile · Gatehouse')
  await running.nextMail(email)
  await send('Send the email again')
  await see('We have sent a new link')
  const tab = current
  current = await context.newPage()
  await openLink(email)
  await send('Verify email address')
  await see('Your address is verified')
  await current.close()
  current = tab
  await current.getByText('Verified', { exact: true }).waitFor()
  expect(await current.getByText('Open the link').count()).toBe(0)

  await open('Change name')
  expect(await form('Save name').getByLabel('Name').inputValue()).toBe('Ada')
  await send('Save name', { 'Name (optional)': 'Ada Lovelace' })
  await see('Your name has been saved.')
  await change('Change address', { 'New email address': moved })
  await see(`If ${moved} can be used, we have sent a link to it.`)
  expect(await current.getByText('no longer works').count()).toBe(0)
  await openLink(moved)
  await send('Confirm the new address', { 'Current password': password })
  await current.getByRole('link', { name: 'Log in' }).click()
  await logIn(moved, password)
  await see(moved)
  await see('Ada Lovelace')

  await follow('Security', 'Security')
  await change('Delete account', { 'Your email address': moved.toUpperCase(), 'Current password': password })
  await see('Your account has been deleted.')
  await logIn(moved, password)
  await see('The email address or the password is wrong.')
})

const logOut = () => current.getByRole('button', { name: 'Log out', exact: true }).click()

describe('a person who is logged in', () => {
  test('changes the password, which is asked for, and stays logged in', async () => {
    const email = await someone()
    await enter(email, '#security', { stay: true })
    await seeHeading('Security')
    await change('Change password', { 'Current password': 'wrong', 'New password': 'battery staple' })
    expect(await errorAt('Change password', 'Current password')).toContain('not the password')
    await send('Change password', { 'Current password': password })
    await see('Your password has been changed.')
    await current.reload()
    await seeHeading('Security')
    await follow('Profile', 'Profile')
  })

  test('is led to the form by a password manager, and logs in on the way', async () => {
    const email = await someone()
    await current.goto(`${running.system.baseUrl}/.well-known/change-password`)
    await logIn(email, password)
    await seeHeading('Security')
    await current.waitForURL('**/account#security')
    expect(await focused()).toBe(await field('Change password', 'Current password').getAttribute('id'))
  })

  test('goes back and forward between the sections, whose titles and focus follow', async () => {
    await enter(await someone(), '#profile', { stay: true })
    const focused = () => current.evaluate(() => document.activeElement?.textContent)
    await follow('Security', 'Security')
    await follow('Sessions', 'Sessions')
    await current.goBack()
    await seeHeading('Security')
    expect(await current.title()).toBe('Security · Gatehouse')
    await expect.poll(focused).toBe('Security')
    await current.goForward()
    await seeHeading('Sessions')
    await expect.poll(focused).toBe('Sessions')
    expect(await current.getByRole('link', { name: 'Sessions' }).getAttribute('aria-current')).toBe('page')
  })

  test('is logged out by a reload, and told so', async () => {
    const email = await someone()
    await enter(email, '#security', { stay: false })
    expect(await current.evaluate(() => [sessionStorage.length, localStorage.length, document.cookie])).toEqual([
      0,
      0,
      '',
    ])
    await current.reload()
    await see('Reloading the page logged you out.')
    await logIn(email, password, { stay: false })
    await seeHeading('Security')
    await follow('Profile', 'Profile')
    await logOut()
    await seeHeading('Log in')
    await current.goBack()
    await expect.poll(() => current.evaluate(() => history.state)).toBe(null)
    await current.reload()
    await seeHeading('Log in')
    expect(await current.getByText('Reloading the page logged you out.').count()).toBe(0)
  })

  test('stays logged in over a reload, ticked at first, until the tab logs out', async () => {
    await current.goto(address())
    expect(await current.getByLabel('Keep me logged in in this tab').isChecked()).toBe(true)
    await enter(await someone(), '#profile')
    await current.reload()
    await seeHeading('Profile')
    await current.getByRole('button', { name: 'Log out' }).click()
    await see('You are logged out.')
    expect(await current.evaluate(() => sessionStorage.length)).toBe(0)
    await current.reload()
    await seeHeading('Log in')
  })

  test('cannot go on in a duplicate of the tab, while the tab itself does', async () => {
    await enter(await someone(), '#sessions', { stay: true })
    const copied = await current.evaluate(() => ({ ...sessionStorage }))
    const twin = await context.newPage()
    await twin.addInitScript(entries => {
      for (const [key, value] of Object.entries(entries)) sessionStorage.setItem(key, value)
    }, copied)
    await twin.goto(address('#sessions'))
    await twin.getByText('Another tab uses this login').waitFor()
    expect(await twin.evaluate(() => sessionStorage.length)).toBe(0)
    await twin.close()
    await current.reload()
    await seeHeading('Sessions')
  })

  test('sees all sessions, and ends another device’s with the password', async () => {
    const email = await someone()
    const device = await first().context().browser()?.newContext()
    if (!device) throw new Error('there is no browser')
    const tab = current
    current = await device.newPage()
    await enter(email, '#profile', { stay: true })
    const other = current
    current = tab
    await enter(email, '#sessions', { stay: true })
    await seeHeading('Sessions')
    const items = current.getByRole('listitem')
    await expect.poll(() => items.count()).toBe(2)
    expect(await items.filter({ hasText: 'this tab' }).count()).toBe(1)
    expect(await items.filter({ hasText: 'this tab' }).getByRole('button').count()).toBe(0)
    await change('End', { 'Current password': 'wrong' })
    expect(await errorAt('End', 'Current password')).toContain('not the password')
    await send('End', { 'Current password': password })
    await expect.poll(() => items.count()).toBe(1)

    current = other
    await change('Save name', { 'Name (optional)': 'Ada' }, 'Change name')
    await see('You have been logged out, because your login has expired or was ended.')
    expect(await current.evaluate(() => sessionStorage.length)).toBe(0)
    await device.close()
    current = tab
  })

  test('logs out everywhere, this tab included', async () => {
    const email = await someone()
    await enter(email, '#security', { stay: true })
    await send('Log out everywhere')
    await see('You are logged out everywhere.')
    await logIn(email, password)
    await seeHeading('Profile')
  })
})

/** The prominent buttons of a view. */
const primaryActions = () => current.locator('main button:not(.plain, .danger, .reveal):visible').allInnerTexts()

describe('a second factor', () => {
  /** The code that an app shows, `later` steps from now: each step's code works once. */
  const codeFor = (secret: string, later = 0) => codeOf(bytesOfBase32(secret), stepOf(new Date()) + later)

  /** A verified, logged-in owner, at the security section. @returns the address */
  async function someoneAtSecurity(): Promise<string> {
    const email = await someone()
    await openLink(email)
    await send('Verify email address')
    await see('Your address is verified')
    await enter(email, '#security')
    return email
  }

  test('is set up, asked for, replaced by a recovery code, and removed', async () => {
    const email = await someoneAtSecurity()
    await change('Turn on', { 'Current password': 'wrong' })
    expect(await errorAt('Turn on', 'Current password')).toContain('not the password')
    await send('Turn on', { 'Current password': password })
    await current.getByRole('img', { name: 'QR code of the key' }).waitFor()
    const secret = (await current.locator('.secret').innerText()).replaceAll(' ', '')
    const opens = await current.getByRole('link', { name: 'Open an app on this device' }).getAttribute('href')
    expect(opens).toMatch(new RegExp(`^otpauth://totp/\\S+[?&]secret=${secret}(?:&|$)`))
    await current.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await current.getByRole('button', { name: 'Copy the key' }).click()
    await see('Copied.')
    expect(await current.evaluate(() => navigator.clipboard.readText())).toBe(secret)
    expect(await primaryActions()).toEqual(['Confirm'])
    await send('Confirm', { Code: '12345' })
    expect(await errorAt('Confirm', 'Code')).toContain('This code is wrong.')
    await send('Confirm', { Code: codeFor(secret) })
    await see('Save your recovery codes')
    const [recovery = '', another = ''] = await current.locator('.codes li').allInnerTexts()
    expect(await primaryActions()).toEqual(['I have saved them'])
    await current.getByRole('button', { name: 'Copy the codes' }).click()
    await see('Copied.')
    expect((await current.evaluate(() => navigator.clipboard.readText())).split('\n')).toHaveLength(10)
    const [file] = await Promise.all([current.waitForEvent('download'), open('Download the codes')])
    expect(file.suggestedFilename()).toBe('Gatehouse recovery codes.txt')
    expect(await text(await file.createReadStream())).toContain(`${recovery}\n${another}\n`)
    await current.getByRole('button', { name: 'I have saved them' }).click()
    await see('Recovery codes left: 10.')
    await expect.poll(focused).toBe('Two-step verification')
    expect(await primaryActions()).toEqual([])

    await logOut()
    expect(await form('Log in').getByLabel('Code').count()).toBe(0)
    await logIn(email, password)
    await form('Log in').getByLabel('Code').waitFor()
    await send('Log in', { Code: codeFor(secret, 1) })
    await seeHeading('Profile')
    await logOut()
    await logIn(email, password)
    await send('Log in', { Code: recovery })
    await seeHeading('Profile')
    await follow('Security', 'Security')
    await see('Recovery codes left: 9.')
    await change('Turn off', { 'Current password': password })
    await send('Turn off', { Code: another })
    await see('Logging in then also takes a code')
    await expect.poll(focused).toBe('Two-step verification')
    await logOut()
    await logIn(email, password)
    await seeHeading('Profile')
  })

  test('that a thief has set up is undone by the link in the mail', async () => {
    const email = await someoneAtSecurity()
    await change('Turn on', { 'Current password': password })
    const secret = (await current.locator('.secret').innerText()).replaceAll(' ', '')
    await send('Confirm', { Code: codeFor(secret) })
    await see('Save your recovery codes')
    await openLink(email)
    await send('Undo the change')
    await see('The change was undone')
    await openLink(email)
    await send('Set new password', { 'New password': 'battery staple' })
    await current.getByRole('link', { name: 'Log in' }).click()
    await logIn(email, 'battery staple')
    await seeHeading('Profile')
  })
})

test('who is logged out in a form logs in again, and finds it unchanged', async () => {
  const email = await someone()
  await enter(email, '#profile')
  const { body } = await running.send('POST', '/auth/login', { email, password })
  await running.send('POST', '/auth/logout-everywhere', undefined, { authorization: `Bearer ${body.access_token}` })
  await change('Save name', { 'Name (optional)': 'A long name, typed with care' }, 'Change name')
  await see('Log in to go on where you were.')
  expect(await current.getByLabel('Email address').inputValue()).toBe(email)
  await current.getByLabel('Password').fill(password)
  await current.keyboard.press('Enter')
  await seeHeading('Profile')
  await expect.poll(() => current.evaluate(() => document.activeElement?.textContent)).toBe('Save name')
  await current.keyboard.press('Enter')
  await see('Your name has been saved.')
  await see('A long name, typed with care')
})

test('what one person typed is gone when another one logs in', async () => {
  await enter(await someone(), '#profile')
  await open('Change address')
  await form('Change address').getByLabel('New email address').fill('secret@example.com')
  await current.getByRole('button', { name: 'Log out' }).click()
  await logIn(await someone(), password)
  await seeHeading('Profile')
  await open('Change address')
  expect(await form('Change address').getByLabel('New email address').inputValue()).toBe('')
})
