import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { namedSender } from '../../infra/settings/sender.ts'
import { inboxPage } from '../../local/inbox/page.ts'
import { writeLink } from '../../shared/accounts/mail/letters.ts'
import { serve, type WebServer } from '../support/web-server.ts'
import { setUpBrowser } from './browser.ts'
import { phone } from './chromium.ts'
import { acme, findBarriers, listenToConsole, reply, scrollsSideways } from './support.ts'

interface Mail {
  messageId: string
  from: string
  destination: { to: string[] }
  subject: string
  body: { text?: string; html?: string }
  at: number
}

const { openPage } = setUpBrowser()
let page: Page
let server: WebServer
let emails: Mail[]
let complaints: string[]
let isDown: boolean

beforeEach(async () => {
  emails = []
  isDown = false
  server = await serve((request, response) => {
    if (request.url === '/') return reply(response, { statusCode: 200, ...inboxPage })
    if (request.url !== '/store') return reply(response, { statusCode: 200, headers: {}, body: 'the linked page' })
    if (isDown) return request.socket.destroy()
    const headers = { 'content-type': 'application/json' }
    reply(response, { statusCode: 200, headers, body: JSON.stringify({ emails }) })
  })
  page = await openPage()
  complaints = await listenToConsole(page)
})
afterEach(async () => {
  await page.close()
  await server.close()
})

const visit = () => page.goto(server.url)
const mail = (messageId: string, changes: Partial<Mail> = {}): Mail => ({
  messageId,
  from: 'Gatehouse <no-reply@localhost>',
  destination: { to: [`${messageId}@example.com`] },
  subject: `Mail ${messageId}`,
  body: { text: `text ${messageId}`, html: `<p>html ${messageId}</p>` },
  at: 1_795_000_000 + emails.length,
  ...changes,
})
const shown = () => page.frameLocator('#html').locator('body')

test('an empty inbox says so', async () => {
  await visit()
  await page.getByText('No mail yet.').waitFor()
  expect(await findBarriers(page)).toEqual([])
})

test('mails are listed newest first, and new ones come by themselves', async () => {
  emails.push(mail('first'))
  await visit()
  await page.getByText('Mail first').waitFor()
  emails.push(mail('second'))
  await page.getByText('Mail second').waitFor()
  expect(await page.locator('li .to').allTextContents()).toEqual(['second@example.com', 'first@example.com'])
  expect(await page.textContent('#state')).toBe('2 mails')
})

test('a new mail leaves the open one, its frame and the focus alone', async () => {
  emails.push(mail('first'))
  await visit()
  await page.click('li a')
  await shown().getByText('html first').waitFor()
  await page.focus('li a')
  let navigations = 0
  page.on('framenavigated', () => navigations++)
  emails.push(mail('second'))
  await page.getByText('Mail second').waitFor()
  expect(navigations).toBe(0)
  expect(await page.textContent('#subject')).toBe('Mail first')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe('#first')
})

test('mails that the store has dropped disappear', async () => {
  emails.push(mail('first'))
  await visit()
  await page.click('li a')
  emails.length = 0
  await page.getByText('No mail yet.').waitFor()
  expect(await page.isVisible('article')).toBe(false)
})

test('a mail is read as HTML and as text, by keyboard alone', async () => {
  emails.push(mail('a/b?c#d e%'))
  await visit()
  await page.waitForSelector('li')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await shown().getByText('html a/b?c#d e%').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowRight')
  expect(await page.innerText('#text')).toBe('text a/b?c#d e%')
  expect(await page.isVisible('#html')).toBe(false)
})

test('the name of a sender is read as it was written', async () => {
  const name = `Smith & Söhne ${'門'.repeat(40)}`
  emails.push(mail('x', { from: namedSender('no-reply@localhost', name) }))
  await visit()
  await page.click('li a')
  expect(await page.textContent('#from')).toBe(`${name} <no-reply@localhost>`)
})

