import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AccountItem } from '../../accounts/account/attributes.ts'
import { bytesOfBase32 } from '../../accounts/factor/codes.ts'
import { wrongCodesInARow } from '../../accounts/factor/factor.ts'
import { codeOf, stepOf } from '../../accounts/factor/totp.ts'
import { neverKept } from '../../operations/users/kept-attributes.ts'
import { type Authenticator, authenticator } from '../support/service/authenticator.ts'
import { startLyingProvider } from '../support/service/lying-provider.ts'
import { makeDataDirectory, password, runWithCommands } from '../support/system/local-commands.ts'
import { identify, keyOf, openUsers } from '../support/system/operator.ts'
import { listedIn } from '../support/system/providers.ts'
import { linkIn } from '../support/system/running.ts'

/** The drill: accounts of each kind are lost, and restored by the commands of "Bringing back accounts" in the guide. */

const { running, dataDirectory, users, logIn } = runWithCommands({
  RATE_LIMITS: 'off',
  LANGUAGES: 'en,en-XA',
  PASSKEY_RP_ID: 'localhost',
})
const { nextMail } = running
const post = (path: string, body: object, token?: string) =>
  running.send('POST', `/auth/${path}`, body, token === undefined ? {} : { authorization: `Bearer ${token}` })
const me = (token: string) => running.send('GET', '/auth/me', undefined, { authorization: `Bearer ${token}` })
const tokenFor = async (email: string) => linkIn(await nextMail(email)).searchParams.get('token')

/** Registers somebody with a verified address. */
async function verified(email: string): Promise<void> {
  await post('register', { email, password, name: 'Ada' })
  expect((await post('verify-email', { token: await tokenFor(email) })).status).toBe(200)
}

const command = async (...args: string[]) => expect(await users(args)).toMatchObject({ status: 0 })
const reset = async (email: string) => {
  await post('forgot-password', { email })
  return post('reset-password', { token: await tokenFor(email), new_password: 'battery staple' })
}
const wrongCode = { code: 'wrong-code' }
const logInWith = (email: string, code: string) => post('login', { email, password, code })

/** An authenticator app and recovery codes, as held by their owner. */
async function protect(email: string) {
  const { access_token: token } = (await logIn(email)).body
  const { secret } = (await post('second-factor/setup', { password }, token)).body
  const code = (steps: number) => codeOf(bytesOfBase32(secret), stepOf(new Date()) + steps)
  const confirm = () => post('second-factor/confirm', { code: code(-1) }, token)
  let confirmed = await confirm()
  // The next step began on the way.
  if (confirmed.status !== 200) confirmed = await confirm()
  return { code, recovery: confirmed.body.recovery_codes as [string, string, string] }
}

/** What holds the passkey. */
let phone: Authenticator

const usually = (email: string) => async () => expect((await logIn(email)).status).toBe(200)

/**
 * Kinds of account: how each is opened and shaped. Each attribute that an import keeps occurs on one of them.
 *
 * @returns what its owner finds after the restore
 */
