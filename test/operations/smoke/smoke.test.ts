import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { linkPages } from '../../../accounts/mail/queue.ts'
import { Checklist } from '../../../operations/command-line/checklist.ts'
import { anyOrigin, checkStage } from '../../../operations/smoke/checks.ts'
import { Client } from '../../../operations/smoke/client.ts'
import { checkDescription, checkKeys } from '../../../operations/smoke/published.ts'
import { checkRegistration, linkFromInbox } from '../../../operations/smoke/registration.ts'
import { settingsToRun } from '../../support/stack/settings.ts'
import { assembled } from '../../support/system/assembled.ts'
import { runWithCommands } from '../../support/system/local-commands.ts'
import { operate } from '../../support/system/operate.ts'
import { linkIn, runSystem } from '../../support/system/running.ts'
import { cloudFrontOf, proxyOf, serveOnce } from './proxy.ts'

// A fast machine makes all these runs within a minute, in which one client may log in 60 times.
const { running, dataDirectory } = runWithCommands({ RATE_LIMITS: 'login=600/minute' })

const linesOf = (stdout: string, kind: string) => stdout.split('\n').filter(line => line.startsWith(kind))

describe('the smoke test', () => {
  test('passes on the local system, its mail included', async () => {
    const { baseUrl, inboxUrl } = running.system
    const { status, stdout, stderr } = await operate('smoke', [baseUrl, '--inbox', inboxUrl])
    expect(stdout.split('\n').filter(line => !line.startsWith('ok '))).toEqual([
      expect.stringMatching(/^skip {2}CloudFront serves the catalogue: .* --catalogue/),
      `${33 + linkPages().length} ok, 0 failed, 1 skipped`,
      '',
    ])
    expect([status, stderr]).toEqual([0, ''])
  })

  test('asks for the link if only a person can read the mail', async () => {
    const email = 'operator@example.com'
    const input = running.nextMail(email).then(mail => `${linkIn(mail)}\n`)
    const { status, stdout, stderr } = await operate(
      'smoke',
      [running.system.baseUrl, '--email', 'Operator@Example.com'],
      { input },
    )
    expect(stdout).toContain('ok    the mail arrives, and its link verifies the address')
    expect(stderr).toContain('The link in the mail:')
    expect(status).toBe(0)
  })

  test('registers an address of SES’s simulator if nobody can read the mail', async () => {
    const { status, stdout } = await operate('smoke', [running.system.baseUrl, '--json'])
    expect(stdout).toMatch(/an account is registered for success\+\w+@simulator\.amazonses\.com/)
    const { checks, ...counts } = JSON.parse(stdout)
    expect([status, counts]).toEqual([
      0,
      { ok: 30 + linkPages().length, failed: 0, skipped: 4, remaining_account: null },
    ])
    expect(checks.filter(({ result }: { result: string }) => result !== 'ok')).toEqual([
      { rule: expect.stringContaining('the mail arrives'), result: 'skipped', reason: expect.any(String) },
      { rule: expect.stringContaining('a second factor'), result: 'skipped', reason: expect.any(String) },
      { rule: expect.stringContaining('the address is changed'), result: 'skipped', reason: expect.any(String) },
      { rule: expect.stringContaining('CloudFront'), result: 'skipped', reason: expect.any(String) },
    ])
  })

  test('stops if nothing answers', async () => {
    const url = await serveOnce((_, response) => response.destroy())
    expect(await operate('smoke', [url])).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^FAIL .*\n0 ok, 1 failed, 0 skipped\n$/),
    })
  })

  test.each([[[]], [['example.com']], [['http://localhost:1', '--email', 'nobody']]])(
    'called with %j says what it takes',
    async args => {
      expect((await operate('smoke', args)).status).toBe(2)
    },
  )
})

