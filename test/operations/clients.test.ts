import { createHash } from 'node:crypto'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '../../accounts/application/client.ts'
import { readClients } from '../../infra/settings/clients.ts'
import { operate } from '../support/system/operate.ts'

const shop = {
  ...{ id: 'shop', name: 'Shop' },
  ...{ redirects: ['https://shop.example.com/callback'], logouts: ['https://shop.example.com/'] },
}
const app = { id: 'app', name: 'App', redirects: ['http://127.0.0.1/callback'] }

const clients = (args: readonly string[], list: readonly object[] = [shop, app]) =>
  operate('clients', args, { env: { OIDC_CLIENTS: JSON.stringify(list) } })

/** The applications of a printed setting. */
function printed(stdout: string): readonly Client[] {
  const [, text = ''] = /^OIDC_CLIENTS='([^'\n]*)'$/m.exec(stdout) ?? []
  const read = readClients(text)
  if (typeof read === 'string') throw new Error(read)
  return read
}

const secretIn = (stdout: string): string => /(?<=^(?: {2}client secret {2})?)ghc1_[\w-]{43}$/m.exec(stdout)?.[0] ?? ''
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex')

test('new prints the setting with a secret’s hash and the present applications', async () => {
  const redirects = ['https://a.example.com/callback', 'http://localhost:8000/callback']
  const args = [
    'new',
    'wiki',
    '--name',
    "Ada's wiki",
    ...redirects.flatMap(address => ['--redirect', address]),
    '--api',
  ]
  const { status, stdout, stderr } = await clients(args)
  expect([status, stderr]).toEqual([0, ''])
  const [first, second, made] = printed(stdout)
  expect([first?.id, second?.id]).toEqual(['shop', 'app'])
  const secret = secretIn(stdout)
  expect(made).toMatchObject({ id: 'wiki', name: "Ada's wiki", redirects, secrets: [hashOf(secret)], api: true })
  expect(stdout.split(secret)).toHaveLength(2)
})

/** What the developers of an application are sent, by what it is. */
const sentIn = (output: string) =>
  [...output.matchAll(/^ {2}(\w.*?) {2,}(.*)$/gm)].map(([, what, text]) => [what, text])

test.each<[string[], Record<string, string>, string, string]>([
  [[], {}, 'http://localhost:3000', 'openid email profile roles offline_access'],
  [[], { PORT: '4000', SESSION_DAYS: '0' }, 'http://localhost:4000', 'openid email profile roles'],
  [[], { BASE_URL: 'http://gatehouse:3000' }, 'http://gatehouse:3000', 'openid email profile roles offline_access'],
  [[], { API_DOMAIN: 'a.example.com' }, 'https://a.example.com', 'openid email profile roles offline_access'],
  [['--stage', 'prod'], {}, '<BaseUrl, an output of the stack>', 'openid email profile roles offline_access'],
])('new ends with what its developers need: %j %j', async (more, env, address, scopes) => {
  const [redirect, logout] = ['https://wiki.example.com/callback', 'https://wiki.example.com/']
  const args = ['new', 'wiki', '--redirect', redirect, '--logout', logout, ...more]
  const { stdout } = await operate('clients', args, { env })
  expect(sentIn(stdout)).toEqual([
    ['issuer', `${address}/auth`],
    ['discovery', `${address}/auth/.well-known/openid-configuration`],
    ['client id', 'wiki'],
    ['client secret', secretIn(stdout)],
    ['redirect', redirect],
    ['after logout', logout],
    ['scopes', scopes],
    ['PKCE', 'S256, which it must send'],
    ['how', expect.stringContaining('integrate.md')],
  ])
  expect(stdout.trimEnd().endsWith(sentIn(stdout).at(-1)?.[1] ?? '')).toBe(true)
})

test('a public one gets no secret; an invalid one is refused with the reason', async () => {
  const { stdout } = await clients(['new', 'phone', '--public', '--redirect', 'com.example.app:/callback'])
  expect([secretIn(stdout), printed(stdout).at(-1)?.secrets]).toEqual(['', []])
  const { status, stderr } = await clients(['new', 'shop', '--redirect', 'http://shop.example.com/callback'])
  expect(status).toBe(2)
  expect(stderr).toMatch(
    /shop: redirects: "http:\/\/shop\.example\.com\/callback" is http.*; shop: id is that of another/,
  )
  const ofTokens = await clients(['new', 'gatehouse', '--redirect', 'https://shop.example.com/callback'])
  expect(ofTokens).toMatchObject({ status: 2, stdout: '' })
  expect(ofTokens.stderr).toContain('gatehouse: id must not be that of access tokens')
})

