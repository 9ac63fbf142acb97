import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { document } from '../support/api/openapi.ts'
import { limitEach } from '../support/api/rows.ts'
import { startLyingProvider } from '../support/service/lying-provider.ts'
import { listedIn } from '../support/system/providers.ts'
import { runSystem } from '../support/system/running.ts'
import { serve } from '../support/web-server.ts'
import { accountOperations, prepareCalls, serveLaterVersion } from './generators/calls.ts'
import { generators } from './generators/generators.ts'
import { folderOf } from './programs.ts'

/** The client in `docs/integrate.md`, unchanged, and generated clients, against the running system. */

const run = promisify(execFile)
const statuses: number[] = []
const provider = await startLyingProvider(() => new Date(), { secret: 'the-secret' })
afterAll(() => provider[Symbol.asyncDispose]())
const dataDirectory = join(mkdtempSync(join(tmpdir(), 'gatehouse-clients-')), 'data')
const running = runSystem(
  {
    RATE_LIMITS: limitEach('1000/minute', { 'resend-verification': '4/second' }),
    PASSKEY_RP_ID: 'localhost',
    SIGN_IN_PROVIDERS: await listedIn(dataDirectory, [provider.provider]),
  },
  { dataDirectory, observer: { served: ({ status }) => statuses.push(status) } },
)
const folder = folderOf('client.ts', 'app.ts', 'link-to.js')
afterAll(() => rmSync(folder, { recursive: true }))

const requiredOf = (shape: string) => document.components.schemas[shape]?.required ?? []

const password = 'correct horse'
const bin = (path: string) => join(import.meta.dirname, path, 'node_modules/.bin')

interface Person {
  askLogin?: () => Promise<object>
  sayWait?: (seconds: number) => void
}
// biome-ignore lint/suspicious/noExplicitAny: its types are made by the generator, below
let connect: (baseUrl: string, person: Person) => any

/** Follows the guide: makes a project, generates the types, and compiles. @returns tsc's complaints */
async function compile(tsc: string): Promise<string> {
  for (const file of ['tsconfig.json', 'app.js']) rmSync(join(folder, file), { force: true })
  await run(tsc, ['--init'], { cwd: folder })
  return (await run(tsc, [], { cwd: folder }).catch(({ stdout }) => ({ stdout }))).stdout
}

beforeAll(async () => {
  const source = `${running.system.baseUrl}/openapi.json`
  await run(join(bin('.'), 'openapi-typescript'), [source, '-o', join(folder, 'gatehouse.d.ts')])
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  await compile(join(bin('.'), 'tsc'))
  connect = (await import(join(folder, 'client.js'))).connect
})

/** An account, and a client logged in to it. */
async function someone(name: string) {
  const body = { email: `${name}@example.com`, password }
  let asked = 0
  const waits: number[] = []
  const api = connect(running.system.baseUrl, {
    askLogin: async () => {
      asked++
      return body
    },
    sayWait: seconds => waits.push(seconds),
  })
  await api.POST('/auth/register', { body })
  const { data } = await api.POST('/auth/login', { body })
  return { body, api, waits, token: data.access_token as string, timesAsked: () => asked }
}

describe('the client in the guide', () => {
  test.each([
    ['7', bin('../..')],
    ['5', bin('.')],
  ])('compiles with what `tsc --init` writes, in TypeScript %s', async (version, path) => {
    const tsc = join(path, 'tsc')
    expect((await run(tsc, ['--version'])).stdout).toContain(`Version ${version}.`)
    expect(await compile(tsc)).toBe('')
  })

  test('registers, logs in, reads, changes the password and deletes', async () => {
    const app = join(folder, 'app.js')
    writeFileSync(app, readFileSync(app, 'utf8').replaceAll('http://localhost:3000', running.system.baseUrl))
    const { stdout } = await run(process.execPath, [app])
    expect(stdout).toBe('client@example.com\nYour account has been deleted.\n')
  })

  test('tells errors by their code', async () => {
    const { api, body } = await someone('bob')
    expect((await api.POST('/auth/register', { body })).error.code).toBe('email-taken')
    const { error } = await api.POST('/auth/register', { body: { email: 'nobody' } })
    expect([error.code, error.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
      'invalid-body',
      ['/email', '/password'],
    ])
  })

  test('waits as long as 429 says, and tells its user', async () => {
    const { api, body, waits } = await someone('carol')
    // Seven fit into two windows, and three attempts span three of them.
    while (!statuses.includes(429)) {
      const { email } = body
      const send = () => api.POST('/auth/resend-verification', { body: { email } })
      const answers = await Promise.all(Array.from({ length: 7 }, send))
      expect(answers.map(({ response }) => response.status)).toEqual(Array.from(answers, () => 200))
    }
    expect(new Set(waits)).toEqual(new Set([1]))
  })

  // The API's own answer depends on the rest of the window.
  test('hands on a 429 of more than a minute, and sends nothing again', async () => {
    let requests = 0
    await using server = await serve((_, response) => {
      requests++
      response.writeHead(429, { 'retry-after': '61' }).end()
    })
    const api = connect(server.url, {})
    const { response } = await api.POST('/auth/login', { body: { email: 'dora@example.com', password } })
    expect([response.status, requests]).toEqual([429, 1])
  })

  test('logs in again once when its token has ended, for all that it sends meanwhile', async () => {
    const { api, body, token, timesAsked } = await someone('eve')
    await running.send('POST', '/auth/logout-everywhere', undefined, { authorization: `Bearer ${token}` })
    const answers = await Promise.all([api.GET('/auth/me'), api.PUT('/auth/me', { body: { name: 'Eve' } })])
    expect(answers.map(({ data }) => data.email)).toEqual([body.email, body.email])
    expect(timesAsked()).toBe(1)
  })

  test('gives up after a login that fails', async () => {
    const { api, body, token, timesAsked } = await someone('fay')
    await running.send('POST', '/auth/logout-everywhere', undefined, { authorization: `Bearer ${token}` })
    body.password = 'wrong'
    expect((await api.GET('/auth/me')).error.code).toBe('invalid-access-token')
    expect(timesAsked()).toBe(1)
  })
})