describe.each<[Record<string, string>, string]>([
  [{ SIGN_UP: 'invited' }, 'only operators open accounts here'],
  [{ SIGN_UP_DOMAINS: 'example.net', REQUIRE_EMAIL_VERIFICATION: 'true' }, 'nobody opens an account at its domain'],
])('the smoke test of a system with %j', (settings, reason) => {
  const closed = runSystem(settings)

  test('checks that nobody registers, and says that it skips what needs an account', async () => {
    const { baseUrl, inboxUrl } = closed.system
    const { status, stdout } = await operate('smoke', [baseUrl, '--inbox', inboxUrl])
    expect(linesOf(stdout, 'skip')).toEqual([
      expect.stringMatching(`an account is registered for .*: ${reason}.*all that needs an account`),
      expect.stringContaining('CloudFront serves the catalogue'),
    ])
    expect(linesOf(stdout, 'FAIL')).toEqual([])
    expect(stdout).toContain('ok    registration is refused before a password is looked at')
    expect(status).toBe(0)
  })
})

const proxy = (change: Parameters<typeof proxyOf>[1]) => proxyOf(running.system.baseUrl, change)

test('a key set without a key is a failure, and shown', async () => {
  const url = await proxy(({ url }, answer) => {
    if (url?.endsWith('/jwks.json')) answer.body = Buffer.from('{"keys":[]}')
  })
  const lines: string[] = []
  await checkKeys(new Checklist(line => lines.push(line)), new Client(url))
  expect(lines[0]).toMatch(/^FAIL .* expected at least one key, got \{"keys":\[\]\}$/)
})

describe('the description of the API', () => {
  async function check(baseUrl: string): Promise<string[]> {
    const lines: string[] = []
    const client = new Client(baseUrl)
    await client.ask('GET', '/auth/me')
    await client.ask('GET', '/catalogue/groups')
    await checkDescription(new Checklist(line => lines.push(line)), client)
    return lines
  }

  test('shows an answer that does not conform', async () => {
    const [, line] = await check(
      await proxy(({ url }, answer) => {
        if (url === '/auth/me') answer.body = Buffer.from(String(answer.body).replace('not-authenticated', 'who-knows'))
      }),
    )
    expect(line).toMatch(/^FAIL {2}every answer .* 401 to GET \/auth\/me: the code who-knows is not described$/)
  })

  test('is reported when it is missing', async () => {
    const lines = await check(
      await proxy(({ url }, answer) => {
        if (url === '/openapi.json') answer.body = Buffer.from('{}')
      }),
    )
    expect(lines.map(line => line.slice(0, 4))).toEqual(['FAIL', 'skip'])
  })
})

test('a limit that counts by what callers forge fails', async () => {
  const url = await proxy(({ url }, { headers }) => {
    if (url === '/auth/login' && headers.has('ratelimit')) headers.set('ratelimit', '"login";r=59;t=60')
  })
  const { stdout } = await operate('smoke', [url, '--inbox', running.system.inboxUrl])
  const failed = expect.stringContaining('expected RateLimit to fall, got r=59, then r=59')
  expect(linesOf(stdout, 'FAIL')).toContainEqual(failed)
})