test('one that has no PKCE is made and listed as such, with a secret alone', async () => {
  const args = ['new', 'wiki', '--redirect', 'https://wiki.example.com/callback', '--pkce-optional']
  expect(printed((await clients(args)).stdout).at(-1)).toMatchObject({ id: 'wiki', pkce: 'optional' })
  expect((await clients([...args, '--public'])).stderr).toContain('wiki: pkce: is for applications with a secret')
  const list = [{ ...shop, secrets: ['0'.repeat(64)], pkce: 'optional' }]
  expect((await clients(['list'], list)).stdout).toContain('shop  Shop (one secret, PKCE optional)\n')
})

test('secret adds a second secret beside the first, and no third', async () => {
  const secrets = ['0'.repeat(64)]
  const { stdout } = await clients(['secret', 'shop'], [{ ...shop, secrets }, app])
  expect(printed(stdout)[0]?.secrets).toEqual([...secrets, hashOf(secretIn(stdout))])
  const full = [{ ...shop, secrets: [...secrets, '1'.repeat(64)] }]
  expect((await clients(['secret', 'shop'], full)).stderr).toContain('shop has two secrets')
  expect((await clients(['secret', 'app'])).stderr).toContain('app is public')
  expect((await clients(['secret', 'spoh'])).stderr).toContain("There is no application 'spoh', but shop, app")
})

test('list shows the applications of the environment, of npm start, or of a stage', async () => {
  expect((await clients(['list'])).stdout).toBe(
    'shop  Shop (public)\n  redirect  https://shop.example.com/callback\n  logout    https://shop.example.com/\n\n' +
      'app  App (public)\n  redirect  http://127.0.0.1/callback\n',
  )
  expect(JSON.parse((await operate('clients', ['list', '--json'])).stdout)).toMatchObject([{ id: 'sample' }])
  expect((await operate('clients', ['list', '--stage', 'prod'])).stdout).toBe('There are no applications.\n')
  expect((await clients(['list', '--stage', 'nope'])).stderr).toContain('STAGE must name a file in stages/')
})

