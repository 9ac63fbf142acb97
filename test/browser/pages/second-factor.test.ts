import { describe, expect, test } from 'vitest'
import { disguise } from '../../support/code-forms.ts'
import { phone } from '../chromium.ts'
import { offered, plainTexts, speakAll } from '../languages.ts'
import { acme, findBarriers, findBarriersInLightAndDark, scrollsSideways } from '../support.ts'
import { problem, setUpPages } from './pages.ts'

const { site, page, complaints, replacePage, shown, heading, click } = setUpPages()

const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const uri = `otpauth://totp/Acme:ada%40example.com?secret=${secret}&issuer=Acme`
const codes = Array.from({ length: 10 }, (_, i) => `AAAA-BBBB-CCCC-DDDD-EEEE-FFF${i}`)
const setUpFirst = (members = {}) =>
  problem(403, 'Set up a second factor first', { code: 'second-factor-setup', ...members })

const visit = (query = '?token=secret-token') => page().goto(`${site().url}/second-factor${query}`)
async function logIn(): Promise<void> {
  await page().fill('#email', 'ada@example.com')
  await page().fill('#password', 'correct horse')
  await click()
}
const waitFor = (state: string) => page().waitForSelector(`section[data-state="${state}"]:not([hidden])`)

/** Answers like the API to a person with a working link. */
function welcome(): void {
  site().answers = {
    '/auth/login': setUpFirst({ setup_token: 'setup-token' }),
    '/auth/second-factor/setup': { body: { secret, uri } },
    '/auth/second-factor/confirm': { body: { access_token: 'x', recovery_codes: codes } },
  }
}

/** Sends a code that the API refuses. */
async function confirmTo(refusal: ReturnType<typeof problem>): Promise<void> {
  welcome()
  site().answers['/auth/second-factor/confirm'] = refusal
  await visit()
  await logIn()
  await waitFor('set-up')
  await page().fill('#code', '492039')
  await click()
}

describe('the page that sets up a second factor', () => {
  test('takes address and password, then shows the QR code, then the recovery codes', async () => {
    welcome()
    await visit()
    expect(page().url()).toBe(`${site().url}/second-factor`)
    expect(site().posts).toEqual([])
    await logIn()
    await waitFor('set-up')
    expect(await page().getByRole('img', { name: 'QR code of the key' }).count()).toBe(1)
    expect(await shown()).toContain(secret.replaceAll(/.{4}(?=.)/g, '$& '))
    expect(await page().getByRole('link', { name: 'Open an app on this device' }).getAttribute('href')).toBe(uri)
    // As at an address without TLS, where the key is selected instead.
    await page().evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await page().getByRole('button', { name: 'Copy the key' }).click()
    expect(await page().evaluate(() => getSelection()?.toString().replaceAll(' ', ''))).toBe(secret)
    await page().fill('#code', disguise('492039'))
    await page().keyboard.press('Tab')
    expect(await page().inputValue('#code')).toBe('492039')
    await click()
    await waitFor('done')
    expect(await page().locator('.codes li').allInnerTexts()).toEqual(codes)
    expect(site().posts.map(({ path, body }) => [path, body])).toEqual([
      ['/auth/login', { email: 'ada@example.com', password: 'correct horse', mail_token: 'secret-token' }],
      ['/auth/second-factor/setup', { password: 'correct horse' }],
      ['/auth/second-factor/confirm', { code: '492039' }],
    ])
    expect(await page().evaluate(() => history.state)).toEqual({})
    expect(complaints()).toEqual([])
  })

  test('in each step takes another language, but not while secrets are shown', async () => {
    site().config.languages = offered
    const look = async (isOffered: boolean) => {
      expect(await findBarriers(page())).toEqual([])
      await speakAll(page(), async tag => {
        expect(await page().locator('.languages').isVisible()).toBe(isOffered)
        if (tag === 'en-XA') expect(await page().evaluate(plainTexts(['Acme', acme.supportEmail]))).toEqual([])
      })
    }
    welcome()
    await visit()
    await look(true)
    await logIn()
    await waitFor('set-up')
    await look(false)
    site().answers['/auth/second-factor/confirm'] = problem(400, 'Incorrect code', { code: 'wrong-code' })
    await page().fill('#code', '492039')
    await click()
    await page().waitForSelector('#code[aria-invalid]')
    await look(false)
    welcome()
    await click()
    await waitFor('done')
    await look(false)
    await confirmTo(problem(401, 'Invalid', { code: 'invalid-access-token' }))
    await waitFor('log-in')
    await look(true)
    site().answer = setUpFirst()
    site().answers = {}
    await logIn()
    await waitFor('sent')
    await look(true)
    site().answer = problem(401, 'A second factor is required', { code: 'second-factor-required' })
    await visit()
    await logIn()
    await waitFor('not-needed')
    await look(true)
    expect(complaints()).toEqual([])
  })

  test.each([
    ['without a link', ''],
    ['with a link that no longer works', '?token=old'],
  ])('%s says that one was mailed', async (_, query) => {
    site().answer = setUpFirst()
    await visit(query)
    await logIn()
    await waitFor('sent')
    expect(await heading()).toBe('Check your inbox')
  })

  test('begins again when it took too long', async () => {
    await confirmTo(problem(401, 'Invalid', { code: 'invalid-access-token' }))
    await page().getByText('It took too long.', { exact: false }).waitFor()
    expect(await heading()).toBe('Set up two-step verification')
  })

  test('has no barrier and fits a phone of 320 pixels, in light and dark', async () => {
    await replacePage({ ...phone, viewport: { width: 320, height: 568 } })
    const look = async () => {
      expect(await findBarriersInLightAndDark(page())).toEqual([])
      expect(await scrollsSideways(page())).toBe(false)
    }
    welcome()
    await visit()
    await look()
    await logIn()
    await waitFor('set-up')
    await look()
    await page().fill('#code', '492039')
    await click()
    await waitFor('done')
    await look()
  })
})