describe.each(generators)('the client that $name makes', ({ name, missing, generate, files, commands }) => {
  test('compiles, calls every operation of accounts, and takes what is new to it', async ({ skip }) => {
    const absent = await missing()
    if (absent) console.warn(`Not run: the client of ${name}. ${absent}.`)
    if (absent) skip(absent)
    const home = mkdtempSync(join(dirname(folder), 'generated-'))
    const calls = await prepareCalls(running, provider)
    await using later = await serveLaterVersion(running.system.baseUrl)
    const env = { ...process.env, GATEHOUSE_URL: later.url }
    const execute = ([command, ...args]: readonly [string, ...string[]]) =>
      run(command, args, { cwd: home, env, maxBuffer: 64 * 1024 * 1024 }).catch(({ stdout, stderr }) => {
        throw new Error(`${command} ${args.join(' ')}\n${stdout}\n${stderr}`)
      })
    writeFileSync(join(home, 'openapi.json'), JSON.stringify(document))
    await execute(generate)
    for (const [file, text] of Object.entries(files(calls))) {
      mkdirSync(dirname(join(home, file)), { recursive: true })
      writeFileSync(join(home, file), text)
    }
    let output = ''
    for (const command of commands) output = (await execute(command)).stdout
    const lines = output.split('\n').filter(line => line.startsWith('{'))
    const answers = lines.map(
      line => JSON.parse(line) as { id: string; status: number; answer: { code?: string | null } },
    )
    expect(answers.map(({ id, status, answer: { code } }) => [id, status, code ?? undefined])).toEqual([
      ...accountOperations.map(({ status }, i) => [calls[i]?.id, status, undefined]),
      ['login', 403, 'from-the-future'],
      ['login', 429, undefined],
    ])
    for (const [i, { answer }] of answers.slice(0, accountOperations.length).entries())
      expect(Object.keys(answer)).toEqual(expect.arrayContaining(requiredOf(calls[i]?.reply ?? '')))
    rmSync(home, { recursive: true })
  }, 600_000)
})

describe('link-to.js', () => {
  const tools = async () => {
    process.env.INBOX_URL = running.system.inboxUrl
    return (await import(join(folder, 'link-to.js'))) as {
      linksTo: (address: string, page: string) => Promise<string[]>
      linkTo: (address: string, page: string, known?: string[]) => Promise<URL>
    }
  }
  const tokenIn = (link: URL) => ({ token: link.searchParams.get('token') })

  test('finds the link to a page, whichever mail came last', async () => {
    const { linkTo } = await tools()
    const { email } = (await someone('gil')).body
    await running.send('POST', '/auth/forgot-password', { email })
    const reset = await linkTo(email, '/reset-password')
    const verification = await linkTo(email, '/verify-email')
    expect(await linkTo(email, '/reset-password')).toEqual(reset)
    const passwords = { ...tokenIn(reset), new_password: 'battery staple' }
    expect((await running.send('POST', '/auth/reset-password', passwords)).status).toBe(200)
    expect((await running.send('POST', '/auth/verify-email', tokenIn(verification))).status).toBe(200)
  })

  test('waits for a link that was not there before', async () => {
    const { linksTo, linkTo } = await tools()
    const { email } = (await someone('hal')).body
    const first = await linkTo(email, '/verify-email')
    const known = await linksTo(email, '/verify-email')
    expect(known).toEqual([first.href])
    await running.send('POST', '/auth/resend-verification', { email })
    const second = await linkTo(email, '/verify-email', known)
    expect((await running.send('POST', '/auth/verify-email', tokenIn(first))).status).toBe(400)
    expect((await running.send('POST', '/auth/verify-email', tokenIn(second))).status).toBe(200)
  })
})