test('each check fails when a proxy breaks what it checks, and says what it expected', async () => {
  const url = await proxy(({ method, url = '' }, answer) => {
    const { headers } = answer
    const challenge = headers.get('www-authenticate')
    if (challenge) {
      headers.set('x-amzn-remapped-www-authenticate', challenge)
      headers.delete('www-authenticate')
    }
    for (const name of ['ratelimit', 'allow', 'access-control-expose-headers', 'content-security-policy'])
      headers.delete(name)
    headers.set('access-control-allow-headers', 'content-type')
    if (headers.get('cache-control') === 'no-store') headers.set('cache-control', 'no-cache')
    if (url.startsWith('/auth/') && answer.status === 404) headers.set('content-type', 'application/json')
    if (method === 'HEAD') answer.status = 405
    if (url === '/catalogue/modules') headers.delete('content-encoding')
    if (answer.status === 422 && url === '/auth/register') answer.status = 400
    if (answer.status === 304) answer.status = 200
    if (url === '/auth/login' && answer.status === 200) {
      const { access_token, ...rest } = JSON.parse(String(answer.body))
      answer.body = Buffer.from(JSON.stringify({ ...rest, access_token: `${access_token.slice(0, -8)}AAAAAAAA` }))
    }
  })
  const { status, stdout } = await operate('smoke', [url, '--inbox', running.system.inboxUrl])
  expect(status).toBe(1)
  const failures = linesOf(stdout, 'FAIL').map(line => line.replace(/^FAIL {2}/, ''))
  const remapped =
    /expected WWW-Authenticate, got x-amzn-remapped-www-authenticate: Bearer.* overwrite:header\.WWW-Authenticate/
  expect(failures).toEqual([
    expect.stringMatching(remapped),
    expect.stringMatching(remapped),
    expect.stringMatching(remapped),
    expect.stringContaining('the state of its limit: expected RateLimit like'),
    expect.stringContaining('does not change whom a limit counts: expected RateLimit to fall, got r=NaN, then r=NaN'),
    expect.stringContaining('require TLS from then on: expected Cache-Control no-store, got no-cache'),
    expect.stringContaining(
      'a bad body gets an error for each bad member: expected 422 to POST /auth/register, got 400',
    ),
    expect.stringContaining(
      'an unknown path gets a problem document: expected Content-Type application/problem+json, got application/json',
    ),
    expect.stringContaining(
      'the answer to a wrong method lists the right ones: expected Allow POST, OPTIONS, got none',
    ),
    expect.stringContaining('expected Access-Control-Allow-Headers like'),
    expect.stringContaining('expected Access-Control-Expose-Headers like'),
    ...linkPages().map(page =>
      expect.stringContaining(
        `the page /${page} is served, and runs no foreign code: expected Content-Security-Policy`,
      ),
    ),
    expect.stringContaining('the signing keys answer HEAD like GET, without a body: expected 200'),
    expect.stringContaining('the discovery document names the address of the keys: expected issuer'),
    expect.stringContaining('an account is registered for'),
    expect.stringContaining('the token verifies against the published keys'),
    expect.stringContaining('with the token, /auth/me shows the account'),
    expect.stringContaining('changing the password revokes the older token'),
    expect.stringContaining('a client that has the catalogue gets 304: expected 304'),
    expect.stringContaining('the catalogue answers HEAD'),
    expect.stringContaining('expected Content-Encoding br, got none'),
    expect.stringMatching(
      /every answer conforms to the description: .* 401 to GET \/auth\/me: the header WWW-Authenticate is missing/,
    ),
  ])
})

describe.each([{}, { SIGN_UP: 'invited' }])('at a stage with %j', env => {
  const stage = runSystem(env)

  test('each check fails when answers say nothing, and passes when they are restored', async () => {
    const { baseUrl, inboxUrl } = stage.system
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const { template } = await assembled(settingsToRun({ MAIL_FROM: 'Gatehouse <no-reply@localhost>', ...env }))
    const cdnUrl = await cloudFrontOf(baseUrl, template)
    onTestFinished(() => {
      vi.unstubAllGlobals()
      vi.unstubAllEnvs()
    })
    let changed: string | null = null
    const { fetch } = globalThis
    vi.stubGlobal('fetch', async (url: string | URL, init?: RequestInit) => {
      const answer = await fetch(url, init)
      if (changed === null || String(url).startsWith(inboxUrl)) return answer
      // One check only asks whether there is an answer.
      if (changed.endsWith(' answers 1')) throw new Error('there is no answer')
      return new Response('', { status: 418 })
    })

    const [met, failed] = [new Set<string>(), new Set<string>()]
    let [round, before] = [0, -1]
    // Checks that need an earlier one run once that is left alone.
    while (failed.size > before) {
      before = failed.size
      const email = `round-${round++}@example.com`
      const times = new Map<string, number>()
      const checklist = new Checklist(() => {})
      const check = checklist.check.bind(checklist)
      checklist.check = async (rule, examine) => {
        // The catalogue's occur twice: at the API, and at CloudFront.
        const name = rule.replace(email, '')
        times.set(name, (times.get(name) ?? 0) + 1)
        const key = `${name} ${times.get(name)}`
        met.add(key)
        changed = failed.has(key) ? null : key
        const { failed: count } = checklist.counts
        const result = await check(rule, examine)
        changed = null
        if (checklist.counts.failed > count) failed.add(key)
        return result
      }
      await checkStage(checklist, {
        baseUrl,
        cdnUrl,
        email,
        otherEmail: `other-${email}`,
        origin: anyOrigin,
        audience: 'gatehouse',
        findLink: (...sought) => linkFromInbox(inboxUrl, ...sought),
      })
    }
    // It requires nothing: the next test changes its token.
    const askingNothing = env.SIGN_UP === 'invited' ? [] : ['the token verifies against the published keys 1']
    expect([...met].filter(key => !failed.has(key))).toEqual(askingNothing)
  })
})

