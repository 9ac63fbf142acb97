import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Provider } from '../../../accounts/identity/provider.ts'
import { shopQuery } from '../../support/clients.ts'
import { gitHub, providers } from '../../support/providers.ts'
import { serve, type WebServer } from '../../support/web-server.ts'
import { setUpBrowser } from '../browser.ts'
import { offered, plainTexts, speakAll } from '../languages.ts'
import { acme, findBarriers, findBarriersInLightAndDark, inWords, scrollsSideways } from '../support.ts'
import { onAccountPage } from './account.ts'
import { setUpAnswers } from './answers.ts'

/** Trips to other providers and back, with an API whose answers a test sets. */

/** A provider that asks nothing, and returns people as a test tells it. */
interface LeadingBack extends WebServer {
  /** The parameters of its received requests. */
  asked: URLSearchParams[]
  /** Its answer beside the state, which a test may change too. */
  answer: Record<string, string>
}

/** Starts one. It answers by a query, or by a posted form if asked to. */
async function leadBack(): Promise<LeadingBack> {
  const server = await serve((request, response) => {
    const asked = new URL(request.url ?? '/', 'http://provider').searchParams
    const to = asked.get('redirect_uri')
    if (to === null) return response.writeHead(404).end()
    provider.asked.push(asked)
    const answered = { state: asked.get('state') ?? '', ...provider.answer }
    if (asked.get('response_mode') !== 'form_post') {
      return response.writeHead(302, { location: `${to}?${new URLSearchParams(answered)}` }).end()
    }
    const fields = Object.entries(answered).map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${value}" />`,
    )
    const page = `<form method="post" action="${to}">${fields.join('')}</form><script>document.forms[0].submit()</script>`
    response.writeHead(200, { 'content-type': 'text/html' }).end(page)
  })
  const provider: LeadingBack = {
    ...server,
    asked: [],
    answer: { code: 'the-code', iss: 'https://accounts.example.com' },
  }
  return provider
}

const { page, openPage } = setUpBrowser()
const { form, seeHeading, see, open: press, send, follow, errorAt } = onAccountPage(page)
const { begin, end, visit, site, answers, sent } = setUpAnswers(openPage)

const email = 'ada@example.com'
const password = 'correct horse'
const login = '/auth/provider-login'
/** The hint for when a stranger has registered with the address that a provider proves. */
const wayOut = 'If you did not choose it, choose a new one by email: that logs out whoever did.'
const stray = 'This login was not started in this tab, or was used already. Start again.'
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

let provider: LeadingBack

/** The setting's providers, by ids and names, on this machine. */
const listed = (): Provider[] =>
  providers.map(each => ({ ...each, authorizationEndpoint: `${provider.url}/authorize?policy=a` }))

beforeEach(async () => {
  await begin()
  provider = await leadBack()
  Object.assign(site(), { providers: listed() })
  site().config = { ...site().config, hasProviders: true, browserUrl: site().url }
  answers()['/auth/me'] = [200, { id: '1', email, name: 'Ada', is_verified: true }]
  answers()['/auth/logout'] = [200, {}]
  answers()[login] = answers()['/auth/login'] ?? null
})
afterEach(async () => {
  await end()
  await provider.close()
})

const sentTo = (path: string) => sent().flatMap(one => (one.path === path ? [one.body as Record<string, string>] : []))
const stored = () => page().evaluate(() => Object.keys(sessionStorage))
const comeBackTo = (query: Record<string, string>, id = 'google') =>
  page().goto(`${site().url}/sign-in/${id}?${new URLSearchParams(query)}`)
/** Keeps people at the provider. */
const stayThere = () => page().route(`${provider.url}/**`, route => route.fulfill({ body: 'Who are you?' }))
const refuse = (code: string, status: number, more: object = {}) => {
  answers()[login] = [status, { code, ...more }]
}

async function leave(name = 'Google', fragment = '#log-in'): Promise<void> {
  await visit(fragment)
  await press(`Continue with ${name}`)
}

/** Leaves for the provider, and stays there. @returns the provider's query */
async function leaveToStay(): Promise<URLSearchParams> {
  await visit('#log-in')
  await stayThere()
  await press('Continue with Google')
  await page().waitForURL(`${provider.url}/**`)
  return new URL(page().url()).searchParams
}

