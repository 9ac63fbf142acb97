import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { setUpBrowser } from '../browser.ts'
import { onAccountPage } from './account.ts'
import { passkey, passkeys, setUpAnswers } from './answers.ts'

/** Rows of the account page: the facts that they show, and how their forms open and close. */

const { page, openPage } = setUpBrowser()
const {
  button,
  field,
  focused,
  seeHeading,
  see,
  open: press,
  send,
  change,
  follow,
  logIn,
  enter,
  errorAt,
} = onAccountPage(page)
const { begin, end, visit, havePasskey, site, answers, sent } = setUpAnswers(openPage)

const email = 'ada@example.com'
const me = { id: '1', email, name: 'Ada', is_verified: true }
beforeEach(async () => {
  await begin()
  answers()['/auth/me'] = [200, me]
})
afterEach(end)

test.each([
  [true, 1],
  [false, 0],
])('every form that asks for the password offers a passkey once there is one: %j', async (isThere, count) => {
  havePasskey()
  if (!isThere) answers()['/auth/passkeys'] = passkeys()
  answers()['/auth/second-factor'] = [200, { methods: ['code'], recovery_codes_left: 10 }]
  await enter(visit, 'Security')
  let forms = 0
  for (const section of ['Security', 'Sessions'] as const) {
    await follow(section, section)
    const openers = page().locator('.row > .actions > button:visible')
    for (let i = 0; i < (await openers.count()); i++) {
      await openers.nth(i).click()
      if ((await page().getByLabel('Current password', { exact: true }).count()) > 0) {
        forms++
        const offered = page().getByRole('button', { name: 'Use a passkey', exact: true })
        expect(await offered.count()).toBe(count)
      }
      await press('Cancel')
    }
  }
  // Password, three of the second factor, deletion, a session and all others; adding a passkey and removing one.
  expect(forms).toBe(isThere ? 9 : 8)
})

test('several passkeys have buttons of one name, which say whose they are', async () => {
  havePasskey()
  answers()['/auth/passkeys'] = passkeys(passkey, { ...passkey, id: 'b', label: 'Phone', last_used_at: null })
  await enter(visit, 'Security')
  for (const name of ['Rename', 'Remove']) {
    const described = await button(name).evaluateAll(all =>
      all.map(it => document.getElementById(it.getAttribute('aria-describedby') ?? '')?.textContent),
    )
    expect(described).toEqual(['Laptop', 'Phone'])
  }
  expect(await page().getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/Last used Mar 2, 2026/),
    expect.stringMatching(/Not used yet/),
  ])
})

test.each([
  ['there are none', null, [], 0],
  ['there is one from before', null, [passkey], 1],
])('where passkeys are switched off and %s, they can be renamed and removed alone', async (_, rpId, all, count) => {
  site().config.passkeyRpId = rpId
  answers()['/auth/passkeys'] = [200, { rp_id: null, user_handle: null, passkeys: all }]
  await enter(visit, 'Security')
  expect(await page().getByRole('heading', { name: 'Passkeys', exact: true }).count()).toBe(count)
  const off = page().getByText('Passkeys are switched off here.').filter({ visible: true })
  expect(await off.count()).toBe(count)
  expect([await button('Add a passkey').count(), await button('Remove').count()]).toEqual([0, count])
  if (count === 0) return
  await press('Remove')
  expect(await button('Use a passkey').count()).toBe(0)
})

test('a passkey takes a verified address', async () => {
  havePasskey()
  answers()['/auth/me'] = [200, { ...me, is_verified: false }]
  await enter(visit, 'Security')
  expect(await button('Add a passkey').count()).toBe(0)
  expect(await page().getByText(`Verify your email address ${email}.`).count()).toBe(1)
})

