import { describe, expect, test } from 'vitest'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import { subjectsOf } from '../../support/service/identities.ts'
import { ada, find, invite, lastMessage, register, requestToken } from '../../support/service/people.ts'
import { claimsIn, verify, withProvider } from '../../support/service/provider-logins.ts'

/**
 * Accounts that a stranger opens at somebody's address, to wait for its owner (Sudhodanan and Paverd, "Pre-hijacked
 * Accounts", USENIX Security 2022), in both directions; and identities trusted for the address that they name (nOAuth).
 */

const harness = createHarness()
const provider = withProvider(harness)
const { deps } = harness

/** Ada, who comes by the provider. A password that somebody else chose is unknown to her. */
const stranger = { email: 'eve@example.com', sub: 'eve' }
const strangersPassword = ada.password

/** Ada requests a link and chooses a password with it. */
async function recover(body: object = {}) {
  harness.advance(1000)
  const token = await requestToken(harness, 'reset')
  const answer = await send(harness, 'reset-password', { body: { token, new_password: 'battery staple', ...body } })
  expect(answer.status).toBe(200)
}
const logInByPassword = (password: string) => send(harness, 'login', { body: { email: ada.email, password } })
const codeOf = ({ body }: { body: { code?: string } }) => body.code

describe('a stranger has registered the address of somebody who comes by a provider', () => {
  test('who gets no account that the stranger has the password of', async () => {
    await register(harness)
    expect(codeOf(await provider.logIn())).toBe('password-required')
    expect(await subjectsOf(harness)).toEqual({ [ada.email]: [] })
    expect((await find(harness)).isVerified).toBe(false)
    await recover()
    expect(codeOf(await logInByPassword(strangersPassword))).toBe('bad-credentials')
    // The link has proven the mailbox; otherwise the provider does.
    const own = { email: ada.email, password: 'battery staple' }
    expect(claimsIn(await provider.connect({}, own))).toMatchObject({ amr: ['pwd'], email_verified: true })
    expect(claimsIn(await provider.logIn())).toMatchObject({ amr: ['fed'], sub: (await find(harness)).id })
  })

  test('and connects nothing of their own to an address that nobody has proven', async () => {
    await register(harness)
    for (const claims of [stranger, { ...stranger, email: ada.email, email_verified: false }]) {
      expect(codeOf(await provider.connect(claims))).toBe('email-not-verified')
    }
    expect(await subjectsOf(harness)).toEqual({ [ada.email]: [] })
  })
})

describe('a stranger comes by a provider first', () => {
  test('who names an address that the provider does not confirm, and opens nothing at it', async () => {
    for (const email_verified of [false, undefined, null, 'yes', 1, 'TRUE']) {
      expect(codeOf(await provider.logIn({ ...stranger, email: ada.email, email_verified }))).toBe(
        'provider-email-unverified',
      )
    }
    expect(await harness.items('Accounts')).toEqual([])
    await register(harness)
  })

  test('whose account at another address moves to nobody’s: its owner has no password for that', async () => {
    const { body } = await provider.logIn(stranger)
    const headers = { authorization: `Bearer ${body.access_token}` }
    await send(harness, 'change-email', { headers, body: { new_email: ada.email } })
    await deliverMail(deps, lastMessage(harness), deps.now())
    const { token } = lastMessage(harness)
    const guesses = harness.calls.filter(call => call.endsWith('RateLimits')).length
    const answer = await send(harness, 'confirm-email-change', { body: { token, password: '' } })
    expect([answer.status, codeOf(answer)]).toEqual([400, 'no-password'])
    expect((await find(harness, stranger.email)).identities).toHaveLength(1)
    // Counts the request, but no guess.
    expect(harness.calls.filter(call => call.endsWith('RateLimits')).length).toBe(guesses + 1)
  })

  test('and registers with a password at the address of a provider’s person', async () => {
    const { sub } = claimsIn(await provider.logIn())
    const body = { email: ada.email, password: strangersPassword }
    expect(codeOf(await send(harness, 'register', { body }))).toBe('email-taken')
    expect(codeOf(await logInByPassword(strangersPassword))).toBe('bad-credentials')
    expect(claimsIn(await provider.logIn()).sub).toBe(sub)
  })
})

describe('an address that a provider names', () => {
  test('never leads to an account that is there, proven or not', async () => {
    await register(harness)
    await verify(harness)
    await provider.connect()
    for (const claims of [{}, { email_verified: false }, { email: 'ADA@example.com' }]) {
      const answer = await provider.logIn({ sub: 'somebody else', ...claims })
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.body).not.toHaveProperty('access_token')
    }
    expect(await subjectsOf(harness)).toEqual({ [ada.email]: ['ada'] })
  })

  test('and that is another one later, is ignored: the identity leads to its account', async () => {
    const { sub } = claimsIn(await provider.logIn())
    await register(harness, { email: 'bob@example.com', password: 'correct horse' })
    for (const email of ['bob@example.com', 'new@example.com', undefined]) {
      const claims = claimsIn(await provider.logIn({ email, email_verified: false }))
      expect(claims).toMatchObject({ sub, email: ada.email, email_verified: true })
    }
  })

  test('in a directory is proven at the operator’s own domains alone (nOAuth)', async () => {
    harness.providers = [{ ...provider.liar.provider, email: { always: ['example.com'] } }]
    const directory = { sub: 'eve' }
    for (const email of [
      'ada@example.org',
      'ada@sub.example.com',
      'ada@notexample.com',
      'ada@example.com.evil.example',
    ]) {
      const answer = await provider.logIn({ ...directory, email, email_verified: true })
      expect(codeOf(answer)).toBe('provider-email-unverified')
    }
    const own = await provider.logIn({ ...directory, email: 'eve@example.com', email_verified: undefined })
    expect(claimsIn(own).email).toBe('eve@example.com')
    // A member of the directory with a colleague's address still needs the colleague's password.
    await register(harness)
    expect(codeOf(await provider.logIn({ sub: 'mallory', email: ada.email }))).toBe('password-required')
  })
})

test('the same subject of another issuer is somebody else', async () => {
  const { sub } = claimsIn(await provider.logIn())
  const issuer = 'https://other.example'
  harness.providers = [{ ...provider.liar.provider, issuer }]
  provider.liar.lies = { claims: { iss: issuer } }
  expect(codeOf(await provider.logIn())).toBe('password-required')
  const other = claimsIn(await provider.logIn({ email: 'other@example.com' }))
  expect(other.sub).not.toBe(sub)
  expect(await subjectsOf(harness)).toEqual({ [ada.email]: ['ada'], 'other@example.com': ['ada'] })
})

test('an invited account is nobody’s before it is accepted, and then its owner’s', async () => {
  const token = await invite(harness)
  for (const answer of [await provider.logIn(), await provider.connect({}, { email: ada.email, password: '*' })])
    expect(answer.status).toBe(401)
  expect(await subjectsOf(harness)).toEqual({ [ada.email]: [] })
  await send(harness, 'accept-invitation', { body: { token, new_password: ada.password } })
  expect(codeOf(await provider.logIn())).toBe('password-required')
  expect((await provider.connect()).status).toBe(200)
})

test('the address of an administrator makes none of a person who comes by a provider', async () => {
  await provider.logIn({ sub: 'root', email: 'admin@example.com' })
  expect((await find(harness, 'admin@example.com')).isAdmin).toBe(false)
})
