import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linkIn, runSystem } from '../../support/system/running.ts'
import { type Firefox, firefoxIsThere, launchFirefox } from '../firefox.ts'

/** The main journeys in Firefox, which has policies, locks and storage of its own. */

const enter = '\uE006'
const password = 'correct horse'

if (!firefoxIsThere()) console.log('Skipped in Firefox: there is none. Set FIREFOX_PATH to where it is.')

describe.skipIf(!firefoxIsThere())('in Firefox', () => {
  const running = runSystem({ RATE_LIMITS: 'off' })
  let firefox: Firefox
  beforeAll(async () => {
    firefox = await launchFirefox()
  })
  afterAll(async () => firefox?.[Symbol.asyncDispose]())

  const see = (text: string) => expect.poll(() => firefox.evaluate<string>('document.body.innerText')).toContain(text)
  /** Clicks what is shown and has this text. */
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
  const stored = () => firefox.evaluate<number>('sessionStorage.length')

  test('a person registers, verifies the address, stays logged in over a reload, takes a name, and logs out', async () => {
    const email = 'ada@example.com'
    await firefox.goTo(`${running.system.baseUrl}/account#register`)
    await see('Create an account')
    await fill('Email address', email)
    await fill('Password', 'short')
    await firefox.type(enter)
    await see('Use at least 8 characters.')
    await fill('Password', ' and longer')
    await firefox.type(enter)
    await see('Check your inbox')

    await firefox.goTo(linkIn(await running.nextMail(email)).href)
    await see('Verify your email address')
    await click('Verify email address')
    await see('Your address is verified')
    await click('Log in')
    await see('Stay logged in in this tab')
    await fill('Email address', email)
    await fill('Password', 'short and longer')
    await click('Stay logged in in this tab')
    await focus('Password')
    await firefox.type(enter)
    await see('Profile')
    await see('Verified')
    expect(await stored()).toBe(1)

    await firefox.reload()
    await see('Verified')
    await fill('Name', 'Ada')
    await firefox.type(enter)
    await see('Your name has been saved.')
    await click('Sessions')
    await see('this tab')
    expect(await firefox.evaluate('document.title')).toBe('Sessions · Gatehouse')
    await click('Log out')
    await see('You are logged out.')
    expect(await stored()).toBe(0)
  })

  test('without a session a reload logs out, and says so; the account is deleted with its password', async () => {
    const email = 'grace@example.com'
    await running.send('POST', '/auth/register', { email, password })
    await firefox.goTo('about:blank')
    await firefox.goTo(`${running.system.baseUrl}/account#security`)
    await see('Log in')
    const logIn = async () => {
      await fill('Email address', email)
      await fill('Password', password)
      await firefox.type(enter)
      await see('Delete account')
    }
    await logIn()
    await firefox.reload()
    await see('The reload logged you out.')
    await logIn()
    await click('Delete account')
    await see('Enter your current password.')
    await firefox.type(password + enter)
    await see('Your account has been deleted.')
  })
})