test('Security has logins first and endings last, a line for each, actions on one side', async () => {
  havePasskey()
  site().config.secondFactor = 'optional'
  answers()['/auth/sign-in-methods'] = [
    200,
    { has_password: true, providers: [{ id: 'p', provider: null, email, connected_at: passkey.created_at }] },
  ]
  await enter(visit, 'Security')
  await page().setViewportSize({ width: 1280, height: 800 })
  expect(await page().locator('main h2:visible').allInnerTexts()).toEqual([
    'Password',
    'Passkeys',
    'Laptop',
    'Ways to log in',
    'A former provider',
    'Two-step verification',
    'Log out everywhere',
    'Delete account',
  ])
  const heights = await page()
    .locator('.fact > p:visible')
    .evaluateAll(all =>
      all.map(it => it.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(it).lineHeight)),
    )
  expect(heights.map(Math.round)).toEqual(heights.map(() => 1))
  const rights = await page()
    .locator('.row')
    .evaluateAll(rows =>
      rows.map(row => [
        row.getBoundingClientRect().right,
        Math.max(
          ...[...row.querySelectorAll('button')]
            .filter(it => it.checkVisibility())
            .map(it => it.getBoundingClientRect().right),
        ),
      ]),
    )
  for (const [row, actions] of rights) if (actions !== Number.NEGATIVE_INFINITY) expect(actions).toBe(row)
  expect(await page().locator('.fact button').count()).toBe(0)
})

test('where everybody has a second factor, its row offers no removal, and says so', async () => {
  site().config = { ...site().config, secondFactor: 'required' }
  answers()['/auth/second-factor'] = [200, { methods: ['code'], recovery_codes_left: 10 }]
  await enter(visit, 'Security')
  await see('Two-step verification is required here. You can move it to a new phone, but not turn it off.')
  await button('Move to a new phone').waitFor()
  expect(await button('Turn off').count()).toBe(0)
})

test.each([
  ['another form', () => press('Change address')],
  ['another section', () => follow('Security', 'Security')],
])('the message of a success leaves when %s is opened', async (_, open) => {
  answers()['/auth/me'] = [200, me]
  await enter(visit, 'Profile')
  await change('Save name', {}, 'Change name')
  await see('Your name has been saved.')
  await open()
  if ((await button('Change name').count()) === 0) await follow('Profile', 'Profile')
  expect(await page().getByText('Your name has been saved.').count()).toBe(0)
})

test('a button of many words leaves most of its row to the fact', async () => {
  await enter(visit, 'Security')
  const shares = await page()
    .locator('.row:visible')
    .evaluateAll(all =>
      all.map(row => {
        const [opener, fact] = ['button', '.fact'].map(it => row.querySelector<HTMLElement>(it))
        if (opener) opener.textContent = 'Configurer une application d’authentification'
        return (fact?.offsetWidth ?? 0) / (row as HTMLElement).offsetWidth
      }),
    )
  expect(Math.min(...shares)).toBeGreaterThan(0.5)
})

test('what was typed stays in a form when another one opens', async () => {
  await enter(visit, 'Profile')
  await press('Change address')
  await field('Change address', 'New email address').fill('ada@example.org')
  await press('Change name')
  expect(await button('Change address').count()).toBe(1)
  await press('Change address')
  expect(await field('Change address', 'New email address').inputValue()).toBe('ada@example.org')
})

test('a form that waits for its answer stays open', async () => {
  await enter(visit, 'Profile')
  const late = Promise.withResolvers<void>()
  await page().route('**/auth/change-email', async route => {
    await late.promise
    await route.fulfill({ json: {} })
  })
  await change('Change address', { 'New email address': 'ada@example.org' })
  await page().keyboard.press('Escape')
  await press('Change name')
  expect(await page().locator('main form:has(input:visible)').count()).toBe(1)
  late.resolve()
  await see('If ada@example.org can be used, we have sent a link to it.')
})

