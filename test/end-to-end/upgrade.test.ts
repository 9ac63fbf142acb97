import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, createWriteStream, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { promisify } from 'node:util'
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import * as v from 'valibot'
import { afterAll, expect, test } from 'vitest'
import { hashPassword } from '../../accounts/password/hash.ts'
import { toPassword } from '../../accounts/password/password.ts'
import { Tables } from '../../local/aws/tables.ts'
import type { Mail } from '../../local/inbox/inbox.ts'
import { type OperatorFile, operatorFileName } from '../../local/operator.ts'
import * as schemas from '../../local/template/property-schemas.ts'
import { authenticator } from '../support/service/authenticator.ts'
import { startLyingProvider } from '../support/service/lying-provider.ts'
import { settingsToRun } from '../support/stack/settings.ts'
import { assembled } from '../support/system/assembled.ts'
import { verifier } from '../support/system/example.ts'
import { accountsTable } from '../support/system/operator.ts'
import { freePort, listedIn } from '../support/system/providers.ts'
import { linkIn } from '../support/system/running.ts'

/**
 * docs/upgrade/0.5.md, steps 3 to 7, deployed over the tables and queues of a running 0.4.0 (`CHECKOUT_0_4`: a folder with that version and
 * its packages; without it this is left out).
 */

const checkout = process.env.CHECKOUT_0_4
const present = join(import.meta.dirname, '../..')
const exported = join(present, 'test/support/exported-by-0.4.0')
/** Beside one of each kind. */
const others = Number(process.env.ACCOUNTS ?? 10_000)
const password = 'correct horse'

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-upgrade-'))
const data = join(directory, 'data')
let running: ChildProcess | undefined
afterAll(() => void running?.kill('SIGKILL'))

const settings = {
  PORT: String(await freePort()),
  INBOX_PORT: String(await freePort()),
  PROVIDER_PORT: '0',
  DATA_DIR: data,
  RATE_LIMITS: 'off',
  BCRYPT_COST: '10',
  PASSKEY_RP_ID: 'localhost',
}
const api = `http://localhost:${settings.PORT}`
const inbox = `http://localhost:${settings.INBOX_PORT}`