test.each(['#log-in', '#register'])(
  'the buttons at %s stand apart, and so does the word above them',
  async fragment => {
    await visit(fragment)
    const buttons = page().getByRole('button', { name: /^Continue with/ })
    await buttons.first().waitFor()
    const form = page().locator('form:visible').last()
    const stacked = [form, page().getByText('or', { exact: true }).last(), ...(await buttons.all())]
    const places = await Promise.all(stacked.map(async one => one.boundingBox()))
    expect(places).toHaveLength(5)
    for (const [i, place] of places.slice(1).entries()) {
      const above = places[i]
      expect((place?.y ?? 0) - (above ? above.y + above.height : 0)).toBeGreaterThanOrEqual(8)
    }
  },
)

test('a person logs in with a provider, whose answer brings back what binds it', async () => {
  await leave()
  await seeHeading('Profile')
  const [asked] = provider.asked
  const [posted] = sentTo(login)
  expect(posted).toEqual({
    provider: 'google',
    authorization_code: 'the-code',
    code_verifier: expect.stringMatching(/^[\w-]{43}$/),
    iss: 'https://accounts.example.com',
    session: { label: expect.any(String), tab: true },
  })
  const challenge = challengeOf(posted?.code_verifier ?? '')
  expect(Object.fromEntries(asked ?? [])).toEqual({
    policy: 'a',
    response_type: 'code',
    client_id: '1234.apps.googleusercontent.com',
    redirect_uri: `${site().url}/sign-in/google`,
    scope: 'openid email profile',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: challenge,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  expect(page().url()).toBe(`${site().url}/account#profile`)
  expect(await stored()).toEqual(['refresh-token'])
})

test('GitHub, which has no id token, is sent no nonce', async () => {
  Object.assign(site(), { providers: [{ ...gitHub, authorizationEndpoint: `${provider.url}/authorize` }] })
  await leave('GitHub')
  await seeHeading('Profile')
  const challenge = challengeOf(sentTo(login)[0]?.code_verifier ?? '')
  expect(Object.fromEntries(provider.asked[0] ?? [])).toEqual({
    response_type: 'code',
    client_id: gitHub.clientId,
    redirect_uri: `${site().url}/sign-in/github`,
    scope: 'user:email',
    state: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
})

test('nothing is drawn before somebody presses a button, and each press draws anew', async () => {
  await visit('#log-in')
  await page().addInitScript(() => {
    const draw = crypto.getRandomValues.bind(crypto)
    const counting = (bytes: Uint8Array<ArrayBuffer>) => {
      document.documentElement.dataset.drawn = 'yes'
      return draw(bytes)
    }
    Object.assign(crypto, { getRandomValues: counting })
  })
  await page().reload()
  await seeHeading('Log in')
  expect(await page().locator('html').getAttribute('data-drawn')).toBeNull()
  expect(await stored()).toEqual([])
  await press('Continue with Google')
  await seeHeading('Profile')
  await press('Log out')
  await seeHeading('Log in')
  await press('Continue with Google')
  await seeHeading('Profile')
  const drawn = [...provider.asked.map(asked => asked.get('state')), ...sentTo(login).map(it => it.code_verifier)]
  expect(new Set(drawn).size).toBe(4)
})

test('who registers with a provider stays logged in in the tab', async () => {
  await leave('Google', '#register')
  await seeHeading('Profile')
  expect(sentTo(login)).toMatchObject([{ session: { tab: true } }])
})

test('without a tick the tab does not stay logged in; the language goes along', async () => {
  site().config.languages = ['en', 'de']
  await visit('?lang=de#log-in')
  await page().getByRole('checkbox').uncheck()
  await press('Weiter mit Google')
  await seeHeading('Profil')
  expect(sentTo(login)).toMatchObject([{ language: 'de' }])
  expect(sentTo(login)[0]).not.toHaveProperty('session')
  expect(page().url()).toBe(`${site().url}/account?lang=de#profile`)
})

test('an answer that comes by a form goes through the fragment', async () => {
  await leave('Apple')
  await seeHeading('Profile')
  expect(provider.asked[0]?.get('response_mode')).toBe('form_post')
  expect(sentTo(login)).toMatchObject([{ provider: 'apple', authorization_code: 'the-code' }])
  expect(site().requests.filter(it => it.includes('the-code'))).toEqual([])
})

test('a fragment that a redirect inherits from an address of the provider says nothing', async () => {
  const asked = await leaveToStay()
  const back = new URLSearchParams({ code: 'the-code', state: asked.get('state') ?? '' })
  await page().goto(`${site().url}/sign-in/google?${back}#state=other&error=access_denied`)
  await seeHeading('Profile')
  expect(sentTo(login)).toMatchObject([{ authorization_code: 'the-code' }])
})

describe('a provider that lets nobody in', () => {
  const canceled = 'Logging in with Google was cancelled. Try again, or log in another way.'
  const problem = 'Google reports a problem. Try again, or log in another way.'

  test.each([
    [{ error: 'access_denied' }, canceled],
    [{ error: 'user_cancelled_authorize' }, canceled],
    [{ error: 'server_error', error_description: '<b>secret words</b>' }, problem],
    [{ error: 'access_denied', code: 'the-code' }, canceled],
    [{}, problem],
  ] as [Record<string, string>, string][])('that says %j is not asked again', async (answer, words) => {
    provider.answer = answer
    await leave()
    await see(words)
    // Who stopped it has made no mistake.
    const role = words === canceled ? 'status' : 'alert'
    const said = await page().locator('main').getByRole(role).allInnerTexts()
    expect(said.filter(text => text !== '')).toEqual([words])
    expect(await page().locator('main .error').filter({ hasText: words }).count()).toBe(role === 'alert' ? 1 : 0)
    expect(await page().locator('body').innerText()).not.toContain('secret words')
    expect(sentTo(login)).toEqual([])
    expect(page().url()).toBe(`${site().url}/account#log-in`)
    expect(await findBarriers(page())).toEqual([])
    // A message lasts for one view.
    await follow('Create an account', 'Create an account')
    expect(await page().getByText(words).count()).toBe(0)
  })
})

describe('an answer that this tab does not wait for', () => {
  /** It says so, sends nothing, and neither shows nor keeps any part of the address. */
  async function isStray(id = 'google'): Promise<void> {
    await see(stray)
    expect(page().url()).toBe(`${site().url}/sign-in/${id}`)
    expect(await page().evaluate(() => document.activeElement?.textContent)).toBe('You are not logged in')
    expect(await page().content()).not.toContain('secret-')
    expect(await stored()).toEqual([])
    expect(sent()).toEqual([])
  }

  test('is refused where no trip was begun: a login of somebody else', async () => {
    await visit('#forgot')
    await comeBackTo({ code: 'secret-code', state: 'secret-state', iss: 'https://secret.example' })
    await isStray()
    expect(await findBarriers(page())).toEqual([])
  })

  test('is refused with another state, and so is the right one afterwards', async () => {
    const asked = await leaveToStay()
    await comeBackTo({ code: 'secret-code', state: 'secret-state' })
    await isStray()
    await comeBackTo({ code: 'secret-code', state: asked.get('state') ?? '' })
    await isStray()
  })

  test.each(['', ' '])('is refused with a state that is %j', async state => {
    await leaveToStay()
    await comeBackTo({ code: 'secret-code', state })
    await isStray()
  })

  test("is refused at another provider's address: a mix-up", async () => {
    const asked = await leaveToStay()
    await comeBackTo({ code: 'secret-code', state: asked.get('state') ?? '' }, 'work')
    await isStray('work')
  })

  test('is refused the second time', async () => {
    await leave()
    await seeHeading('Profile')
    await press('Log out')
    await seeHeading('Log in')
    sent().length = 0
    await comeBackTo({ code: 'secret-code', state: provider.asked[0]?.get('state') ?? '' })
    await isStray()
  })

  test.each([
    ['ten minutes later', -1],
    ['with a clock that was put back', 20 * 60_000],
  ])('is refused %s', async (_, until) => {
    const asked = await leaveToStay()
    await page().goto(`${site().url}/verify-email`)
    await page().evaluate(left => {
      const trip = JSON.parse(sessionStorage.getItem('trip') ?? '')
      sessionStorage.setItem('trip', JSON.stringify({ ...trip, until: Date.now() + left }))
    }, until)
    await comeBackTo({ code: 'secret-code', state: asked.get('state') ?? '' })
    await isStray()
  })

  test('is refused where a page of another site posts it', async () => {
    await visit('#log-in')
    await page().goto(
      `${provider.url}/authorize?${new URLSearchParams({
        redirect_uri: `${site().url}/sign-in/apple`,
        response_mode: 'form_post',
        state: 'secret-state',
      })}`,
    )
    await isStray('apple')
  })

  test.each(offered)('is refused in words of %s', async tag => {
    site().config.languages = offered
    await visit('#log-in')
    await page().goto(`${site().url}/sign-in/google?lang=${tag}&code=secret-code`)
    await page().getByRole('heading', { level: 1 }).waitFor()
    if (tag === 'en-XA') expect(await page().evaluate(plainTexts(['Acme', acme.supportEmail]))).toEqual([])
    await page().setViewportSize({ width: 320, height: 640 })
    expect(await scrollsSideways(page())).toBe(false)
    expect(await findBarriers(page(), inWords)).toEqual([])
  })
})

describe('no buttons are there', () => {
  const buttons = () =>
    page()
      .getByRole('button', { name: /^Continue with/ })
      .count()

  test('on a page of another origin than that to which providers lead back', async () => {
    site().config.browserUrl = site().url.replace('127.0.0.1', 'localhost')
    await visit('#log-in')
    expect(await buttons()).toBe(0)
  })

  test('where the browser stores nothing', async () => {
    await visit('#log-in')
    expect(await buttons()).toBe(3)
    await page().addInitScript(() =>
      Object.defineProperty(window, 'sessionStorage', {
        get() {
          throw new DOMException('', 'SecurityError')
        },
      }),
    )
    await page().reload()
    await seeHeading('Log in')
    expect(await buttons()).toBe(0)
  })
})

describe('a login with a provider that is refused', () => {
  test('because a mail comes first is no error', async () => {
    refuse('second-factor-setup', 403)
    await leave()
    await seeHeading('Check your inbox')
    await see('We have sent you a link')
    expect(await page().locator('[role="alert"]').count()).toBe(0)
    await follow('Log in', 'Log in')
  })

  test.each([
    ['provider-unavailable', 503, 'Google does not answer. Try again, or log in another way.'],
    ['sign-up-closed', 403, 'Accounts are opened by invitation here.'],
  ])('(%s) leads back to the form, and says why', async (code, status, words) => {
    refuse(code, status, { provider_token: 'provider-token' })
    await leave()
    await seeHeading('Log in')
    expect(await page().locator('[role="alert"]').first().innerText()).toContain(words)
    expect(sentTo(login)).toHaveLength(1)
  })

  test('asks for a code once the API asks, without a second trip', async () => {
    refuse('second-factor-required', 401, { methods: ['code'], provider_token: 'provider-token' })
    await leave()
    await page().getByLabel('Code', { exact: true }).waitFor()
    expect(await findBarriers(page())).toEqual([])
    refuse('wrong-code', 400, { provider_token: 'newer-token' })
    await send('Log in', { Code: '111111' })
    expect(await errorAt('Log in', 'Code')).toContain('This code is wrong.')
    answers()[login] = answers()['/auth/login'] ?? null
    await send('Log in', { Code: '492039' })
    await seeHeading('Profile')
    expect(sentTo(login).slice(1)).toEqual([
      { provider_token: 'provider-token', code: '111111', session: { label: expect.any(String), tab: true } },
      { provider_token: 'newer-token', code: '492039', session: { label: expect.any(String), tab: true } },
    ])
  })
})

describe('where the address has an account', () => {
  beforeEach(async () => {
    refuse('password-required', 401, { email, provider_token: 'provider-token' })
    await leave()
    await seeHeading('Connect Google')
  })

  test('its password connects the provider, once, and a code where the API asks for it', async () => {
    await see(`Logged in with Google as ${email}`)
    await see(`The account here: ${email}`)
    refuse('bad-credentials', 401, { provider_token: 'newer-token' })
    await send('Connect and log in', { Password: 'wrong' })
    expect(await errorAt('Connect and log in', 'Password')).toBe('This is not the password of the account. Try again.')
    refuse('second-factor-required', 401, { methods: ['code'], provider_token: 'newest-token' })
    await send('Connect and log in', { Password: password })
    await page().getByLabel('Code', { exact: true }).waitFor()
    answers()[login] = answers()['/auth/login'] ?? null
    await send('Connect and log in', { Code: '492039' })
    await seeHeading('Profile')
    const session = { label: expect.any(String), tab: true }
    expect(sentTo(login).slice(1)).toEqual([
      { provider_token: 'provider-token', email, password: 'wrong', session },
      { provider_token: 'newer-token', email, password, session },
      { provider_token: 'newest-token', email, password, code: '492039', session },
    ])
  })

  test('a mail that comes first is no error', async () => {
    refuse('second-factor-setup', 403)
    await send('Connect and log in', { Password: password })
    await seeHeading('Check your inbox')
    await see(`We have sent a link to ${email}`)
    expect(await page().locator('[role="alert"]').count()).toBe(0)
  })

  test('a link is mailed to who has no password or wants it', async () => {
    answers()['/auth/forgot-password'] = [200, {}]
    const mail = form('No password, or forgotten it? Send a link')
    expect(await mail.getByText(wayOut).count()).toBe(1)
    await press('No password, or forgotten it? Send a link')
    await see(`If ${email} is the address of an account, we have sent a link to it.`)
    expect(sentTo('/auth/forgot-password')).toEqual([{ email }])
    answers()[login] = answers()['/auth/login'] ?? null
    await send('Connect and log in', { Password: password })
    await seeHeading('Profile')
  })

  test('there is a way back', async () => {
    await press('Log in another way')
    await seeHeading('Log in')
    expect(await page().getByRole('alert').filter({ hasText: /./ }).count()).toBe(0)
  })

  test('it looks and reads as it should, in every language', async () => {
    site().config.languages = offered
    await page().setViewportSize({ width: 320, height: 640 })
    await leave()
    await seeHeading('Connect Google')
    expect(await findBarriers(page())).toEqual([])
    await speakAll(page(), async tag => {
      if (tag === 'en-XA') expect(await page().evaluate(plainTexts(['Acme', acme.supportEmail, 'Google']))).toEqual([])
    })
  })
})

describe('whoever is logged in', () => {
  const identity = (id: string, name: string | null, address: string | null) => ({
    id,
    provider: name,
    email: address,
    connected_at: '2026-03-01T12:00:00.000Z',
  })
  const methods = (has_password: boolean, ...all: object[]) => {
    answers()['/auth/sign-in-methods'] = [200, { has_password, providers: all }]
  }

  async function enter({ stays = true } = {}): Promise<void> {
    await visit('#security')
    if (!stays) await page().getByLabel('Keep me logged in in this tab').uncheck()
    await send('Log in', { 'Email address': email, Password: password })
    await seeHeading('Security')
  }

  test.each([true, false])('connects a provider, with the password (a session: %s)', async stays => {
    if (!stays) answers()[login] = answers()['/auth/login'] = [200, { access_token: 'token', expires_in: 3600 }]
    await enter({ stays })
    answers()['/auth/refresh'] = answers()['/auth/login'] ?? null
    refuse('password-required', 401, { email: 'eve@home.example', provider_token: 'provider-token' })
    await press('Connect Google')
    await seeHeading('Connect Google')
    await see('Logged in with Google as eve@home.example')
    // They have logged in with it.
    expect(await page().getByText(wayOut).count()).toBe(0)
    await see(`The account here: ${email}`)
    methods(true, identity('a', 'google', 'eve@home.example'))
    answers()[login] = answers()['/auth/login'] ?? null
    await send('Connect and log in', { Password: password })
    await seeHeading('Security')
    await see('eve@home.example')
    const session = stays && { session: { label: expect.any(String), tab: true } }
    expect(sentTo(login)).toEqual([
      // No account is opened or logged in to with it.
      {
        provider: 'google',
        authorization_code: 'the-code',
        code_verifier: expect.any(String),
        iss: 'https://accounts.example.com',
        email,
        password: '',
        ...session,
      },
      { provider_token: 'provider-token', email, password, ...session },
    ])
    // The session that the new one replaces.
    expect(sentTo('/auth/logout')).toHaveLength(stays ? 1 : 0)
  })

  test('is where they were after a trip that came to nothing', async () => {
    await enter()
    answers()['/auth/refresh'] = answers()['/auth/login'] ?? null
    provider.answer = { error: 'access_denied' }
    await press('Connect Google')
    await see('Logging in with Google was cancelled.')
    await seeHeading('Security')
  })

  test('goes back from the form to where they were', async () => {
    await enter()
    answers()['/auth/refresh'] = answers()['/auth/login'] ?? null
    // The provider gives no address.
    refuse('password-required', 401, { provider_token: 'provider-token' })
    await press('Connect Google')
    await seeHeading('Connect Google')
    expect(await page().getByText('Logged in with').count()).toBe(0)
    await press('Log in another way')
    await seeHeading('Security')
    expect(sentTo(login)).toHaveLength(1)
  })

  test('disconnects one of them, with the password', async () => {
    methods(true, identity('a', 'google', 'ada@home.example'), identity('b', null, null))
    await enter()
    expect(await page().getByRole('button', { name: 'Connect Google', exact: true }).count()).toBe(0)
    expect(await page().getByRole('button', { name: 'Connect Apple', exact: true }).count()).toBe(1)
    expect(await findBarriers(page())).toEqual([])
    answers()['/auth/disconnect-provider'] = [400, { code: 'wrong-password' }]
    await press('Disconnect Google')
    await send('Disconnect Google', { 'Current password': 'wrong' })
    expect(await errorAt('Disconnect Google', 'Current password')).toContain('This is not the password')
    answers()['/auth/disconnect-provider'] = answers()['/auth/login'] ?? null
    await send('Disconnect Google', { 'Current password': password })
    await see('The login has been disconnected.')
    expect(sentTo('/auth/disconnect-provider')[1]).toEqual({ id: 'a', password })
    expect(await page().getByText('ada@home.example').count()).toBe(0)
    expect(await page().getByRole('button', { name: 'Connect Google', exact: true }).count()).toBe(1)
  })

  test('without a password is offered to choose one, and nothing that asks for it', async () => {
    methods(false, identity('a', 'google', email))
    answers()['/auth/forgot-password'] = [200, {}]
    await enter()
    const named = (name: RegExp) => page().getByRole('button', { name }).count()
    expect(await named(/^(Dis)?connect /i)).toBe(0)
    expect(await named(/^Change password$/)).toBe(0)
    expect(await page().getByText('To connect one').count()).toBe(0)
    await press('Choose a password')
    await see('We have sent a new link.')
    expect(sentTo('/auth/forgot-password')).toEqual([{ email }])
    expect(await findBarriers(page())).toEqual([])
  })

  test.each([true, false])(
    'reads of the password first, without a line above (there is one: %s)',
    async hasPassword => {
      methods(hasPassword, identity('a', 'google', email))
      await enter()
      const first = page().locator('.card .row').first()
      expect(await first.getByRole('heading').first().textContent()).toBe('Password')
      expect(await first.evaluate(row => getComputedStyle(row).borderTopWidth)).toBe('0px')
    },
  )

  test('sees nothing of providers where there are none and none is connected', async () => {
    Object.assign(site(), { providers: [] })
    await enter()
    expect(await page().getByText('Ways to log in').isVisible()).toBe(false)
  })

  test('reads it in every language, in light and dark, and at 320 px', async () => {
    site().config.languages = offered
    methods(true, identity('a', 'google', `${'ada.'.repeat(12)}lovelace@home.example`), identity('b', null, null))
    await enter()
    await page().setViewportSize({ width: 320, height: 640 })
    await press('Disconnect Google')
    expect(await findBarriersInLightAndDark(page())).toEqual([])
    await speakAll(page(), async tag => {
      if (tag === 'en-XA')
        expect(
          await page().evaluate(plainTexts(['Acme', acme.supportEmail, 'Google', 'Apple', 'Work account'])),
        ).toEqual([])
    })
  })
})

describe('the page on which people log in to an application', () => {
  const onward = 'https://shop.example.com/callback?code=abc'
  const visitShop = (more = {}) => visit(`?${shopQuery(more)}`, '/authorize')

  beforeEach(() => {
    site().config.hasClients = true
    answers()['/auth/authorize-session'] = [401, { code: 'login-required' }]
    answers()['/auth/authorize'] = [200, { location: onward }]
  })
  const serveShop = () => page().route('https://shop.example.com/**', route => route.fulfill({ body: 'Shop' }))

  test('takes a provider in place of a password, and its query through the trip', async () => {
    await visitShop({ state: 'a b&c=d' })
    await serveShop()
    await page().getByLabel('Keep me logged in in this browser').check()
    await press('Continue with Google')
    await page().waitForURL(onward)
    expect(sentTo('/auth/authorize')).toEqual([
      {
        request: shopQuery({ state: 'a b&c=d' }),
        stay: true,
        label: expect.stringMatching(/^\w+, \w+$/),
        provider: 'google',
        authorization_code: 'the-code',
        code_verifier: expect.any(String),
        iss: 'https://accounts.example.com',
      },
    ])
    // The logged-in person may be somebody else.
    expect(sentTo('/auth/authorize-session')).toHaveLength(1)
  })

  test('connects it with the password', async () => {
    await visitShop()
    await serveShop()
    answers()['/auth/authorize'] = [401, { code: 'password-required', email, provider_token: 'provider-token' }]
    await press('Continue with Google')
    await seeHeading('Connect Google')
    await see(wayOut)
    answers()['/auth/forgot-password'] = [200, {}]
    await press('No password, or forgotten it? Send a link')
    await see(`If ${email} is the address of an account, we have sent a link to it.`)
    expect(sentTo('/auth/forgot-password')).toEqual([{ email, client_id: 'shop' }])
    answers()['/auth/authorize'] = [200, { location: onward }]
    await send('Connect and log in', { Password: password })
    await page().waitForURL(onward)
    expect(sentTo('/auth/authorize')[1]).toEqual({
      request: shopQuery(),
      stay: false,
      provider_token: 'provider-token',
      email,
      password,
    })
  })

  test('says what the provider said, and goes on as before', async () => {
    await visitShop()
    provider.answer = { error: 'access_denied' }
    await press('Continue with Google')
    await see('Logging in with Google was cancelled.')
    await seeHeading('Log in to Shop')
  })
})

describe('the page that sets up a second factor', () => {
  test('takes a provider, and then asks for no password', async () => {
    await visit('?token=mail-token', '/second-factor')
    refuse('second-factor-setup', 403, { setup_token: 'setup-token' })
    await press('Continue with Google')
    await seeHeading('Add the account to your app')
    // A new person may open an account here.
    expect(sentTo(login)).toMatchObject([{ provider: 'google', mail_token: 'mail-token', language: 'en' }])
    expect(sentTo('/auth/second-factor/setup')).toEqual([{}])
    expect(page().url()).toBe(`${site().url}/second-factor`)
  })

  test('keeps its link through a trip that came to nothing', async () => {
    provider.answer = { error: 'access_denied' }
    await visit('?token=mail-token', '/second-factor')
    await press('Continue with Google')
    await see('Logging in with Google was cancelled.')
    expect(await page().evaluate(() => history.state)).toEqual({ token: 'mail-token' })
    expect(await page().getByText(wayOut).isVisible()).toBe(false)
    refuse('password-required', 401, { email, provider_token: 'provider-token' })
    provider.answer = { code: 'the-code' }
    await press('Continue with Google')
    await see('There is an account for this address already.')
    await see(wayOut)
    expect(await page().getByLabel('Email address').inputValue()).toBe(email)
    expect(await findBarriers(page())).toEqual([])
    await page().getByRole('link', { name: 'Reset your password', exact: true }).click()
    await seeHeading('Reset your password')
  })
})