test('a form that waits for its answer at logout holds up no next login', async () => {
  await enter(visit, 'Profile')
  const late = Promise.withResolvers<void>()
  await page().route('**/auth/change-email', () => late.promise)
  await change('Change address', { 'New email address': 'ada@example.org' })
  await press('Log out')
  await seeHeading('Log in')
  await logIn(email, 'correct horse', { stay: false })
  await seeHeading('Profile')
  await press('Change name')
  expect(await field('Save name', 'Name (optional)').count()).toBe(1)
  late.resolve()
})

describe('when an address was verified in another tab', () => {
  const tellVerified = () =>
    page().evaluate(async () => {
      const [channel, other] = [new BroadcastChannel('address-verified'), new BroadcastChannel('address-verified')]
      const heard = new Promise(resolve => channel.addEventListener('message', resolve))
      other.postMessage(null)
      await heard
    })
  beforeEach(() => {
    answers()['/auth/me'] = [200, { ...me, is_verified: false }]
  })

  test('what is typed to end a session stays', async () => {
    await enter(visit, 'Sessions')
    await press('End')
    await field('End', 'Current password').fill('correct horse')
    await tellVerified()
    // Requests arrive in order.
    await page().evaluate(() => fetch('/auth/me'))
    expect(sent().filter(({ path }) => path === '/auth/sessions')).toHaveLength(1)
    expect(await field('End', 'Current password').inputValue()).toBe('correct horse')
  })

  test('the focus stays on "Send the email again", or goes to the heading', async () => {
    await enter(visit, 'Profile')
    const again = button('Send the email again')
    await again.focus()
    const read = page().waitForResponse('**/auth/me')
    await tellVerified()
    await read
    await again.click()
    await see('We have sent a new link.')
    expect(await focused()).toBe('Send the email again')
    answers()['/auth/me'] = [200, me]
    await tellVerified()
    await expect.poll(focused).toBe('Profile')
  })

  test('the second factor can be set up now, and the focus goes to the heading', async () => {
    await enter(visit, 'Security')
    await button('Send the email again').focus()
    answers()['/auth/me'] = [200, me]
    await tellVerified()
    await button('Turn on').waitFor()
    expect(await focused()).toBe('Security')
    expect(await button('Send the email again').count()).toBe(0)
  })

  test('during a login that is refused for it, the login is sent again', async () => {
    answers()['/auth/login'] = [403, { code: 'email-not-verified' }]
    await visit('')
    const late = Promise.withResolvers<void>()
    await page().route(
      '**/auth/login',
      async route => {
        await late.promise
        await route.fulfill({ status: 403, json: { code: 'email-not-verified' } })
      },
      { times: 1 },
    )
    await logIn(email, 'correct horse')
    await tellVerified()
    answers()['/auth/login'] = [200, { access_token: 'a', expires_in: 3600 }]
    late.resolve()
    await seeHeading('Profile')
  })
})

test('tokens that arrive after a logout are not kept, in the next login either', async () => {
  await enter(visit, 'Security')
  const late = Promise.withResolvers<void>()
  await page().route('**/auth/change-password', async route => {
    await late.promise
    await route.fulfill({
      json: { access_token: 'late', expires_in: 3600, refresh_token: 'ghr2.YQ.session-a.2.late.mac' },
    })
  })
  await change('Change password', { 'Current password': 'correct horse', 'New password': 'another horse' })
  await press('Log out')
  await seeHeading('Log in')
  answers()['/auth/login'] = [200, { access_token: 'next', expires_in: 3600 }]
  await logIn(email, 'another horse', { stay: false })
  late.resolve()
  await seeHeading('Profile')
  expect(await page().evaluate(() => ({ ...sessionStorage }))).toEqual({})
})

test.each([
  [true, 0],
  [false, 1],
])('asking for another address says where the mail went: verified %j', async (isVerified, count) => {
  answers()['/auth/me'] = [200, { ...me, is_verified: isVerified }]
  await enter(visit, 'Profile')
  await change('Change address', { 'New email address': 'ada@example.org' })
  await see('If ada@example.org can be used, we have sent a link to it.')
  expect(await page().getByText(`The link that we sent to ${email} before no longer works.`).count()).toBe(count)
  expect(await focused()).toBe('Change address')
})