test('a token that the published keys do not verify is a failure', async () => {
  const url = await proxy((request, answer) => {
    if (request.url !== '/auth/login' || answer.status !== 200) return
    const { access_token, ...rest } = JSON.parse(String(answer.body))
    answer.body = Buffer.from(JSON.stringify({ ...rest, access_token: `${access_token.slice(0, -8)}AAAAAAAA` }))
  })
  const { status, stdout } = await operate('smoke', [url])
  expect(status).toBe(1)
  expect(linesOf(stdout, 'FAIL')).toEqual([
    expect.stringContaining('the discovery document names the address of the keys'),
    expect.stringContaining('the token verifies against the published keys: signature verification failed'),
    expect.stringContaining('with the token, /auth/me shows the account: expected 200 to GET /auth/me, got 401'),
    expect.stringContaining('changing the password revokes the older token: expected 200'),
  ])
  expect(linesOf(stdout, 'skip')).toHaveLength(7)
  const [, email = '', command = ''] = /^The account (\S+) remains, .+:\n(.+)\n$/m.exec(stdout) ?? []
  expect(command).toBe(`npm run users -- delete ${email} --yes --local`)
  const env = { PATH: process.env.PATH, DATA_DIR: dataDirectory }
  const deleted = await promisify(execFile)('sh', ['-c', command], { cwd: join(import.meta.dirname, '../../..'), env })
  expect(deleted.stdout).toContain(`${email} is deleted`)
})

test('the account is deleted if it can log in, after any other failure', async () => {
  const url = await proxy((request, answer) => {
    if (request.url === '/auth/change-password') answer.status = 500
    if (request.url === '/auth/register' && answer.status === 201) answer.headers.set('cache-control', 'public')
  })
  const email = 'left-behind@example.com'
  const input = running.nextMail(email).then(mail => `${linkIn(mail)}\n`)
  const { stdout } = await operate('smoke', [url, '--email', email], { input })
  expect(linesOf(stdout, 'FAIL').join('\n')).toMatch(/an account is registered.+changing the password/s)
  expect(stdout).not.toContain('remains')
  expect((await running.send('POST', '/auth/register', { email, password: 'correct horse' })).status).toBe(201)
})

test.each([
  ['email-not-verified', 'the address must be verified first (REQUIRE_EMAIL_VERIFICATION)'],
  ['second-factor-setup', 'everybody needs a second factor here (SECOND_FACTOR)'],
])('a login that %s refuses is skipped', async (code, reason) => {
  const url = await proxy((request, answer) => {
    if (request.url === '/auth/login') answer.body = Buffer.from(JSON.stringify({ code }))
  })
  const lines: string[] = []
  await checkRegistration(new Checklist(line => lines.push(line)), new Client(url), {
    ...{ email: `${code}@example.com`, otherEmail: '', findLink: null, audience: 'gatehouse', keys: null },
  })
  expect(lines).toContainEqual(expect.stringContaining(`skip  logging in gives an access token: ${reason}`))
})
