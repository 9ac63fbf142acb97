import { beforeEach, describe, expect, test } from 'vitest'
import { acme } from '../support.ts'
import { linkPaths, ok, renewingPaths, setUpPages } from './pages.ts'

const { site, page, complaints, waitForState, shown, heading, alert, waitForAlert, click, focused, linkPage } =
  setUpPages()

test.each(linkPaths)(
  'the page %s says when its link no longer works, and what is left',
  async (path, { doneAlready }) => {
    await linkPage(path).expire()
    expect(await heading()).toBe('This link no longer works')
    expect(await page().title()).toBe('This link no longer works · Acme')
    expect((await shown()).replaceAll(/\s/g, ' ')).toContain(doneAlready)
    expect(await focused()).toBe('H1')
    expect(await page().locator('button:visible').count()).toBe(renewingPaths.some(([its]) => its === path) ? 1 : 0)
    expect(await page().getByRole('link', { name: 'Log in', exact: true }).getAttribute('href')).toBe(acme.appUrl)
  },
)

test.each(linkPaths.filter(([, { renewal }]) => renewal === null))(
  'the page %s without a token says its link was cut off, posting nothing',
  async path => {
    await page().goto(`${site().url}${path}`)
    await waitForState('request')
    expect(await heading()).toBe('This link was cut off')
    expect(await page().locator('form:visible').count()).toBe(0)
    expect(site().posts).toEqual([])
  },
)

describe.each(renewingPaths)('the page %s', (path, { newLinkPath, sent, requestHeading }) => {
  const { expire } = linkPage(path)

  describe('once its link no longer works', () => {
    test('requests a new link by keyboard alone, and says where it is sent', async () => {
      await expire()
      site().answer = ok
      for (let i = 0; i < 5 && (await focused()) !== 'email'; i++) await page().keyboard.press('Tab')
      await page().keyboard.type('ada@example.com')
      await page().keyboard.press('Enter')
      await waitForState('sent')
      expect(site().posts.at(-1)).toEqual({
        path: newLinkPath,
        contentType: 'application/json',
        body: { email: 'ada@example.com' },
      })
      expect(await heading()).toBe('Check your inbox')
      expect(await shown()).toContain(sent)
      expect(await focused()).toBe('H1')
      expect(complaints()).toEqual([])
    })

    describe('and a new one is sent', () => {
      beforeEach(async () => {
        await expire()
        site().answer = ok
        await page().fill('#email', 'ada@example.com')
        await click()
        await waitForState('sent')
      })

      test.each([
        ['at once', async () => {}],
        ['after a reload', async () => void (await page().reload())],
      ])('sends it again to the same address, %s', async (_, before) => {
        await before()
        expect(await shown()).not.toContain('Sent again')
        await page().getByRole('button', { name: 'Send it again' }).click()
        await page().getByText('Sent again. Only the link in the newest email works.').waitFor()
        expect(site().posts.slice(-2)).toEqual(
          Array(2).fill({ path: newLinkPath, contentType: 'application/json', body: { email: 'ada@example.com' } }),
        )
        expect(await shown()).toContain(sent)
        expect(await focused()).toBe('H1')
        expect(await page().getByRole('status').textContent()).toBe('Sent again.')
      })

      test.each([
        ['at once', async () => {}],
        ['after a reload', async () => void (await page().reload())],
      ])('sends one to another address, and keeps what was typed, %s', async (_, before) => {
        await before()
        await page().getByRole('button', { name: 'Use another address' }).click()
        expect(await heading()).toBe(requestHeading)
        expect(await shown()).not.toContain('cut off')
        expect(await focused()).toBe('email')
        expect(await page().inputValue('#email')).toBe('ada@example.com')
        await page().keyboard.type('bob@example.com')
        await click()
        await waitForState('sent')
        expect(site().posts.at(-1)?.body).toEqual({ email: 'bob@example.com' })
        expect(await shown()).toContain('If bob@example.com is')
      })
    })

    test('says what went wrong until somebody types', async () => {
      await expire()
      site().answer = { body: null }
      await page().fill('#email', 'ada@example.com')
      await click()
      await waitForAlert()
      expect(await alert().textContent()).toContain('cannot be reached')
      await page().type('#email', 'x')
      expect(await alert().count()).toBe(0)
    })
  })

  test('asks without a token for the whole link, or the address', async () => {
    await page().goto(`${site().url}${path}`)
    await waitForState('request')
    expect(await shown()).toContain('the link was cut off: open the whole link')
  })
})
