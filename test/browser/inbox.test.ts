import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeLink } from '../../accounts/mail/templates.ts'
import { namedSender } from '../../infra/settings/sender.ts'
import { Inbox, type Mail } from '../../local/inbox/inbox.ts'
import { inboxServer } from '../../local/inbox/server.ts'
import { english } from '../support/letter-words.ts'
import { serve, type WebServer } from '../support/web-server.ts'
import { setUpBrowser } from './browser.ts'
import { phone } from './chromium.ts'
import { acme, findBarriers, findBarriersInLightAndDark, listenToConsole, reply, scrollsSideways } from './support.ts'

const { openPage } = setUpBrowser()
let page: Page
let server: WebServer
let inbox: Inbox
let complaints: string[]
let isDown: boolean
let ahead: number

beforeEach(async () => {
  inbox = new Inbox(new DatabaseSync(':memory:'))
  isDown = false
  ahead = 0
  const still = async () => null
  const control = { ahead: () => ahead, advance: still, reset: still }
  const answer = inboxServer(inbox, Promise.resolve(control), [])
  server = await serve((request, response) => {
    if (request.url === '/linked') return reply(response, { statusCode: 200, headers: {}, body: 'the linked page' })
    if (isDown) return request.socket.destroy()
    answer.emit('request', request, response)
  })
  page = await openPage()
  complaints = await listenToConsole(page)
})
afterEach(async () => {
  await page.close()
  await server.close()
})

const visit = (place = '') => page.goto(`${server.url}/${place}`)
const receive = (...mails: Mail[]) => mails.forEach(mail => void inbox.add(mail))
const mail = (messageId: string, changes: Partial<Mail> = {}): Mail => ({
  messageId,
  from: 'Gatehouse <no-reply@localhost>',
  destination: { to: [`${messageId}@example.com`], cc: [], bcc: [] },
  replyTo: [],
  subject: `Mail ${messageId}`,
  body: { text: `text ${messageId}`, html: `<p>html ${messageId}</p>` },
  at: 1_795_000_000,
  ...changes,
})
const to = (...to: string[]) => ({ destination: { to, cc: [], bcc: [] } })
const shown = () => page.frameLocator('#html').locator('body')

test('an empty inbox says so', async () => {
  await visit()
  await page.getByText('No mail yet.').waitFor()
  expect(await findBarriers(page)).toEqual([])
})

test('mails are listed newest first, and new ones come by themselves', async () => {
  receive(mail('first'))
  await visit()
  await page.getByText('Mail first').waitFor()
  receive(mail('second'))
  await page.getByText('Mail second').waitFor()
  expect(await page.locator('li .to').allTextContents()).toEqual(['second@example.com', 'first@example.com'])
  expect(await page.textContent('#state')).toBe('2 mails')
})

test('a new mail leaves the open one, its frame and the focus alone', async () => {
  receive(mail('first'))
  await visit()
  await page.click('li a')
  await shown().getByText('html first').waitFor()
  await page.focus('li a')
  let navigations = 0
  page.on('framenavigated', () => navigations++)
  receive(mail('second'))
  await page.getByText('Mail second').waitFor()
  expect(navigations).toBe(0)
  expect(await page.textContent('#subject')).toBe('Mail first')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe('#first')
})

test('mails that the store has dropped disappear', async () => {
  receive(mail('first'))
  await visit()
  await page.click('li a')
  inbox.clear()
  await page.getByText('No mail yet.').waitFor()
  expect(await page.isVisible('article')).toBe(false)
})

test('a mail is read as HTML and as text, by keyboard alone', async () => {
  receive(mail('a/b?c#d e%'))
  await visit()
  await page.waitForSelector('li')
  for (const _ of ['search', 'clear', 'the mail']) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await shown().getByText('html a/b?c#d e%').waitFor()
  for (const _ of ['the address', 'the form']) await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowRight')
  expect(await page.innerText('#text')).toBe('text a/b?c#d e%')
  expect(await page.isVisible('#html')).toBe(false)
})

