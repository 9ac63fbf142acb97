import { beforeEach, describe, expect, test } from 'vitest'
import { passwordLength } from '../../../accounts/password/password.ts'
import { allLanguages } from '../../../shared/words/pseudo.ts'
import { disguise } from '../../support/code-forms.ts'
import { offered, plainTexts, speakAll } from '../languages.ts'
import { type Answer, findBarriers, loaded } from '../support.ts'
import { ok, problem, setUpPages } from './pages.ts'

const { site, page, replacePage, waitForState, shown, heading, waitForAlert, click, focused } = setUpPages()

describe('the password field', () => {
  const field = '#new-password'
  const eye = () => page().getByRole('button', { name: 'Show password', exact: true })
  beforeEach(() => page().goto(`${site().url}/reset-password?token=secret-token`))

  test('shows and hides what is typed, and hides what is sent', async () => {
    const seen = async () => [await page().getAttribute(field, 'type'), await eye().getAttribute('aria-pressed')]
    const [hidden, visible] = [
      ['password', 'false'],
      ['text', 'true'],
    ]
    for (const expected of [hidden, visible, hidden, visible]) {
      expect(await seen()).toEqual(expected)
      await eye().click()
    }
    await eye().click()
    site().answer = problem(503, 'Try again')
    await page().fill(field, 'correct horse')
    await click()
    await waitForAlert()
    expect(await seen()).toEqual(hidden)
  })

  const tooCommon =
    'Choose another password. This one is too easy to guess: it is a common one, your email address (or the part ' +
    'before the @), or the name Acme.'
  const breached =
    'Choose another password. This one has appeared in a data breach, and thieves try such passwords first.'

  test.each([
    ['too short for it', 'This password is too short.', { code: 'password-too-short' }],
    ['ada@example.com', tooCommon, { code: 'password-too-common' }],
    ['known to thieves', breached, { code: 'password-too-common', reason: 'breached' }],
    [
      'the same again',
      'Choose a password that differs from the one before: somebody else may know that one.',
      { code: 'former-password' },
    ],
    [
      'what it does not take',
      'That is not a valid password. Use at most 256 characters.',
      { code: 'invalid-body', errors: [{ pointer: '/new_password', detail: 'must be another text' }] },
    ],
  ])('leaves judging %s to the API, and says what is wrong until somebody types', async (password, words, members) => {
    site().answer = problem(400, 'This is for programs', members)
    await page().fill(field, password)
    await click()
    await page().getByText(words, { exact: true }).waitFor()
    expect(site().posts[0]?.body).toMatchObject({ new_password: password })
    expect(await focused()).toBe('new-password')
    expect(await page().getAttribute(field, 'aria-invalid')).toBe('true')
    expect(await page().getAttribute(field, 'aria-describedby')).toBe('new-password-error hint')
    expect(await page().textContent('#new-password-error')).toBe(words)
    expect((await page().innerText('form')).match(/at least 8 characters/gi)).toHaveLength(1)
    await page().keyboard.type('x')
    expect(await page().textContent('#new-password-error')).toBe('')
    expect(await page().getAttribute(field, 'aria-invalid')).toBeNull()
  })

  test.each([
    ['none', '', 'Enter a new password.'],
    ['one too short', '1234567', 'This password is too short.'],
    ['one too short in code points', '\u{1f511}'.repeat(7), 'This password is too short.'],
    ['one too short once composed', 'e\u0301'.repeat(7), 'This password is too short.'],
    [
      'one too long',
      'x'.repeat(passwordLength.max + 1),
      `That is not a valid password. Use at most ${passwordLength.max} characters.`,
    ],
  ])('asks for another password where there is %s, and posts nothing', async (_, typed, words) => {
    await page().fill(field, typed)
    await click()
    expect(await page().textContent('#new-password-error')).toBe(words)
    expect(await focused()).toBe('new-password')
    expect(site().posts).toEqual([])
  })

  test('is empty once the password is changed', async () => {
    site().answer = ok
    await page().fill(field, 'correct horse')
    await click()
    await waitForState('done')
    expect(await page().inputValue(field)).toBe('')
  })

  test('accepts a pasted password in full', async () => {
    await page().context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const long = 'a long password with spaces and ünïcödé '.repeat(6)
    await page().evaluate(text => navigator.clipboard.writeText(text), long)
    await page().focus(field)
    await page().keyboard.press('Control+V')
    expect(await page().inputValue(field)).toBe(long)
  })
})