/** Starts the system of a checkout, and ends the one before. */
async function start(from: string, env: Record<string, string>): Promise<void> {
  await stop()
  running = spawn(process.execPath, ['local/start.ts'], {
    cwd: from,
    env: { PATH: process.env.PATH, ...settings, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { stdout } = running
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    running?.once('exit', () => reject(new Error(`it does not start: ${printed}`)))
    stdout?.on('data', chunk => {
      printed += chunk
      if (printed.includes('Ctrl-C')) resolve()
    })
  })
}

async function stop(): Promise<void> {
  if (!running) return
  const ends = once(running, 'exit')
  running.kill('SIGINT')
  await ends
  running = undefined
}

/** Runs `npm run users` of a checkout. @returns what it prints, and its seconds */
async function users(from: string, ...args: string[]) {
  const begun = performance.now()
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['operations/users.ts', ...args, '--local'], {
    cwd: from,
    env: { PATH: process.env.PATH, DATA_DIR: data, PASSKEY_RP_ID: settings.PASSKEY_RP_ID },
    maxBuffer: 2 ** 28,
  })
  return { said: stdout + stderr, seconds: Math.round((performance.now() - begun) / 100) / 10 }
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
async function post(path: string, body: object, token?: string): Promise<{ status: number; body: any }> {
  const answer = await fetch(`${api}/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: await answer.json() }
}

const codeOf = ({ status, body }: Awaited<ReturnType<typeof post>>) => (status < 300 ? status : body.code)
const login = async (email: string, code?: string) =>
  codeOf(await post('login', { email, password, ...(code !== undefined && { code }) }))

const mails = async (to: string): Promise<Mail[]> => {
  const { emails } = (await (await fetch(`${inbox}/store`)).json()) as { emails: Mail[] }
  return emails.filter(({ destination }) => destination.to.includes(to))
}

async function mailedToken(to: string, page: string): Promise<string> {
  for (;;) {
    const links = (await mails(to)).map(linkIn).filter(({ pathname }) => pathname === page)
    const token = links.at(-1)?.searchParams.get('token')
    if (token) return token
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

/** Puts messages in the words of 0.4.0 on the queue, by address. */
async function queueAsBefore(email: string): Promise<void> {
  const file = JSON.parse(readFileSync(join(data, operatorFileName), 'utf8')) as OperatorFile
  const sqs = new SQSClient(file)
  const QueueUrl = Object.values(file.outputs)[0]?.MailQueue
  for (const kind of ['registration', 'password-changed', 'email-changed', 'factor-set-up', 'second-factor']) {
    const body = {
      kind,
      email,
      token: 'x'.repeat(43),
      requested_at: Date.now(),
      new_email: `x${email}`,
      old_email: email,
    }
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(body) }))
  }
}

/** The accounts of the file, by the code of a login. */
const kinds = {
  '0@example.com': 200,
  '1@example.com': 'bad-credentials',
  '3@example.com': 'account-locked',
  '4@example.com': 200,
  '6@example.com': 200,
  '8@example.com': 200,
  '10@example.com': 'second-factor-required',
  'moved-here@example.org': 200,
  'old@example.com': 200,
} as const

test.skipIf(checkout === undefined)(
  'an update from 0.4.0 keeps each account, and ends each token and link',
  async () => {
    const former = checkout ?? ''
    mkdirSync(data)
    cpSync(join(exported, 'keys'), join(data, 'keys'), { recursive: true })
    await using provider = await startLyingProvider(() => new Date(), {
      issuer: 'https://provider.example',
      secret: 's3cret',
    })
    const list = { SIGN_IN_PROVIDERS: await listedIn(data, [provider.provider]) }
    const byProvider = (sub: string, email: string) =>
      post('provider-login', {
        provider: provider.provider.id,
        authorization_code: provider.authorize(verifier, { sub, email, email_verified: true }),
        code_verifier: verifier,
      })

    await start(former, list)
    await users(former, 'import', join(exported, 'accounts.ndjson'))
    const more = join(directory, 'more.ndjson')
    const file = createWriteStream(more)
    const password_hash = await hashPassword({ randomBytes, config: { bcryptCost: 10 } }, toPassword(password))
    for (let i = 0; i < others; i++)
      file.write(`${JSON.stringify({ id: `u-${i}`, email: `u${i}@example.com`, password_hash, is_verified: true })}\n`)
    file.end()
    await finished(file)
    await users(former, 'import', more)
    for (const [email, expected] of Object.entries(kinds))
      expect([email, await login(email)]).toEqual([email, expected])

    // What ends: tokens, a session, links in mails. What stays: a passkey of this week.
    const { access_token, refresh_token } = (await post('login', { email: '0@example.com', password, session: {} }))
      .body
    await post('forgot-password', { email: '0@example.com' })
    const reset = await mailedToken('0@example.com', '/reset-password')
    const device = authenticator({ origin: api })
    const setup = await post('passkeys/setup', { password }, access_token)
    const credential = device.create(setup.body)
    expect(codeOf(await post('passkeys/confirm', { credential, label: 'Phone' }, access_token))).toBe(200)
    await post('change-email', { new_email: 'moved@example.com' }, access_token)
    const move = await mailedToken('moved@example.com', '/change-email')
    const byPasskey = async () => {
      const { body } = await post('passkeys/login-options', {})
      return post('passkeys/login', { assertion: device.get(body) })
    }

    /** What a stranger gets at an address of the file, and by a provider that has proven one. */
    async function keepsOut(): Promise<void> {
      for (const email of ['2@example.com', 'stranger@example.com'])
        expect(codeOf(await post('register', { email, password: 'battery staple' }))).toBe('sign-up-closed')
      for (const email of ['u1@example.com', 'stranger@example.com'])
        expect(['password-required', 'sign-up-closed']).toContain(codeOf(await byProvider(`stranger-${email}`, email)))
      expect((await mails('stranger@example.com')).length).toBe(0)
    }

    // Step 3.
    await start(former, { ...list, SIGN_UP: 'invited' })
    await keepsOut()
    const before = await users(former, 'list')
    await queueAsBefore('u2@example.com')
    await stop()

    // Step 5. CloudFormation makes the new table.
    const { template } = await assembled(settingsToRun({}))
    const tables = new Tables(join(data, 'tables'))
    const properties = v.parse(schemas.Table, template.Resources.Accounts?.Properties)
    await tables.create([{ id: 'Accounts', name: accountsTable, ...properties }])
    await tables.close()
    const since = performance.now()
    await start(present, { ...list, SIGN_UP: 'invited' })
    async function isClosed(): Promise<void> {
      await keepsOut()
      for (const email of Object.keys(kinds)) expect(await login(email)).toBe('bad-credentials')
      expect((await post('logout-everywhere', {}, access_token)).status).toBe(401)
    }
    async function isDead(): Promise<void> {
      expect((await post('logout-everywhere', {}, access_token)).status).toBe(401)
      expect(codeOf(await post('refresh', { refresh_token }))).toBe('invalid-refresh-token')
      expect(codeOf(await post('reset-password', { token: reset, new_password: 'battery staple' }))).toBe(
        'invalid-reset-token',
      )
      expect(codeOf(await post('confirm-email-change', { token: move, password }))).toBe('invalid-email-change-token')
    }
    await queueAsBefore('u2@example.com')
    await isClosed()
    await isDead()

    // Step 6.
    const saved = join(directory, 'accounts.ndjson')
    const out = await users(former, 'export', '--with-hashes', '--to', saved)
    await queueAsBefore('u2@example.com')
    await isClosed()
    const into = await users(present, 'import', saved)
    const closed = Math.round((performance.now() - since) / 1000)
    await queueAsBefore('u2@example.com')
    await keepsOut()
    const after = await users(present, 'list')
    const count = (said: string) => Number(/(\d+) found/.exec(said)?.[1])
    expect(count(before.said)).toBeGreaterThan(others)
    expect(count(after.said)).toBe(count(before.said))

    // Step 7.
    await start(present, list)
    for (const [email, expected] of Object.entries(kinds))
      expect([email, await login(email)]).toEqual([email, expected])
    expect(await login('u7@example.com')).toBe(200)
    const [app] = JSON.parse(readFileSync(join(exported, 'apps.json'), 'utf8')) as {
      email: string
      recovery: string[]
    }[]
    expect(await login(app?.email ?? '', app?.recovery.at(-1))).toBe(200)
    expect((await byPasskey()).status).toBe(200)
    expect((await byProvider('8@example.com', '8@example.com')).status).toBe(200)
    await isDead()
    // Nothing of before was told in the name of an account.
    expect((await mails('u2@example.com')).length).toBe(0)
    console.log(`export ${out.seconds} s, import ${into.seconds} s, closed ${closed} s: ${into.said}`)
  },
)