test('the page treats everything in a mail as text', async () => {
  const attack = `<script>document.title='owned'</script><img src=x onerror="document.title='owned'">`
  emails.push(
    mail('x', { from: attack, subject: attack, destination: { to: [attack] }, body: { text: attack, html: attack } }),
  )
  await visit()
  await page.click('li a')
  await page.waitForTimeout(300)
  expect(await page.textContent('li .subject')).toBe(attack)
  expect(await page.textContent('#subject')).toBe(attack)
  expect(await page.textContent('#from')).toBe(attack)
  expect(await page.textContent('#text')).toBe(attack)
  expect(await page.locator('img, main script').count()).toBe(0)
  expect(await page.title()).toBe('Inbox · Gatehouse')
})

test("a mail's script does not run, and its frame cannot reach the page", async () => {
  emails.push(mail('x', { body: { html: "<p>before</p><script>document.body.textContent = 'owned'</script>" } }))
  await visit()
  await page.click('li a')
  await shown().getByText('before').waitFor()
  await page.waitForTimeout(200)
  expect(await shown().innerText()).toBe('before')
  expect(await page.getAttribute('#html', 'sandbox')).toBe('allow-popups allow-popups-to-escape-sandbox')
})

test('a letter looks as it was written, and its button opens the page in a tab of its own', async () => {
  const { subject, text, html } = writeLink(
    'reset',
    { email: 'ada@example.com', name: 'Ada', isVerified: true },
    `${server.url}/linked`,
    acme,
  )
  emails.push(mail('x', { subject, body: { text, html } }))
  await visit()
  await page.click('li a')
  // Looking into the frame causes complaints itself.
  await page.waitForTimeout(300)
  expect(complaints).toEqual([])
  const button = shown().getByText('Choose a new password', { exact: true })
  expect(await button.evaluate(element => getComputedStyle(element).backgroundColor)).toBe('rgb(31, 95, 191)')
  const [tab] = await Promise.all([page.waitForEvent('popup'), button.click()])
  await tab.getByText('the linked page').waitFor()
  expect(await tab.evaluate(() => window.opener)).toBeNull()
  expect(await tab.evaluate(() => document.referrer)).toBe('')
  expect(page.url()).toBe(`${server.url}/#x`)
  await tab.close()
})

test('the page says when the inbox has stopped, and finds it again', async () => {
  emails.push(mail('first'))
  await visit()
  await page.waitForSelector('li')
  isDown = true
  await page.getByText('The inbox does not answer.').waitFor()
  isDown = false
  await page.getByText('1 mail').waitFor()
})

test.each(['light', 'dark'] as const)(
  'the inbox has no barrier that axe-core can see, in the %s',
  async colorScheme => {
    await page.emulateMedia({ colorScheme })
    const to = { email: 'ada@example.com', name: 'Ada', isVerified: true }
    const { subject, text, html } = writeLink('reset', to, 'https://x.example/y', acme)
    emails.push(mail('first'), mail('second', { subject, body: { text, html } }))
    await visit()
    await page.waitForSelector('li')
    expect(await findBarriers(page)).toEqual([])
    await page.click('li a')
    expect(await findBarriers(page)).toEqual([])
  },
)

test('on a phone the inbox shows one thing at a time, and never scrolls sideways', async () => {
  page = await openPage(phone)
  emails.push(mail('first', { subject: 'x'.repeat(300), destination: { to: [`${'y'.repeat(200)}@example.com`] } }))
  await visit()
  await page.waitForSelector('li')
  expect(await scrollsSideways(page)).toBe(false)
  await page.click('li a')
  await page.getByText('All mails').waitFor()
  expect(await page.isVisible('li')).toBe(false)
  expect(await scrollsSideways(page)).toBe(false)
  await page.click('text=All mails')
  expect(await page.isVisible('li')).toBe(true)
})