const kinds: Record<string, (email: string) => Promise<() => Promise<void>>> = {
  async 'with a verified address'(email) {
    await verified(email)
    return usually(email)
  },
  async 'without a password, since a thief may know it'(email) {
    await verified(email)
    await command('revoke', email)
    return async () => {
      expect((await logIn(email)).status).toBe(401)
      // The former password stays refused.
      await post('forgot-password', { email })
      const token = await tokenFor(email)
      expect((await post('reset-password', { token, new_password: password })).status).toBe(400)
      expect((await post('reset-password', { token, new_password: 'battery staple' })).status).toBe(200)
      expect((await logIn(email, 'battery staple')).status).toBe(200)
    }
  },
  async 'that is not verified'(email) {
    await post('register', { email, password })
    return usually(email)
  },
  async 'that is locked'(email) {
    await verified(email)
    await command('lock', email)
    return async () => expect((await logIn(email)).body).toMatchObject({ code: 'account-locked' })
  },
  async 'of an administrator'(email) {
    await verified(email)
    await command('admin', email, 'on')
    return usually(email)
  },
  async 'that is invited'(email) {
    await command('invite', email)
    const dead = await tokenFor(email)
    return async () => {
      const accept = (token: string | null) => post('accept-invitation', { token, new_password: password })
      expect((await accept(dead)).status).toBe(400)
      await post('forgot-password', { email })
      expect((await accept(await tokenFor(email))).status).toBe(200)
      expect((await logIn(email)).status).toBe(200)
    }
  },
  async 'with roles'(email) {
    await verified(email)
    await command('roles', email, 'editor,billing')
    return usually(email)
  },
  async 'with a passkey'(email) {
    await verified(email)
    const { access_token: token } = (await logIn(email)).body
    const device = authenticator({ origin: running.system.baseUrl })
    phone = device
    const credential = device.create((await post('passkeys/setup', { password }, token)).body)
    expect((await post('passkeys/confirm', { credential, label: 'Phone' }, token)).status).toBe(200)
    const logInByPasskey = async () => {
      const assertion = device.get((await post('passkeys/login-options', {})).body)
      return (await post('passkeys/login', { assertion })).status
    }
    expect(await logInByPasskey()).toBe(200)
    return async () => expect(await logInByPasskey()).toBe(200)
  },
  async 'with a login by a provider'(email) {
    await verified(email)
    const key = await identify(running.system, email)
    return async () => {
      const { id } = (await openUsers(running.system).find(email)) ?? {}
      expect(await openUsers(running.system).entries()).toMatchObject({ [keyOf('Identities', key)]: id })
    }
  },
  async 'with a language'(email) {
    await verified(email)
    await command('language', email, 'en-XA')
    return usually(email)
  },
  async 'with an authenticator app, of which codes were used, and wrong'(email) {
    await verified(email)
    const { code, recovery } = await protect(email)
    const [used, ...left] = recovery
    expect((await logInWith(email, used)).status).toBe(200)
    const last = code(0)
    expect((await logInWith(email, last)).status).toBe(200)
    expect((await logInWith(email, wrongBeside(code))).body).toMatchObject(wrongCode)
    return async () => {
      expect((await logIn(email)).body).toMatchObject({ code: 'second-factor-required' })
      expect((await logInWith(email, used)).body).toMatchObject(wrongCode)
      expect((await logInWith(email, last)).body).toMatchObject({
        code: expect.stringMatching(/^(?:used|wrong)-code$/),
      })
      expect((await logInWith(email, code(1))).status).toBe(200)
      expect((await logInWith(email, left[0])).status).toBe(200)
    }
  },
  async 'with an authenticator app whose codes are disabled'(email) {
    await verified(email)
    const { code, recovery } = await protect(email)
    const ids = Array.from({ length: wrongCodesInARow }, (_, i) => `wrong-${i}`)
    await openUsers(running.system).change(email, { wrong_codes: new Set(ids) })
    return async () => {
      expect((await logInWith(email, code(0))).body).toMatchObject({ code: 'codes-disabled' })
      expect((await logInWith(email, recovery[2])).status).toBe(200)
    }
  },
  async 'that its owner has just moved'(email) {
    await verified(email)
    const { access_token: token } = (await logIn(email)).body
    await post('change-email', { new_email: 'moved-here@example.org' }, token)
    const link = await tokenFor('moved-here@example.org')
    expect((await post('confirm-email-change', { token: link, password })).status).toBe(200)
    const undo = await tokenFor(email)
    return async () => {
      // No link of before is on an account that was brought back.
      expect((await post('undo', { token: undo })).status).toBe(400)
      await usually('moved-here@example.org')()
    }
  },
  async 'that an operator has just moved'(email) {
    await verified(email)
    await command('move', email, 'moved-away@example.org')
    const token = await tokenFor('moved-away@example.org')
    return async () => {
      expect((await post('login', { email, password })).status).toBe(401)
      expect((await post('reset-password', { token, new_password: 'battery staple' })).status).toBe(400)
      expect((await reset('moved-away@example.org')).status).toBe(200)
      const { body } = await logIn('moved-away@example.org', 'battery staple')
      // The reset proves the operator's address.
      expect((await me(body.access_token)).body).toMatchObject({ is_verified: true })
    }
  },
}