describe('the question what else logs in', () => {
  const keep = () => page().getByRole('radio', { name: 'Yes, keep them' })
  const remove = () => page().getByRole('radio', { name: 'No, or I am not sure: remove them' })
  const question = () => page().locator('[data-logins]')
  const provider = { kind: 'provider', label: 'Example, ada@example.com', day: '2026-03-01' }
  const passkey = { kind: 'passkey', label: '<Phone>', day: '2026-02-28' }
  const app = { kind: 'app', label: 'Authenticator app', day: '2026-02-27' }
  const answer = (logins: object[]) => {
    site().answers[loaded] = { body: { logins } }
  }
  beforeEach(() => answer([provider, passkey, app]))
  const visit = async (marks = '&logins=1') => {
    await page().goto(`${site().url}/reset-password?token=secret-token${marks}`)
    await question().waitFor()
  }

  test('lists what else logs in, and asks whether all of it is theirs', async () => {
    await visit()
    expect(
      await page().getByRole('group', { name: 'You can also log in with:' }).getByRole('listitem').allInnerTexts(),
    ).toEqual([
      'Example, ada@example.com, connected on Mar 1, 2026',
      'The passkey “<Phone>”, added on Feb 28, 2026',
      'An authenticator app, set up on Feb 27, 2026',
    ])
    expect(await page().getByRole('group', { name: 'Are all of these yours?' }).count()).toBe(1)
    expect(site().posts).toEqual([])
  })

  test('names a device in words', async () => {
    answer([{ ...passkey, label: 'Chrome, Linux' }])
    await visit()
    expect(await page().locator('#listed li').innerText()).toContain('The passkey “Chrome on Linux”')
  })

  test('is not there where nothing else logs in', async () => {
    answer([])
    site().answer = ok
    await page().goto(`${site().url}/reset-password?token=secret-token&logins=1`)
    await page().fill('#new-password', 'correct horse')
    await click()
    await waitForState('done')
    expect(site().posts[0]?.body).toEqual({ token: 'secret-token', new_password: 'correct horse' })
  })

  test('comes before anything is sent, though somebody is faster than the list', async () => {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    site().answers[loaded] = promise
    await page().goto(`${site().url}/reset-password?token=secret-token`)
    await page().fill('#new-password', 'correct horse')
    await click()
    expect(await question().isVisible()).toBe(false)
    resolve({ body: { logins: [passkey] } })
    await page().locator('#keep-error', { hasText: 'Choose one.' }).waitFor()
    expect(site().posts).toEqual([])
  })

  test('needs no list: where it cannot be loaded, the email has it', async () => {
    site().answers[loaded] = problem(503, 'Try again', { code: 'unavailable' })
    site().answer = ok
    await visit('&logins=1&app=1')
    await page().getByRole('group', { name: 'The email lists other ways to log in. Are all of these yours?' }).waitFor()
    expect(await page().getByRole('list').count()).toBe(0)
    await page().fill('#new-password', 'correct horse')
    await remove().check()
    await click()
    await waitForState('done')
    expect(await shown()).toContain('open the link in our email about it')
  })

  test('is no question of a dead link, whose page says so at once', async () => {
    site().answers[loaded] = problem(400, 'Invalid or expired token', { code: 'invalid-reset-token' })
    await page().goto(`${site().url}/reset-password?token=secret-token&logins=1`)
    await waitForState('expired')
    expect(await focused()).toBe('H1')
  })

  test('is not asked where the email lists nothing, and the list cannot be loaded', async () => {
    site().answers[loaded] = { body: null }
    site().answer = ok
    await page().goto(`${site().url}/reset-password?token=secret-token`)
    await page().fill('#new-password', 'correct horse')
    await click()
    await waitForState('done')
    expect(site().posts[0]?.body).toEqual({ token: 'secret-token', new_password: 'correct horse' })
  })

  test.each([
    ['the app is removed from what is theirs', [app], remove, true],
    ['all is theirs', [app], keep, false],
    ['there is no app', [passkey], remove, false],
  ])('leads to the email about an app where %s: %s', async (_, logins, choose, isNamed) => {
    answer(logins)
    site().answer = ok
    await visit()
    await page().fill('#new-password', 'correct horse')
    await choose().check()
    await click()
    await waitForState('done')
    expect((await shown()).includes('If the authenticator app is not yours')).toBe(isNamed)
  })

  test('takes an answer, which is posted', async () => {
    await visit()
    await page().fill('#new-password', 'correct horse')
    await click()
    expect(await page().textContent('#keep-error')).toBe('Choose one.')
    expect(site().posts).toEqual([])
    site().answer = problem(422, 'This is for programs', {
      code: 'invalid-body',
      errors: [{ pointer: '/keep_other_logins', detail: 'must be true or false' }],
    })
    await keep().check()
    await click()
    await page().locator('#keep-error', { hasText: /./ }).waitFor()
    site().answer = ok
    await click()
    await waitForState('done')
    expect(site().posts[1]?.body).toEqual({
      token: 'secret-token',
      new_password: 'correct horse',
      keep_other_logins: true,
    })
  })

  test.each([
    [320, 'dark'],
    [768, 'light'],
  ] as const)('looks and reads as it should at %i px in the %s, in every language', async (width, colorScheme) => {
    await replacePage({ viewport: { width, height: 568 }, colorScheme })
    site().config.languages = offered
    await visit()
    await click()
    await keep().focus()
    expect(await findBarriers(page())).toEqual([])
    await speakAll(page(), async tag => {
      if (tag === 'en-XA') expect(await page().evaluate(plainTexts(['Acme', 'help@acme.example']))).toEqual([])
    })
  })
})