test('nothing still says to open a link that no longer works', async () => {
  const unverified = { ...me, is_verified: false }
  Object.assign(answers(), { '/auth/me': [200, unverified], '/auth/register': [201, unverified] })
  await visit('#register')
  await send('Create an account', { 'Email address': email, Password: 'correct horse' })
  const count = (text: string) => page().getByText(text).filter({ visible: true }).count()
  await see(`We have sent a link to ${email}.`)
  await change('Change address', { 'New email address': 'ada@example.org' })
  await see('before no longer works.')
  expect(await count('We have sent a link to ada@example.com')).toBe(0)
  await send('Send the email again')
  await see('Only the link in the newest email works.')
  expect(await count('ada@example.org')).toBe(0)
})

test('deleting asks for the account’s address, whatever else is typed', async () => {
  await enter(visit, 'Security')
  await change('Delete account', { 'Your email address': 'ada' })
  expect(await errorAt('Delete account', 'Your email address')).toBe('This is not the address of your account.')
  expect(await errorAt('Delete account', 'Current password')).toBe('Enter your current password.')
  expect(sent().some(({ path }) => path === '/auth/delete-account')).toBe(false)
})

test('deleting sends the password alone, once the address is right', async () => {
  answers()['/auth/delete-account'] = [200, {}]
  await enter(visit, 'Security')
  await change('Delete account', { 'Your email address': 'ADA@example.com', 'Current password': 'correct horse' })
  await see('Your account has been deleted.')
  expect(sent().find(({ path }) => path === '/auth/delete-account')?.body).toEqual({ password: 'correct horse' })
})

test('a second factor takes a verified address, which is said before the password', async () => {
  answers()['/auth/me'] = [200, { ...me, is_verified: false }]
  await enter(visit, 'Security')
  await see(`Verify your email address ${email}.`)
  expect(await button('Turn on').count()).toBe(0)
  await send('Send the email again')
  await see('We have sent a new link.')
  expect(sent().at(-1)).toEqual({ path: '/auth/resend-verification', body: { email } })
  answers()['/auth/me'] = [200, me]
  await follow('Profile', 'Profile')
  await follow('Security', 'Security')
  expect(await button('Turn on').count()).toBe(1)
})

describe('setting up an authenticator app', () => {
  beforeEach(async () => {
    await enter(visit, 'Security')
    await change('Turn on', { 'Current password': 'x' })
    await page().getByRole('img', { name: 'QR code of the key' }).waitFor()
  })

  test('has two steps, to scan and to type, and begins again after "Cancel"', async () => {
    const steps = await page().locator('ol > li').allInnerTexts()
    expect(steps).toEqual([expect.stringContaining('Scan this code'), expect.stringContaining('Type the six digits')])
    await press('Cancel')
    await press('Turn on')
    expect(await field('Turn on', 'Current password').inputValue()).toBe('')
  })

  test('begins at its first step, on phones too, and says what to type', async () => {
    await press('Cancel')
    await page().setViewportSize({ width: 320, height: 568 })
    await change('Turn on', { 'Current password': 'x' })
    const code = page().getByRole('img', { name: 'QR code of the key' })
    await code.waitFor()
    expect(await focused()).toMatch(/^Scan this code/)
    const { y = -1, height = 0 } = (await code.boundingBox()) ?? {}
    expect(y).toBeGreaterThan(0)
    expect(y + height).toBeLessThan(568)
    const [, about] = ((await field('Confirm', 'Code').getAttribute('aria-describedby')) ?? '').split(' ')
    expect(await page().locator(`#${about}`).innerText()).toMatch(/^Type the six digits/)
    expect(await page().getByText('six digits').count()).toBe(1)
  })

  test('is still there after another form was open', async () => {
    await press('Change password')
    expect(await page().getByRole('img', { name: 'QR code of the key' }).count()).toBe(0)
    await press('Turn on')
    expect(await page().getByRole('img', { name: 'QR code of the key' }).count()).toBe(1)
  })

  test('ends with recovery codes in two columns, and the ways to keep them', async () => {
    await send('Confirm', { Code: '123456' })
    await see('Save your recovery codes')
    const tops = await page()
      .locator('.codes li')
      .evaluateAll(all => all.map(it => it.getBoundingClientRect().top))
    expect(new Set(tops).size).toBe(5)
    const names = await page().locator('.once button').allInnerTexts()
    expect(names).toEqual(['Copy the codes', 'Download the codes', 'I have saved them'])
    await press('Change password')
    expect(await page().locator('.codes').isVisible()).toBe(true)
  })
})