/** Six digits other than the app's present code. */
const wrongBeside = (code: (steps: number) => string): string =>
  ['000000', '111111', '222222', '333333'].find(each => ![-1, 0, 1].map(code).includes(each)) ?? ''

/** The commands of the runbook, on this machine. @param name of the subcommand */
function fromGuide(name: string, file: string): string[] {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/deploy.md'), 'utf8')
  const [, section = ''] = guide.split('\n## Bringing back accounts\n')
  const [, line] = new RegExp(`^ *npm run users -- (${name} .*)$`, 'm').exec(section.split('\n## ')[0] ?? '') ?? []
  if (line === undefined) throw new Error(`the runbook has no ${name}`)
  return line
    .replace(/ --outputs \S+/, '')
    .replace('restored.ndjson', file)
    .split(' ')
}

const linesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
    .sort((one, other) => (one.email < other.email ? -1 : 1))

/** Addresses to which accounts are moved when they are opened. */
const moved: Record<string, string> = {
  'that its owner has just moved': 'moved-here@example.org',
  'that an operator has just moved': 'moved-away@example.org',
}
const addressOf = (name: string) => moved[name] ?? `${Object.keys(kinds).indexOf(name)}@example.com`
const file = join(dataDirectory, 'restored.ndjson')
const again = join(dataDirectory, 'again.ndjson')

describe('accounts that were lost, and brought back', () => {
  const owners = new Map<string, () => Promise<void>>()
  const before = new Map<string, AccountItem>()
  let after = new Map<string, AccountItem>()
  /** Tokens issued before. */
  let old: { access: string; refresh: string; links: Record<string, string | null> }

  const items = async () => {
    const all = (await openUsers(running.system).all()) as unknown as AccountItem[]
    return all.map(item => [item.email, item] as const)
  }

  beforeAll(async () => {
    for (const [i, [name, open]] of Object.entries(kinds).entries()) owners.set(name, await open(`${i}@example.com`))
    const email = 'old@example.com'
    await post('register', { email, password })
    const verification = await tokenFor(email)
    await post('forgot-password', { email })
    const { body } = await post('login', { email, password, session: { label: 'Phone' } })
    const links = { 'verify-email': verification, 'reset-password': await tokenFor(email) }
    old = { access: body.access_token, refresh: body.refresh_token, links }

    for (const [address, item] of await items()) before.set(address, item)
    expect((await users(fromGuide('export', file))).status).toBe(0)
    // As after the loss of a table, without the marks of deletions.
    const table = openUsers(running.system)
    for (const { email } of await table.all()) await table.remove(String(email))
    expect(await users(fromGuide('import', file))).toEqual({
      status: 0,
      stdout: expect.stringMatching(`^${before.size} read: ${before.size} imported, 0 imported earlier, 0 left out\n`),
      stderr: '',
    })
    after = new Map(await items())
  })

  test('are exported again as they were, with token versions that no token of before has', async () => {
    expect((await users(['export', '--with-hashes', '--to', again])).status).toBe(0)
    const [first, second] = [linesOf(file), linesOf(again)]
    expect(second.map(({ token_version: _, ...record }) => record)).toEqual(
      first.map(({ token_version: _, ...record }) => record),
    )
    for (const [i, { token_version }] of second.entries()) expect(token_version).toBeGreaterThan(first[i].token_version)
  })

  test('have what an export keeps, and nothing else', () => {
    const never: readonly string[] = neverKept
    for (const [address, item] of before) {
      const found = Object.fromEntries(Object.entries(item).filter(([name]) => !never.includes(name)))
      const { token_version: _, updated_at: __, ...restored } = after.get(address) ?? ({} as AccountItem)
      const { token_version: ___, ...expected } = found
      expect(restored).toEqual({ ...expected, sessions: {}, changes: {} })
    }
    expect(after.size).toBe(before.size)
  })

  test('had each attribute that an import keeps, one or the other', () => {
    const present = new Set([...before.values()].flatMap(item => Object.keys(item)))
    const kept = [...linesOf(file)]
      .flatMap(record => Object.keys(record))
      .filter(name => !absentFromItems.includes(name))
    expect([...new Set(kept)].filter(name => !present.has(name))).toEqual([])
  })

  test.each(Object.keys(kinds))('%s: its owner has what was there', async name => {
    await owners.get(name)?.()
  })

  test('take no session, token or link of before', async () => {
    expect((await me(old.access)).status).toBe(401)
    expect((await post('refresh', { refresh_token: old.refresh })).status).toBe(400)
    for (const [path, token] of Object.entries(old.links)) {
      expect((await post(path, { token, new_password: 'battery staple' })).status).toBe(400)
    }
  })
})