describe('a list in a file', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'clients-'))
  })
  const file = () => join(folder, 'clients.json')
  const inFile = (args: readonly string[], env: Record<string, string> = {}) =>
    operate('clients', args, { env: { INIT_CWD: folder, ...env } })
  const named = { OIDC_CLIENTS: '@clients.json' }
  const redirect = ['--redirect', 'https://wiki.example.com/callback']

  test('--to makes the file, adds to it what it has, and prints the secret alone', async () => {
    const made = await inFile(['new', 'wiki', ...redirect, '--to', 'clients.json'])
    expect(made.status).toBe(0)
    expect(made.stderr).toMatch(
      /^clients\.json is in use with OIDC_CLIENTS=@clients\.json\.\nFor the developers of wiki:\n/,
    )
    expect(sentIn(made.stderr)).toContainEqual(['client secret', 'the printed one'])
    const wiki = { id: 'wiki', name: 'wiki', redirects: [redirect[1]], secrets: [hashOf(made.stdout.trim())] }
    expect(readFileSync(file(), 'utf8')).toBe(`${JSON.stringify([wiki], null, 2)}\n`)
    chmodSync(file(), 0o640)

    const added = await inFile(['new', 'phone', '--public', ...redirect, '--to', 'clients.json'], named)
    expect(added).toMatchObject({ status: 0, stdout: '' })
    expect(sentIn(added.stderr)).toContainEqual(['client secret', 'none: it is public'])
    const second = await inFile(['secret', 'wiki', '--to', 'clients.json'], named)
    expect(second).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual([
      { ...wiki, secrets: [...wiki.secrets, hashOf(second.stdout.trim())] },
      { id: 'phone', name: 'phone', redirects: [redirect[1]] },
    ])
    expect([statSync(file()).mode & 0o777, readdirSync(folder)]).toEqual([0o640, ['clients.json']])
    expect((await inFile(['list'], named)).stdout).toMatch(/^wiki {2}wiki \(two secrets\)\n.*\n\nphone /)
  })

  test('--to follows a link, and leaves it one', async () => {
    writeFileSync(join(folder, 'real.json'), '[]')
    symlinkSync('real.json', file())
    expect((await inFile(['new', 'wiki', ...redirect, '--to', 'clients.json'])).status).toBe(0)
    expect([lstatSync(file()).isSymbolicLink(), readClients(readFileSync(file(), 'utf8'))]).toMatchObject([
      true,
      [{ id: 'wiki' }],
    ])
  })

  test.each<[string, readonly string[], string, RegExp]>([
    ['an id that is there', ['new', 'shop', ...redirect], JSON.stringify([shop]), /shop: id is that of another client/],
    ['the id of access tokens', ['new', 'gatehouse', ...redirect], '[]', /id must not be that of access tokens/],
    ['an application that is not there', ['secret', 'spoh'], JSON.stringify([shop]), /no application 'spoh', but shop/],
    ['what is no JSON', ['new', 'wiki', ...redirect], '[\n,]', /clients\.json, line 2, column 1: /],
    ['what is no list of applications', ['new', 'wiki', ...redirect], '[{}]', /clients\.json: client 1: id: /],
  ])('--to refuses %s, and leaves the file as it is', async (_, args, contents, reason) => {
    writeFileSync(file(), contents)
    const { status, stdout, stderr } = await inFile([...args, '--to', 'clients.json'])
    expect([status > 0, stdout, stderr]).toEqual([true, '', expect.stringMatching(reason)])
    expect([readFileSync(file(), 'utf8'), readdirSync(folder)]).toEqual([contents, ['clients.json']])
  })

  test('--to refuses a file that another command writes, or that it may not', async () => {
    writeFileSync(`${file()}.part`, '')
    const { stderr } = await inFile(['new', 'wiki', ...redirect, '--to', 'clients.json'])
    expect(stderr).toContain('clients.json.part exists already: another command writes it, or was killed')
    expect(readdirSync(folder)).toEqual(['clients.json.part'])
    const stray = ['new', 'wiki', ...redirect, '--stage', 'prod', '--to']
    expect((await inFile([...stray, '../clients.json'])).stderr).toContain(': the path must stay in stages/')
    expect((await inFile([...stray, 'none/clients.json'])).stderr).toContain(
      'stages/none/clients.json: there is no such folder',
    )
  })

  test('with STAGES_DIR a stage and its lists are in that folder, as every line says', async () => {
    mkdirSync(join(folder, 'own'))
    writeFileSync(join(folder, 'own/prod.env'), '')
    const env = { STAGES_DIR: 'own' }
    const made = await inFile(['new', 'wiki', ...redirect, '--stage', 'prod', '--to', 'clients.json'], env)
    expect([made.status, readdirSync(join(folder, 'own'))]).toEqual([0, ['clients.json', 'prod.env']])
    expect(made.stderr).toContain('own/clients.json is in use with OIDC_CLIENTS=@clients.json in own/prod.env.')
    const printed = await inFile(['new', 'wiki', ...redirect, '--stage', 'prod'], env)
    expect(printed.stdout).toContain('The setting, in own/prod.env:\n')
    for (const program of ['clients', 'providers']) {
      const missing = await operate(program, [program === 'clients' ? 'list' : 'check', '--stage', 'staging'], {
        env: { INIT_CWD: folder, ...env },
      })
      expect(missing).toMatchObject({ status: 2, stderr: expect.stringContaining(join(folder, 'own/staging.env')) })
    }
    expect((await inFile(['list', '--stage', 'prod'], { STAGES_DIR: 'none' })).stderr).toContain(
      `STAGES_DIR must be a folder, not '${join(folder, 'none')}'`,
    )
  })

  test('without --to the setting is printed, and a mistake in it named', async () => {
    writeFileSync(file(), JSON.stringify([shop]))
    const { stdout } = await inFile(['new', 'wiki', ...redirect], named)
    expect(stdout).toContain('The setting, which stands in clients.json (--to writes it there):\n')
    expect(printed(stdout).map(({ id }) => id)).toEqual(['shop', 'wiki'])
    writeFileSync(file(), '[{}]')
    expect((await inFile(['list'], named)).stderr).toContain('OIDC_CLIENTS is not valid: clients.json: client 1: id: ')
    rmSync(file())
    expect((await inFile(['list'], named)).stderr).toContain(
      'OIDC_CLIENTS is not valid: clients.json: there is no such file',
    )
  })
})

const authorize = 'https://api.example.com/authorize'
const good =
  'client_id=shop&redirect_uri=https%3A%2F%2Fshop.example.com%2Fcallback&response_type=code&scope=openid' +
  '&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256'
const logout = 'https://api.example.com/logout'
const logoutOf = (address: string) => `${logout}?client_id=shop&post_logout_redirect_uri=${encodeURIComponent(address)}`
/** An id token, but for its signature. */
const tokenFor = (aud: string) =>
  [{ alg: 'RS256' }, { aud }, {}].map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
const ofApp = (redirect: string) => `${authorize}?client_id=app&redirect_uri=${encodeURIComponent(redirect)}`