test('who never had a password chooses one, which the page says in every language', async () => {
  site().config.languages = offered
  site().answers[loaded] = { body: { logins: [{ kind: 'app', label: 'Authenticator app', day: '2026-03-01' }] } }
  await page().goto(`${site().url}/reset-password?token=secret-token&logins=1&first=1`)
  for (const reload of [false, true]) {
    if (reload) await page().reload()
    expect(page().url()).toBe(`${site().url}/reset-password`)
    expect(await heading()).toBe('Choose a password')
    expect(await page().title()).toBe('Choose a password · Acme')
    await page().locator('[data-logins]').waitFor()
  }
  expect(await findBarriers(page())).toEqual([])
  await speakAll(page(), async tag => {
    expect(await page().locator('h1:visible').count()).toBe(1)
    expect(await heading()).toBe(allLanguages[tag]?.pages.resetPassword.first)
  })
})

describe('the page /change-email', () => {
  beforeEach(() => page().goto(`${site().url}/change-email?token=secret-token`))

  test.each([
    ['wrong-password', 'password', 'This is not the password of the account. Try again.'],
    ['email-taken', null, 'There is an account with this address already. Log in to it, or use another address.'],
  ])('after %s says what it is about, and can be tried again', async (code, field, words) => {
    site().answer = problem(400, 'This is for programs', { code })
    await page().fill('#password', 'correct horse')
    await click()
    await page().getByText(words, { exact: true }).waitFor()
    expect(await focused()).toBe(field ?? 'BUTTON')
    site().answer = ok
    await click()
    await waitForState('done')
  })

  test('asks for a second factor where the API does, and sends password and code together', async () => {
    expect(await page().getByLabel('Code').isVisible()).toBe(false)
    site().answer = problem(400, 'A second factor is required', { code: 'second-factor-required' })
    await page().fill('#password', 'correct horse')
    await click()
    await page().getByLabel('Code').waitFor()
    expect(await page().locator('label:visible').allInnerTexts()).toEqual(['Code'])
    await page().getByRole('heading', { name: 'Enter your code' }).waitFor()
    await page().getByRole('button', { name: 'Back' }).click()
    expect(await page().inputValue('#password')).toBe('correct horse')
    await click()
    await click()
    expect(await page().locator('.code-step .error').textContent()).toBe('Enter a code.')
    site().answer = ok
    await page().keyboard.insertText(disguise('123456'))
    await page().keyboard.press('Enter')
    await waitForState('done')
    expect(site().posts.map(({ body }) => body)).toEqual([
      // Who goes back and presses again is asked again.
      { token: 'secret-token', password: 'correct horse' },
      { token: 'secret-token', password: 'correct horse' },
      { token: 'secret-token', password: 'correct horse', code: '123456' },
    ])
  })
})