test('what cannot be read after "I have saved them" can be tried again', async () => {
  await enter(visit, 'Security')
  await change('Turn on', { 'Current password': 'x' })
  await send('Confirm', { Code: '123456' })
  answers()['/auth/second-factor'] = [503, { code: 'unavailable' }, 5]
  await press('I have saved them')
  await see('Try again in 5 seconds.')
  expect(await focused()).toBe('Try again')
  answers()['/auth/second-factor'] = [200, { methods: ['code'], recovery_codes_left: 10 }]
  await press('Try again')
  await see('Recovery codes left: 10.')
  expect(await focused()).toBe('Two-step verification')
})

test.each([
  [20, 'just now'],
  [90, '1 minute ago'],
  [3 * 3600, '3 hours ago'],
  [25 * 3600, 'yesterday'],
  [9 * 86_400, '9 days ago'],
])('a session used %i seconds ago says so, and when exactly in the title', async (seconds, words) => {
  const at = new Date(Date.now() - seconds * 1000).toISOString()
  const other = { id: 'b', label: 'Phone', created_at: at, last_used_at: at, is_current: false }
  answers()['/auth/sessions'] = [200, { sessions: [other, { ...other, id: 'a', label: 'Laptop', is_current: true }] }]
  await enter(visit, 'Sessions')
  expect(await page().getByRole('listitem').first().innerText()).toContain('this tab')
  const time = page().getByRole('listitem').last().locator('time').first()
  expect(await time.innerText()).toBe(words)
  expect(await time.getAttribute('datetime')).toBe(at)
  const exact = await page().evaluate(
    at => new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at)),
    at,
  )
  expect(await time.getAttribute('title')).toBe(exact)
})

test('an application’s session stands below its browser’s, with names in the reader’s words', async () => {
  const at = new Date().toISOString()
  const shop = { id: 'c', label: 'Shop', created_at: at, last_used_at: at, is_current: false, application: 'shop' }
  const browser = { ...shop, id: 'b', label: 'Firefox, Windows', browser: true, application: null }
  const own = { ...browser, id: 'a', label: 'Chrome, Linux', browser: false, is_current: true }
  const alone = { ...shop, id: 'd', label: 'Till', through: 'gone' }
  const sessions = [own, { ...shop, through: 'b' }, browser, alone]
  answers()['/auth/sessions'] = [200, { sessions }]
  await enter(visit, 'Sessions')
  const names = () => page().locator('main li > .head h2').allInnerTexts()
  expect(await names()).toEqual(['Chrome on Linux', 'Firefox on Windows', 'Shop', 'Till'])
  expect(await page().locator('main li li h2').allInnerTexts()).toEqual(['Shop'])
  expect(await page().locator('main li li').innerText()).toContain('application')
  await see('Stays logged in in a browser')
})