test.each([
  [`${authorize}?${good}`, 'Nothing is wrong'],
  [good, 'Nothing is wrong'],
  [authorize, 'client_id is missing\nSet the client id in the application.'],
  [`${authorize}?client_id=shop&client_id=shop`, 'client_id is given more than once'],
  [`${authorize}?client_id=spoh`, "There is no application 'spoh', but shop, app"],
  [`${authorize}?client_id=shop`, 'redirect_uri is missing'],
  [ofApp('http://127.0.0.1:8000/callback/'), 'Only the slash at its end differs.'],
  [ofApp('http://127.0.0.1:8000/Callback'), 'Only capitals differ.'],
  [ofApp('https://127.0.0.1/callback'), 'Only http and https differ.'],
  [ofApp('http://localhost:8000/callback'), 'localhost and 127.0.0.1 are different addresses.'],
  [ofApp('http%3A%2F%2F127.0.0.1%2Fcallback'), 'It is encoded twice.'],
  [ofApp('https://attacker.example/'), 'It is compared as text. Listed are:\n  http://127.0.0.1/callback'],
  [`${authorize}?${good.replace('S256', 'plain')}`, 'invalid_request: code_challenge_method must be S256'],
  [
    `${authorize}?${good.replace(/&code_.*/, '')}`,
    'shop is told invalid_request: This service requires PKCE (RFC 7636) with S256: switch it on in the application\nOne that has',
  ],
  [`${logout}?client_id=shop`, 'Nothing is wrong'],
  [logoutOf('https://shop.example.com/'), 'Nothing is wrong'],
  [logoutOf('https://shop.example.com'), 'Only the slash at its end differs. Listed are:\n  https://shop.example.com/'],
  [logoutOf('https://shop.example.com/bye'), 'shop does not list https://shop.example.com/bye in logouts.'],
  [`${logoutOf('https://shop.example.com/').replace('shop', 'spoh')}`, "There is no application 'spoh', but shop, app"],
  [
    logoutOf('https://app.example.com/').replace('shop', 'app'),
    'app lists no logouts\nList https://app.example.com/ there',
  ],
  [`${logout}?post_logout_redirect_uri=https%3A%2F%2Fshop.example.com%2F`, 'Neither id_token_hint nor client_id says'],
  ['post_logout_redirect_uri=https%3A%2F%2Fshop.example.com%2F', 'Neither id_token_hint nor client_id says'],
  [`${logoutOf('https://shop.example.com/')}&client_id=shop`, 'client_id is given more than once'],
  [`${logoutOf('https://shop.example.com/')}&id_token_hint=x`, 'id_token_hint is not an id_token'],
  [
    `${logoutOf('https://shop.example.com/')}&id_token_hint=${tokenFor('app')}`,
    'id_token_hint is of app, but client_id',
  ],
  [
    `${logout}?id_token_hint=${tokenFor('shop')}&post_logout_redirect_uri=https%3A%2F%2Fshop.example.com%2F`,
    'Nothing is wrong',
  ],
  ['https://shop.example.com/callback?error=invalid_scope&error_description=Why', 'was told invalid_scope: Why\n'],
  [
    'https://shop.example.com/callback?error=invalid_scope&error_description=scope+must+contain+openid',
    'was told invalid_scope: scope must contain openid\nAdd openid to its scopes.\n',
  ],
  [
    'https://api.example.com/account?lang=de',
    'This is not an address of /authorize or /logout: https://api.example.com/account',
  ],
])('check says of %s: %s', async (address, said) => {
  const { status, stdout } = await clients(['check', address])
  expect([stdout.includes(said) ? said : stdout, status]).toEqual([said, said === 'Nothing is wrong' ? 0 : 1])
})

test('check says of an address with a code that it worked, without the code', async () => {
  const { status, stdout } = await clients(['check', 'https://shop.example.com/callback?code=a-code&iss=https://x'])
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^The log-in worked.*\n.*\/auth\/token/)])
  expect(stdout).not.toContain('a-code')
})

test('check of an unlisted application says where the list is from, unless named', async () => {
  const unset = /\nOIDC_CLIENTS is unset in this terminal/
  const check = ['check', `${authorize}?client_id=spoh`]
  expect((await operate('clients', check)).stdout).toMatch(unset)
  expect((await clients(check)).stdout).not.toMatch(unset)
  expect((await operate('clients', [...check, '--stage', 'prod'])).stdout).not.toMatch(unset)
  expect((await operate('clients', ['check', `${authorize}?client_id=sample`])).stdout).not.toMatch(unset)
})

test('new wants an address to come back to', async () => {
  expect(await clients(['new', 'wiki'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('new needs --redirect ADDRESS'),
  })
})
