import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openDataDirectory } from '../../local/data-directory.ts'
import { makeCertificate } from '../support/certificate.ts'
import { isAlive } from '../support/system/is-alive.ts'
import { freePort } from '../support/system/providers.ts'
import { until } from '../support/system/small-stack.ts'
import { serve } from '../support/web-server.ts'

const root = join(import.meta.dirname, '../..')

let dataDirectory: string
beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'start-'))
})

const { PATH, NODE_COMPILE_CACHE } = process.env

/** Runs `npm start`'s program. */
function start(env: Record<string, string> = {}, args: readonly string[] = []): ChildProcess {
  const child = spawn(process.execPath, ['-r', './local/preflight.cjs', 'local/start.ts', ...args], {
    cwd: root,
    env: { PATH, NODE_COMPILE_CACHE, PORT: '0', DATA_DIR: dataDirectory, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}

async function ended(child: ChildProcess) {
  const streams = [child.stdout, child.stderr].map(stream => (stream ? text(stream) : ''))
  const [[code], ...texts] = await Promise.all([once(child, 'exit'), ...streams])
  return { code, stdout: texts[0], stderr: texts[1] }
}

/** Waits for the line that it is ready. */
async function ready(child: ChildProcess) {
  let printed = ''
  child.stdout?.on('data', chunk => {
    printed += chunk
  })
  await until(() => printed.includes('Ctrl-C') || child.exitCode !== null)
  const [, baseUrl = ''] = /API +(\S+)/.exec(printed) ?? []
  const [, inboxUrl = ''] = /Inbox +(\S+)/.exec(printed) ?? []
  return { baseUrl, inboxUrl, printed: () => printed }
}

const register = (baseUrl: string, email: string) =>
  fetch(`${baseUrl}/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'correct horse' }),
  })

const recipients = async (inboxUrl: string): Promise<string[]> => {
  const { emails } = (await (await fetch(`${inboxUrl}/store`)).json()) as {
    emails: { destination: { to: string[] } }[]
  }
  return emails.flatMap(({ destination }) => destination.to)
}

/** Runs a line for a shell, as it is typed. @returns what it prints */
async function type(line: string): Promise<string> {
  const child = spawn('bash', ['-c', line], { cwd: root, env: { PATH, PORT: '0' }, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => {
    child.kill()
  })
  return text(child.stdout)
}

describe('what it prints works as it is printed:', () => {
  test.each<[string, (port: string) => { env: Record<string, string>; api?: string; pages?: string }]>([
    ['without an address', () => ({ env: {} })],
    ['with BASE_URL', port => ({ env: { BASE_URL: `http://127.0.0.1:${port}` }, api: `http://127.0.0.1:${port}` })],
    [
      'with BROWSER_URL',
      port => ({ env: { BROWSER_URL: `http://127.0.0.1:${port}` }, pages: `http://127.0.0.1:${port}` }),
    ],
    ['with TLS', port => ({ env: certificateSettings(), api: `https://localhost:${port}` })],
    [
      'with TLS and BASE_URL',
      port => ({
        env: { ...certificateSettings(), BASE_URL: `https://127.0.0.1:${port}` },
        api: `https://127.0.0.1:${port}`,
      }),
    ],
  ])('%s', async (_, addresses) => {
    const port = String(await freePort())
    const { env, api = `http://localhost:${port}`, pages = api } = addresses(port)
    const child = start({ PORT: port, INBOX_PORT: '0', PROVIDER_PORT: '0', BCRYPT_COST: '10', ...env })
    const stderr = child.stderr ? text(child.stderr) : ''
    const { printed } = await ready(child)
    const shown = (pattern: RegExp) => pattern.exec(printed())?.[1] ?? ''
    expect({ api: shown(/API +(\S+)/), open: shown(/Open (\S+)/) }).toEqual({ api, open: `${pages}/account` })
    const own = `${env.TLS_CERT ? 'https' : 'http'}://localhost:${port}`
    expect(shown(/Listens at (\S+)/)).toBe(api === own ? '' : own)

    const accounts = (await type(shown(/Try it:\n\n(.+?)\n\n/s))).matchAll(/\{"id".+?\}/g)
    expect([...accounts].map(([account]) => JSON.parse(account))).toMatchObject([{ name: 'Grace' }, { name: 'Grace' }])
    const curl = `curl -s ${shown(/curl (--cacert .+?) -w/)}`
    const get = (url: string, what = '') => type(`${curl} -w '${what}' '${url}'`)
    const account = await get(`${pages}/account`, '%{http_code}')
    expect(account).toMatch(/200$/)
    expect(account.includes('/sign-in/example')).toBe(/Example/.test(printed()))
    expect(JSON.parse(await get(`${api}/auth/.well-known/openid-configuration`))).toMatchObject({
      issuer: `${api}/auth`,
      authorization_endpoint: `${pages}/authorize`,
    })
    const sample = spawn('bash', ['-c', `exec env ${shown(/^ {2}(.*node docs\/examples\/sign-in\/serve\.js)$/m)}`], {
      cwd: root,
      env: { PATH, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => {
      sample.kill()
    })
    const [line] = await once(sample.stdout, 'data')
    const [home = ''] = /http:\S+/.exec(String(line)) ?? []
    const page = await get(`${home}/login`, '%{redirect_url}')
    expect(page).toMatch(`${pages}/authorize?`)
    expect(await get(page)).toContain('data-name="Sample app"')
    child.kill()
    expect(await stderr).toBe('')
  })

  /** Settings of a new certificate, in a folder whose name a shell would take apart. */
  function certificateSettings(): Record<string, string> {
    const folder = join(dataDirectory, "Ada's keys")
    mkdirSync(folder)
    const { certFile, keyFile } = makeCertificate(folder)
    return { TLS_CERT: certFile, TLS_KEY: keyFile }
  }

  test('the sample application says that its port is taken, or that nobody answers', async () => {
    await using busy = await serve((_, response) => response.end('{}'))
    const { port } = new URL(busy.url)
    const run = (env: string) => type(`${env} node docs/examples/sign-in/serve.js 2>&1; echo $?`)
    const free = `http://127.0.0.1:${await freePort()}/auth`
    expect(await run(`ISSUER=${free}`)).toBe(`${free} does not answer (ECONNREFUSED); set ISSUER to another\n1\n`)
    const [issuer, app] = [String(await freePort()), port]
    const child = start({ PORT: issuer })
    await ready(child)
    expect(await run(`ISSUER=http://localhost:${issuer}/auth PORT=${app}`)).toBe(
      `port ${app} is in use; set PORT to another\n1\n`,
    )
  })
})

describe('each mistake is one line, and the exit code is 1:', () => {
  test.each<[string, Record<string, string>, RegExp]>([
    ['a bad host', { HOST: 'not a host' }, /^HOST must be an address .*\n$/],
    [
      'a host that is not this machine’s',
      { HOST: '192.0.2.1' },
      /^cannot listen on HOST 192\.0\.2\.1: .*; set HOST to [^\n]*\n$/,
    ],
    ['bad settings, each of them', { PORT: '-1', BCRYPT_COST: '9' }, /^BCRYPT_COST must be .*\nPORT must be .*\n$/],
    [
      'a data directory that is a file',
      { DATA_DIR: import.meta.filename },
      /^DATA_DIR \S+ cannot be used: .*; set DATA_DIR to [^\n]*\n$/,
    ],
  ])('%s', async (_, env, line) => {
    const { code, stdout, stderr } = await ended(start(env))
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(line)
  })

  test.each([
    [['--wach'], /^Unknown option '--wach'; the options of npm start are .*\n$/],
    [['--inspect', 'signin'], /^there is no function 'signin': --inspect takes register, login, .*\n$/],
  ])('the options %j', async (args, line) => {
    const { code, stdout, stderr } = await ended(start({}, args))
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(line)
  })

  test.each([[['DATA_DIR']], [['DATA_DIR', 'PORT', 'INBOX_PORT', 'PROVIDER_PORT']]])(
    'what is in use, all at once: %j',
    async settings => {
      await using holders = new AsyncDisposableStack()
      const env: Record<string, string> = {}
      for (const setting of settings) {
        if (setting === 'DATA_DIR') {
          holders.defer(openDataDirectory(dataDirectory).close)
          env.DATA_DIR = dataDirectory
        } else env[setting] = new URL(holders.use(await serve((_, response) => response.end())).url).port
      }
      const { code, stdout, stderr } = await ended(start(env))
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      const named = settings.map(setting => `${setting} ${env[setting]}`).join(', ')
      expect(stderr).toMatch(/^in use: .*; [^\n]* A second system needs PORT, .* and DATA_DIR\n$/)
      expect(stderr).toContain(`in use: ${named}; `)
    },
  )

  test('a file that is not a database', async () => {
    writeFileSync(join(dataDirectory, 'gatehouse.db'), 'something else, and long enough to be looked at'.repeat(100))
    const { code, stderr } = await ended(start())
    expect(code).toBe(1)
    expect(stderr).toMatch(/^DATA_DIR \S+ cannot be used: file is not a database; set DATA_DIR to [^\n]*\n$/)
  })
})

test('it warns of a probable slip, and stops once its data is gone', async () => {
  const child = start({ ADMIN_EMAIL: 'admin@example.com', MAILFROM: 'a@example.com', DATADIR: '/', STAGE: 'nowhere' })
  const outcome = ended(child)
  const { baseUrl, printed } = await ready(child)
  expect(printed()).toMatch(/Ctrl-C stops it\. It does not watch the sources; /)
  expect((await register(baseUrl, 'ada@example.com')).status).toBe(201)
  const children = processesBelow(child)
  rmSync(dataDirectory, { recursive: true })
  const { code, stderr = '' } = await outcome
  expect(code).toBe(1)
  expect(stderr.trimEnd().split('\n')).toEqual([
    'Warning: MAILFROM is not a setting. Did you mean MAIL_FROM?',
    'Warning: DATADIR is not a setting. Did you mean DATA_DIR?',
    expect.stringMatching(/^Warning: ADMIN_EMAIL is set without REQUIRE_EMAIL_VERIFICATION: /),
    `DATA_DIR ${dataDirectory} was removed or replaced while it was in use, so it stops: run \`npm start\` again`,
  ])
  await until(() => children.every(pid => !isAlive(pid)))
})

test('by npm from another folder, its paths are of that folder, for commands too', async () => {
  writeFileSync(join(dataDirectory, 'people.ndjson'), '{"email":"ada@example.com","password":"correct horse"}')
  writeFileSync(
    join(dataDirectory, 'clients.json'),
    '[{"id":"wiki","name":"Wiki","redirects":["https://wiki.example.com/"]}]',
  )
  const own = { PATH, NODE_COMPILE_CACHE, DATA_DIR: 'data', OIDC_CLIENTS: '@clients.json' }
  const npm = (args: readonly string[], env: Record<string, string> = {}) =>
    spawn('npm', ['--prefix', root, ...args], {
      cwd: dataDirectory,
      env: { ...own, ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const child = npm(['start'], { PORT: '0', BCRYPT_COST: '10', ACCOUNTS_FILE: 'people.ndjson' })
  // npm does not pass SIGKILL on to what it runs.
  onTestFinished(() => {
    process.kill(-Number(child.pid), 'SIGKILL')
  })
  const { printed } = await ready(child)
  expect(printed()).toMatch(/^1 account .*\n/m)
  expect(existsSync(join(dataDirectory, 'data/gatehouse.db'))).toBe(true)
  const { stdout } = await ended(npm(['run', '-s', 'users', '--', 'show', 'ada@example.com', '--local']))
  expect(stdout).toContain('ada@example.com')
  expect((await ended(npm(['run', '-s', 'clients', '--', 'list']))).stdout).toMatch(/^wiki {2}Wiki /)
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s during the start ends it at once', async signal => {
  const child = start()
  await until(() => existsSync(join(dataDirectory, 'gatehouse.db')))
  child.kill(signal)
  const { code, stderr } = await ended(child)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

test('killed under load and started again, it has every acknowledged account with its mail', async () => {
  const first = start({ BCRYPT_COST: '10', RATE_LIMITS: 'off' })
  const before = await ready(first)
  expect(before.printed()).toMatch(/ready after \d+\.\d s/)
  expect(before.printed().match(/^ {2}curl /gm)).toHaveLength(2)

  const acknowledged: string[] = []
  const clients = Array.from({ length: 4 }, async (_, client) => {
    for (let i = 0; ; i++) {
      const email = `client-${client}-${i}@example.com`
      const response = await register(before.baseUrl, email).catch(() => null)
      if (response === null) return
      if (response.status === 201) acknowledged.push(email)
    }
  })
  await until(() => acknowledged.length >= 12)
  const children = processesBelow(first)
  expect(children.length).toBeGreaterThan(1)
  first.kill('SIGKILL')
  await Promise.all(clients)
  // Its child processes are gone too, although none got a signal.
  await until(() => children.every(pid => !isAlive(pid)))

  const second = start({ BCRYPT_COST: '10', RATE_LIMITS: 'off' })
  const after = await ready(second)
  for (const email of acknowledged) {
    const again = await register(after.baseUrl, email)
    expect(await again.json()).toMatchObject({ status: 400, detail: 'Email already registered' })
  }
  const mailed = new Set<string>()
  while (!acknowledged.every(email => mailed.has(email))) {
    for (const email of await recipients(after.inboxUrl)) mailed.add(email)
    await new Promise(resolve => setTimeout(resolve, 50))
  }

  const remaining = processesBelow(second)
  second.kill('SIGTERM')
  const [code] = await once(second, 'exit')
  expect(code).toBe(0)
  expect(remaining.filter(isAlive)).toEqual([])
  expect(after.printed()).not.toMatch(/@example\.com.*\d ms|correct horse"\n/)
})

/** The child processes of a process. */
function processesBelow({ pid }: ChildProcess): number[] {
  const table = existsSync('/proc/self/stat')
    ? fromProc()
    : execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  return table
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/).map(Number))
    .flatMap(([child = 0, parent]) => (parent === pid ? [child] : []))
}

/** The same list without `ps`, which small containers lack. */
function fromProc(): string {
  const stats = readdirSync('/proc').flatMap(entry => {
    try {
      return /^\d+$/.test(entry) ? readFileSync(`/proc/${entry}/stat`, 'utf8') : []
    } catch {
      return []
    }
  })
  return stats.map(stat => stat.replace(/^(\d+) \(.*\) \S (\d+) .*$/s, '$1 $2')).join('\n')
}

test('what is wrong with an application stands below its request', async () => {
  const { baseUrl, printed } = await ready(start())
  const secret = 'a-secret-of-mine'
  const body = new URLSearchParams({ grant_type: 'refresh_token', client_id: 'sample', client_secret: secret })
  await fetch(`${baseUrl}/authorize?client_id=spoh`)
  await fetch(`${baseUrl}/auth/token`, { method: 'POST', body })
  await fetch(`${baseUrl}/auth//.well-known/openid-configuration`)
  await until(() => printed().includes('two slashes'))
  expect(printed()).toMatch(
    /^GET +\/authorize .*\n.*no application 'spoh'(?:.*\n)+^POST +\/auth\/token .*\n.*sample is public.*\n.*Take the secret(?:.*\n)+^GET +\/auth\/\/\.well-known.*\n.*two slashes\n.*The issuer is http:\/\/localhost:\d+\/auth, without one at its end\.$/m,
  )
  expect(printed()).not.toContain(secret)
})
