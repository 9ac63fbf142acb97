import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bytesOfBase32 } from '../../../accounts/factor/codes.ts'
import { codeOf, stepOf } from '../../../accounts/factor/totp.ts'
import { linkIn, nextLink, runSystem } from '../../support/system/running.ts'
import { type Firefox, firefoxIsThere, launchFirefox } from '../firefox.ts'
import { plainTexts, speaking } from '../languages.ts'

/** The account page in Firefox, with its own policies, locks and storage. */

const enter = '\uE006'
const password = 'correct horse'

if (!firefoxIsThere()) console.log('Skipped in Firefox: there is none. Set FIREFOX_PATH to where it is.')

describe.skipIf(!firefoxIsThere())('in Firefox', () => {
  const running = runSystem({ RATE_LIMITS: 'off', LANGUAGES: 'en,en-XA,ar-XB' }, { providerPort: 0 })
  let firefox: Firefox
  beforeAll(async () => {
    firefox = await launchFirefox()
  })
  afterAll(async () => firefox?.[Symbol.asyncDispose]())

  const seen = () => firefox.evaluate<string>('document.body.innerText')
  /** Waits for a text. Text in accented English may be shown meanwhile. */
  async function see(text: string): Promise<void> {
    await expect.poll(seen).toContain(text)
    await firefox.evaluate(speaking('en-XA'))
    expect(await firefox.evaluate(plainTexts(['Gatehouse', 'Example']))).toEqual([])
    await firefox.evaluate(speaking('en'))
    expect(await seen()).toContain(text)
  }
  /** Clicks the visible element with this text. */
  const click = (text: string) =>
    firefox.evaluate(
      `[...document.querySelectorAll('a, button, label')].find(it => it.textContent.trim() === ${JSON.stringify(text)} && it.checkVisibility()).click()`,
    )
  const focus = (label: string) =>
    firefox.evaluate(
      `[...document.querySelectorAll('label')].find(it => it.textContent === ${JSON.stringify(label)}).control.focus()`,
    )
  async function fill(label: string, text: string): Promise<void> {
    await focus(label)
    await firefox.type(text)
  }
  /** Opens a row's form by its button, fills it in and sends it. */
  async function change(button: string, values: Record<string, string>, opener = button): Promise<void> {
    await see(opener)
    await click(opener)
    await send(button, values)
  }
  /** Fills in the form of this button, and sends it. */
  async function send(button: string, values: Record<string, string> = {}): Promise<void> {
    const form = `[...document.querySelectorAll('form')].find(it => it.checkVisibility() && [...it.querySelectorAll('[type=submit]')].some(({ textContent }) => textContent === ${JSON.stringify(button)}))`
    await expect.poll(() => firefox.evaluate(`${form} !== undefined`)).toBe(true)
    for (const [label, value] of Object.entries(values)) {
      const field = `[...${form}.querySelectorAll('label')].find(it => it.textContent === ${JSON.stringify(label)} && it.checkVisibility())?.control`
      await expect.poll(() => firefox.evaluate(`${field} !== undefined`)).toBe(true)
      await firefox.evaluate(`(field => (field.focus(), field.select()))(${field})`)
      await firefox.type(value)
    }
    await firefox.evaluate(`${form}.querySelector('[type=submit]').click()`)
  }
  const openLink = async (to: string) => firefox.goTo(linkIn(await running.nextMail(to)).href)
  async function openAccount(fragment = '', sight = 'Log in'): Promise<void> {
    // The tab is kept, with its login.
    if (sight === 'Log in') await firefox.evaluate("location.origin === 'null' || sessionStorage.clear()")
    await firefox.goTo('about:blank')
    await firefox.goTo(`${running.system.baseUrl}/account${fragment}`)
    await see(sight)
  }
  async function someone(name: string): Promise<string> {
    const email = `${name}@example.com`
    await running.send('POST', '/auth/register', { email, password })
    await openLink(email)
    await send('Verify email address')
    await see('Your address is verified')
    return email
  }
  const logIn = (email: string) => send('Log in', { 'Email address': email, Password: password })

  /** The file of "Download the codes". Its link is in no document, so the click is caught. */
  const saved = `(() => {
    let file
    HTMLAnchorElement.prototype.click = function () {
      file = this.download
      delete HTMLAnchorElement.prototype.click
    }
    ;[...document.querySelectorAll('button')].find(it => it.textContent === 'Download the codes').click()
    return file
  })()`

  const stored = () => firefox.evaluate<number>('sessionStorage.length')

  test('a person leaves for a provider, and comes back logged in', async () => {
    await openAccount()
    await click('Continue with Example')
    await expect.poll(seen).toContain('Log in with Example')
    await fill('Email address', 'gretchen@example.com')
    await click('Log in')
    await see('gretchen@example.com')
    expect(await stored()).toBe(1)
    await click('Log out')
    await see('You are logged out.')
  })

  test('a person registers, verifies in another tab, stays over a reload, and logs out', async () => {
    const email = 'ada@example.com'
    await firefox.goTo(`${running.system.baseUrl}/account#register`)
    await see('Create an account')
    await fill('Email address', email)
    await fill('Password', 'short')
    await firefox.type(enter)
    await see('This password is too short.')
    await fill('Password', ' and longer')
    await firefox.type(enter)
    await see('Not verified yet')
    expect(await stored()).toBe(1)

    await firefox.goTo(linkIn(await running.nextMail(email)).href)
    await see('Verify your email address')
    await click('Verify email address')
    await see('Your address is verified')
    await openAccount('#profile', 'Profile')
    await see('Verified')
    await firefox.reload()
    await see('Verified')
    await click('Change name')
    await fill('Name (optional)', 'Ada')
    await firefox.type(enter)
    await see('Your name has been saved.')
    await click('Change language')
    await firefox.evaluate("(select => (select.value = 'en-XA'))(document.querySelector('select'))")
    await send('Save language')
    await see('Our emails now come in this language. For seven days')
    await click('Sessions')
    await see('this tab')
    expect(await firefox.evaluate('document.title')).toBe('Sessions · Gatehouse')
    await click('Log out')
    await see('You are logged out.')
    expect(await stored()).toBe(0)
  })

  test('without a session a reload logs out; the account is deleted by password and address', async () => {
    const email = 'grace@bücher.example'
    await running.send('POST', '/auth/register', { email, password })
    await firefox.goTo('about:blank')
    await firefox.goTo(`${running.system.baseUrl}/account#security`)
    await see('Log in')
    const logIn = async () => {
      await fill('Email address', email)
      await fill('Password', password)
      await click('Keep me logged in in this tab')
      await focus('Password')
      await firefox.type(enter)
      await see('Delete account')
    }
    await logIn()
    await firefox.reload()
    await see('Reloading the page logged you out.')
    await logIn()
    await change('Delete account', {})
    await see('Enter your email address.')
    await see('Enter your current password.')
    await send('Delete account', { 'Your email address': email, 'Current password': password })
    await see('Your account has been deleted.')
  })

  test('a person takes another address, forgets the password and chooses another one', async () => {
    const [email, moved] = [await someone('linus'), 'linus.new@example.com']
    await openAccount('#profile')
    await logIn(email)
    await change('Change address', { 'New email address': moved })
    await see('we have sent a link to it')
    await openLink(moved)
    await send('Confirm the new address', { 'Current password': 'wrong' })
    await see('not the password')
    await send('Confirm the new address', { 'Current password': password })
    await see('Log in')
    await openAccount('#forgot')
    await send('Send a link', { 'Email address': moved })
    await see('Check your inbox')
    await openLink(moved)
    await send('Set new password', { 'New password': 'battery staple' })
    await see('Log in')
    await openAccount('#security')
    await send('Log in', { 'Email address': moved, Password: 'battery staple' })
    await change('Change password', { 'Current password': 'battery staple', 'New password': password })
    await see('Your password has been changed.')
  })

  test('a second factor is set up, asked for, replaced, removed, and undone by mail', async () => {
    const email = await someone('margaret')
    await openAccount('#security')
    await logIn(email)
    const setUp = async () => {
      await change('Turn on', { 'Current password': password })
      await see('Or copy this key into the app')
      const secret = await firefox.evaluate<string>("document.querySelector('.secret').innerText.replaceAll(' ', '')")
      await send('Confirm', { Code: codeOf(bytesOfBase32(secret), stepOf(new Date())) })
      await see('Save your recovery codes')
      return firefox.evaluate<string[]>("[...document.querySelectorAll('.codes li')].map(it => it.innerText)")
    }
    const [code = '', another = ''] = await setUp()
    expect(await firefox.evaluate<string>(saved)).toBe('Gatehouse recovery codes.txt')
    await click('I have saved them')
    await see('Recovery codes left: 10.')
    await click('Log out')
    await logIn(email)
    await send('Log in', { Code: 'a wrong one' })
    await see('This code is wrong.')
    await send('Log in', { Code: code })
    await see('Profile')
    await click('Security')
    await see('Recovery codes left: 9.')
    await change('Turn off', { 'Current password': password })
    await send('Turn off', { Code: another })
    await see('Logging in then also takes a code')
    await running.send('POST', '/auth/forgot-password', { email })
    await setUp()
    await firefox.goTo((await nextLink(running, email, '/undo')).href)
    await send('Undo the change')
    await see('The change was undone')
  })
})