test('Security says what changed in seven days and the password’s age, Profile the account’s', async () => {
  const at = new Date(Date.now() - 2 * 86_400_000).toISOString()
  answers()['/auth/me'] = [200, { ...me, created_at: '2026-03-01T12:00:00.000Z' }]
  const methods = { has_password: true, providers: [], password_changed_at: at }
  const changes = [
    { kind: 'factor', at, can_be_undone: true },
    { kind: 'undone', at, can_be_undone: false },
  ]
  answers()['/auth/sign-in-methods'] = [200, { ...methods, changes }]
  await enter(visit, 'Profile')
  await see('Your account was created on Mar 1, 2026.')
  await follow('Security', 'Security')
  await see('Last changed 2 days ago')
  const told = page().locator('.row', { hasText: 'Changes of the last seven days' }).getByRole('listitem')
  expect(await told.allInnerTexts()).toEqual([
    expect.stringMatching(
      /^Two-step verification was turned on 2 days ago\s+The link in our email about it undoes this\.$/,
    ),
    expect.stringMatching(/^A change was undone 2 days ago\s+No link undoes this\.$/),
  ])
  answers()['/auth/change-password'] = [200, { access_token: 'next', expires_in: 3600 }]
  await change('Change password', { 'Current password': 'correct horse', 'New password': 'battery staple' })
  await see('Last changed just now')
})

test('without changes there is no list of them', async () => {
  answers()['/auth/sign-in-methods'] = [
    200,
    { has_password: true, providers: [], password_changed_at: null, changes: [] },
  ]
  await enter(visit, 'Security')
  expect(await page().getByText('Changes of the last seven days').isHidden()).toBe(true)
  expect(await page().getByText('Last changed').count()).toBe(0)
})

test('all other devices are logged out with one password', async () => {
  const at = new Date().toISOString()
  const other = { id: 'b', label: 'Phone', created_at: at, last_used_at: at, is_current: false }
  const own = { ...other, id: 'a', label: 'Laptop', is_current: true }
  answers()['/auth/sessions'] = [200, { sessions: [own, other] }]
  answers()['/auth/end-session'] = [200, { message: 'The session has ended.', success: true }]
  await enter(visit, 'Sessions')
  await press('Log out of all other devices')
  answers()['/auth/sessions'] = [200, { sessions: [own] }]
  await page().getByLabel('Current password').fill('correct horse')
  await page().locator('form [type="submit"]:visible').click()
  await page().getByText('Phone', { exact: true }).waitFor({ state: 'detached' })
  expect(
    sent()
      .filter(({ path }) => path === '/auth/end-session')
      .map(({ body }) => body),
  ).toEqual([{ others: true, password: 'correct horse' }])
  expect(await focused()).toBe('Sessions')
  expect(await page().getByRole('button', { name: 'Log out of all other devices' }).count()).toBe(0)
})

test('ending a browser’s session says what ends with it, and shows the rest', async () => {
  const at = new Date().toISOString()
  const shop = { id: 'c', label: 'Shop', created_at: at, last_used_at: at, is_current: false }
  const browser = { ...shop, id: 'b', label: null, browser: true }
  const own = { ...shop, id: 'a', label: 'Laptop', is_current: true }
  answers()['/auth/sessions'] = [200, { sessions: [own, browser, shop] }]
  answers()['/auth/end-session'] = [200, { message: 'The session has ended.', success: true }]
  await enter(visit, 'Sessions')
  const row = page().getByRole('listitem').filter({ hasText: 'Stays logged in in a browser' })
  await row.getByRole('button').first().click()
  await see('This also ends the sessions of applications that were opened by it.')
  answers()['/auth/sessions'] = [200, { sessions: [own] }]
  await row.getByLabel('Current password').fill('correct horse')
  await row.locator('[type="submit"]').click()
  await page().getByText('Shop', { exact: true }).waitFor({ state: 'detached' })
  expect(await page().getByRole('listitem').allInnerTexts()).toEqual([expect.stringContaining('Laptop')])
})