/** Members of a record that no item has. */
const absentFromItems = ['second_factor', 'factor_key']

/** The provider of the identity that `identify` connects. */
const provider = await startLyingProvider(() => new Date(), { issuer: 'https://provider.example' })
afterAll(() => provider[Symbol.asyncDispose]())

const regions = await Promise.all(
  ['optional', 'required'].map(async setting => {
    const directory = makeDataDirectory()
    const SIGN_IN_PROVIDERS = await listedIn(directory, [provider.provider])
    const env = { RATE_LIMITS: 'off', PASSKEY_RP_ID: 'localhost', SECOND_FACTOR: setting, SIGN_IN_PROVIDERS }
    return [setting, env, directory] as const
  }),
)

/** As after the loss of a region: only the export of the first stack is left. */
describe.each(regions)('into a stack of other keys, with SECOND_FACTOR=%s', (setting, env, directory) => {
  const there = runWithCommands(env, directory)
  const ask = async (path: string, body: object, headers = {}) =>
    (await there.running.send('POST', `/auth/${path}`, body, headers)).body
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const withApp = Object.keys(kinds).filter(name => name.includes('authenticator'))
  const emailOf = (words: string) => addressOf(Object.keys(kinds).find(name => name.includes(words)) ?? '')

  /** @param answer of a login without a second factor: a token or, where one is required, a mail to set it up */
  async function expectLogin(answer: Record<string, string>, email: string, login: () => object) {
    if (setting === 'optional') return expect(answer).toMatchObject({ access_token: expect.any(String) })
    expect(answer).toMatchObject({ code: 'second-factor-setup' })
    const mail_token = linkIn(await there.running.nextMail(email)).searchParams.get('token')
    const { setup_token } = await ask('login', { ...login(), mail_token })
    const { secret } = await ask('second-factor/setup', { password }, bearer(setup_token))
    const code = (steps: number) => codeOf(bytesOfBase32(secret), stepOf(new Date()) + steps)
    const confirmed = await ask('second-factor/confirm', { code: code(0) }, bearer(setup_token))
    expect(confirmed).toMatchObject({ access_token: expect.any(String) })
    const again = await ask('login', { email, password, code: code(1) })
    expect(again).toMatchObject({ access_token: expect.any(String) })
  }

  beforeAll(async () => {
    const { status, stderr } = await there.users(['import', file])
    expect([status, stderr.match(/second factor of another key/g)?.length]).toEqual([1, withApp.length])
    for (const name of withApp) expect(await openUsers(there.running.system).find(addressOf(name))).toBeUndefined()
    expect(await there.users(['import', file, '--without-factors'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(`\nWith a second factor before, and without one now: ${withApp.length}\n`),
    })
  })

  test.each(['verified address', ...withApp])('a password logs in: %s', async name => {
    const login = { email: emailOf(name), password }
    await expectLogin(await ask('login', login), login.email, () => login)
  })

  test('a passkey logs in', async () => {
    const { origin } = new URL(there.running.system.baseUrl)
    const assertion = phone.get(await ask('passkeys/login-options', {}), { clientData: { origin } })
    expect(await ask('passkeys/login', { assertion })).toMatchObject({ access_token: expect.any(String) })
  })

  test('a provider logs in', async () => {
    const email = emailOf('provider')
    const code_verifier = randomBytes(32).toString('base64url')
    const authorization_code = provider.authorize(code_verifier, { sub: email })
    const answer = await ask('provider-login', { provider: provider.provider.id, authorization_code, code_verifier })
    await expectLogin(answer, email, () => ({ email, password }))
  })
})
