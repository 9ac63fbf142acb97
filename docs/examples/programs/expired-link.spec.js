import { expect, test } from '@playwright/test'
import { linkTo } from './link-to.js'

const api = process.env.API_URL ?? 'http://localhost:3000'
const inbox = process.env.INBOX_URL ?? 'http://localhost:3001'

test('a link that has expired offers a new one', async ({ page, request }) => {
  const email = `${crypto.randomUUID()}@example.com`
  await request.post(`${api}/auth/register`, { data: { email, password: 'correct horse' } })
  const link = await linkTo(email, '/verify-email')
  const clock = await request.post(`${inbox}/clock`, { data: { advance: '25h' } })
  await page.clock.setSystemTime((await clock.json()).now) // The browser agrees.
  await page.goto(link.href)
  await page.getByRole('button', { name: 'Verify email address' }).click()
  await expect(page.getByRole('button', { name: 'Send a new link' })).toBeVisible()
})
test.afterEach(({ request }) => request.post(`${inbox}/reset`, { data: {} }))