test('the name of a sender is read as it was written', async () => {
  const name = `Smith & Söhne ${'門'.repeat(40)}`
  receive(mail('x', { from: namedSender('no-reply@localhost', name) }))
  await visit()
  await page.click('li a')
  await page.locator('#from').getByText(`${name} <no-reply@localhost>`, { exact: true }).waitFor()
})

test('the page treats everything in a mail as text', async () => {
  const attack = `<script>document.title='owned'</script><img src=x onerror="document.title='owned'">`
  receive(mail('x', { from: attack, subject: attack, ...to(attack), body: { text: attack, html: attack } }))
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
  receive(mail('x', { body: { html: "<p>before</p><script>document.body.textContent = 'owned'</script>" } }))
  await visit()
  await page.click('li a')
  await shown().getByText('before').waitFor()
  await page.waitForTimeout(200)
  expect(await shown().innerText()).toBe('before')
  expect(await page.getAttribute('#html', 'sandbox')).toBe('allow-popups allow-popups-to-escape-sandbox')
})

test('a letter looks as it was written, and its button opens a tab', async () => {
  const { subject, text, html } = writeLink(
    english,
    'reset',
    { email: 'ada@example.com', name: 'Ada', isVerified: true },
    `${server.url}/linked`,
    acme,
  )
  receive(mail('x', { subject, body: { text, html } }))
  await visit()
  await page.click('li a')
  // Looking into the frame causes console messages itself.
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

test('unread mails have a mark and are counted in the title, until opened', async () => {
  receive(mail('first'), mail('second'), mail('third'))
  await visit('#first')
  await page.waitForFunction(() => document.title === '(2) Inbox · Gatehouse')
  const unread = () => page.locator('li:has(.unread:visible) .to').allTextContents()
  expect(await unread()).toEqual(['third@example.com', 'second@example.com'])
  await page.click('text=Mail second')
  await page.waitForFunction(() => document.title === '(1) Inbox · Gatehouse')
  await page.reload()
  await page.waitForFunction(() => document.title === '(1) Inbox · Gatehouse')
  expect(await unread()).toEqual(['third@example.com'])
})

test('the number in the title grows while another tab is in front', async () => {
  await page.addInitScript(() => Object.defineProperty(document, 'hidden', { value: true }))
  receive(mail('first'))
  await visit()
  await page.waitForFunction(() => document.title === '(1) Inbox · Gatehouse')
  receive(mail('second'))
  await page.waitForFunction(() => document.title === '(2) Inbox · Gatehouse')
})

test.each([
  ['of a subject', 'MAIL second', ['second@example.com']],
  ['of an address', 'first@', ['first@example.com']],
  ['of a text', 'text ', ['second@example.com', 'first@example.com']],
  ['of none', 'third', []],
])('the search finds mails by the words %s', async (_, words, found) => {
  receive(mail('first'), mail('second'))
  await visit()
  await page.fill('#search', words)
  await page.getByText(`${found.length} of 2 mails`).waitFor()
  expect(await page.locator('li:visible .to').allTextContents()).toEqual(found)
  expect(await page.getByText('No mail has that.').isVisible()).toBe(found.length === 0)
})

test('/?to= shows the mails to one address, to which the address in mails leads', async () => {
  receive(mail('first', to('Ada@example.com', 'bob@example.com')), mail('second'))
  await visit('#first')
  await page.click('#to a')
  await page.getByText('to ada@example.com. Show all').waitFor()
  await page.waitForSelector('li')
  expect(await page.locator('li .subject').allTextContents()).toEqual(['Mail first'])
  await page.click('text=Show all')
  await page.getByText('2 mails').waitFor()
  await visit('?to=nobody@example.com')
  await page.getByText('No mail to this address yet.').waitFor()
})

test('where the mails to one address are shown, "Clear all" clears those alone', async () => {
  receive(mail('first', to('ada@example.com')), mail('second', to('bob@example.com')))
  await visit('?to=ada@example.com')
  await page.waitForSelector('li')
  page.on('dialog', dialog => {
    expect(dialog.message()).toBe('Delete all mails to ada@example.com?')
    return dialog.accept()
  })
  await page.click('text=Clear all')
  await page.getByText('No mail to this address yet.').waitFor()
  expect(inbox.list().map(({ messageId }) => messageId)).toEqual(['second'])
})

test('a clock that is ahead is said, and by how much', async () => {
  await visit()
  await page.getByText('No mail yet.').waitFor()
  expect(await page.locator('#clock').isVisible()).toBe(false)
  ahead = 90_000
  await page.getByText('The clock is 1 d 1 h ahead.').waitFor()
})

test('"Clear all" asks first, and then empties the inbox', async () => {
  receive(mail('first'), mail('second'))
  await visit()
  await page.waitForSelector('li')
  const answers = [false, true]
  const asked: string[] = []
  page.on('dialog', dialog => {
    asked.push(dialog.message())
    return answers.shift() ? dialog.accept() : dialog.dismiss()
  })
  await page.click('text=Clear all')
  expect(inbox.list()).toHaveLength(2)
  await page.click('text=Clear all')
  await page.getByText('No mail yet.').waitFor()
  expect([inbox.list(), asked]).toEqual([[], Array.from({ length: 2 }, () => 'Delete all mails of the inbox?')])
})

test('the source of a mail is its message with its headers', async () => {
  receive(mail('a/b?c#d e%'), mail('second'))
  await visit('#second')
  await page.click('text=Source')
  await page.getByText('Message-ID: <second@email.amazonses.com>').waitFor()
  await page.click('text=Mail a/b')
  await page.getByText('Message-ID: <a/b?c#d e%@email.amazonses.com>').waitFor()
  expect(await page.innerText('#source')).toContain('text a/b?c#d e%')
})

test('each link of a mail can be copied', async () => {
  const link = 'http://localhost:3000/verify-email?token=Zk3vYk1b0mS8m1qQ'
  receive(mail('x', { body: { text: `Open this:\n${link}\n\nOr (https://example.com/help).\n${link}` } }))
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await visit('#x')
  await page.waitForSelector('#links a')
  expect(await page.locator('#links a').allTextContents()).toEqual([link, 'https://example.com/help'])
  await page.locator('#links button').first().click()
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
})

test('the page says when the inbox has stopped, and finds it again', async () => {
  receive(mail('first'))
  await visit()
  await page.waitForSelector('li')
  isDown = true
  await page.getByText('The inbox does not answer.').waitFor()
  isDown = false
  await page.getByText('1 mail').waitFor()
})

test('the inbox has no barrier that axe-core can see, in light and dark', async () => {
  const to = { email: 'ada@example.com', name: 'Ada', isVerified: true }
  const { subject, text, html } = writeLink(english, 'reset', to, 'https://x.example/y', acme)
  receive(mail('first'), mail('second', { subject, body: { text, html } }))
  await visit()
  await page.waitForSelector('li')
  expect(await findBarriersInLightAndDark(page)).toEqual([])
  await page.click('li a')
  expect(await findBarriersInLightAndDark(page)).toEqual([])
})

test('on a phone the inbox shows one thing at a time, and never scrolls sideways', async () => {
  page = await openPage(phone)
  receive(mail('first', { subject: 'x'.repeat(300), ...to(`${'y'.repeat(200)}@example.com`) }))
  await visit()
  await page.waitForSelector('li')
  expect(await scrollsSideways(page)).toBe(false)
  await page.click('li a')
  await page.getByText('All mails').waitFor()
  await page.waitForSelector('li', { state: 'hidden' })
  expect(await scrollsSideways(page)).toBe(false)
  await page.click('text=All mails')
  await page.waitForSelector('li')
})
