import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bytesOfBase32 } from '../../../accounts/factor/codes.ts'
import { codeOf, stepOf } from '../../../accounts/factor/totp.ts'
import { applications } from '../../support/stack/settings.ts'
import { linkIn, type RunningSystem, runSystem, verifyAddress } from '../../support/system/running.ts'
import { setUpBrowser } from '../browser.ts'
import { findBarriers, listenToConsole } from '../support.ts'
import { onAccountPage } from './account.ts'

/** Logging in by the provider "Example" of `npm start`, which is an independent implementation. */

const { page, openPage } = setUpBrowser()
const { seeHeading, see, open: press, send, follow, logIn } = onAccountPage(page)
const password = 'correct horse'
let complaints: string[]
let people = 0

beforeEach(async () => {
  complaints = await listenToConsole(await openPage())
})
afterEach(() => expect(complaints).toEqual([]))

const newcomer = () => `person-${++people}@example.com`

function peopleAt(running: RunningSystem) {
  const address = (path = '/account') => `${running.system.baseUrl}${path}`

  /** Leaves for Example, and logs in there as somebody. */
  async function logInAs(email: string, button = 'Continue with Example'): Promise<void> {
    await press(button)
    await page().waitForURL(`${running.system.exampleUrl}/**`)
    await page().getByLabel('Email address').fill(email)
    await press('Log in')
    await page().waitForURL(`${running.system.baseUrl}/**`)
  }

  /** Somebody with a verified address and a password. @returns the address */
  async function someone(): Promise<string> {
    const email = newcomer()
    await running.send('POST', '/auth/register', { email, password, name: 'Ada' })
    await verifyAddress(running, email)
    return email
  }

  /** The next mail to somebody with a matching subject. */
  async function mailAbout(email: string, subject: RegExp) {
    for (;;) {
      const mail = await running.nextMail(email)
      if (subject.test(mail.subject)) return mail
    }
  }

  return { address, logInAs, someone, mailAbout }
}

describe('a person', () => {
  const running = runSystem({ RATE_LIMITS: 'off', OIDC_CLIENTS: applications }, { providerPort: 0 })
  const { address, logInAs, someone, mailAbout } = peopleAt(running)

  test('who is new opens an account, comes back to it, and chooses a first password', async () => {
    const email = newcomer()
    await page().goto(address('/account#register'))
    await logInAs(email)
    await seeHeading('Profile')
    await see(email)
    await see('Verified')
    expect(page().url()).toBe(address('/account#profile'))
    await mailAbout(email, /Another way to log in/)
    await press('Log out')
    await seeHeading('Log in')
    await logInAs(email)
    await seeHeading('Profile')

    await follow('Security', 'Security')
    await press('Choose a password')
    await see('We have sent a new link.')
    const mail = await mailAbout(email, /^Reset your/)
    expect(mail.body.text).toContain('- Example, as ')
    await page().goto(linkIn(mail).href)
    await seeHeading('Choose a password')
    expect(await page().title()).toMatch(/^Choose a password · /)
    expect(await findBarriers(page())).toEqual([])
    await page().getByLabel('New password', { exact: true }).fill(password)
    await page().getByLabel('Yes, keep them').check()
    await press('Set new password')
    await seeHeading('Your password was changed')
    expect((await mailAbout(email, /password was changed/)).body.text).toContain('Connected providers: 1.')
    await page().goto(address())
    await logInAs(email)
    await seeHeading('Profile')
    await press('Log out')
    await logIn(email, password)
    await seeHeading('Profile')
  })

  test('with an account connects it, logs in by it, and disconnects it', async () => {
    const [email, there] = [await someone(), newcomer()]
    await page().goto(address('/account#security'))
    await logIn(email, password)
    await seeHeading('Security')
    await logInAs(there, 'Connect Example')
    await seeHeading('Connect Example')
    await see(`Logged in with Example as ${there}`)
    await see(`The account here: ${email}`)
    expect(await findBarriers(page())).toEqual([])
    await send('Connect and log in', { Password: password })
    await seeHeading('Security')
    await see(there)
    // The former session of this tab is over.
    await follow('Sessions', 'Sessions')
    expect(await page().getByRole('listitem').count()).toBe(1)

    await press('Log out')
    await seeHeading('Log in')
    await logInAs(there)
    await seeHeading('Profile')
    await see(email)
    await follow('Security', 'Security')
    await press('Disconnect Example')
    await send('Disconnect Example', { 'Current password': password })
    await see('The login has been disconnected.')
    await mailAbout(email, /was disconnected/)

    await press('Log out')
    await seeHeading('Log in')
    // Opens another account: nothing leads to the former one.
    await logInAs(there)
    await seeHeading('Profile')
    await see(there)
  })

  test('who thinks better of it is where they were', async () => {
    await page().goto(address())
    await press('Continue with Example')
    await page().waitForURL(`${running.system.exampleUrl}/**`)
    await press('Cancel')
    await see('Logging in with Example was cancelled. Try again, or log in another way.')
    // So it is by Back.
    await press('Continue with Example')
    await page().waitForURL(`${running.system.exampleUrl}/**`)
    await page().goBack()
    await seeHeading('Log in')
    await logInAs(newcomer())
    await seeHeading('Profile')
  })
})

describe('where everybody has a second factor', () => {
  const running = runSystem({ RATE_LIMITS: 'off', SECOND_FACTOR: 'required' }, { providerPort: 0 })
  const { address, logInAs, mailAbout } = peopleAt(running)

  test('a newcomer sets it up by the mailed link, without a password', async () => {
    const email = newcomer()
    await page().goto(address())
    await logInAs(email)
    await see('We have sent you a link')
    await page().goto(linkIn(await mailAbout(email, /two-step verification/)).href)
    await seeHeading('Set up two-step verification')
    await logInAs(email)
    await seeHeading('Add the account to your app')
    const secret = (await page().locator('.secret').innerText()).replaceAll(' ', '')
    const code = (steps: number) => codeOf(bytesOfBase32(secret), stepOf(new Date()) + steps)
    await page().getByLabel('Code that the app shows').fill(code(0))
    await press('Confirm')
    await seeHeading('Save your recovery codes')
    await page().goto(address())
    await logInAs(email)
    await page().getByLabel('Code', { exact: true }).waitFor()
    await send('Log in', { Code: code(1) })
    await seeHeading('Profile')
  })
})
