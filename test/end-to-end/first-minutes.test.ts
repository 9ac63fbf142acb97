import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { formExamples } from '../../accounts/application/shapes.ts'
import type { Row } from '../../api/implied.ts'
import { memberExamples } from '../../api/openapi/meanings.ts'
import { operations } from '../../api/openapi/operations.ts'
import type { EndpointName } from '../../api/routes.ts'
import { welcome } from '../../local/console.ts'
import { fallbacks } from '../../local/local-settings.ts'
import { blocks as blocksOfGuides } from '../integrate/programs.ts'
import { goodBody, type Sender } from '../support/api/requests.ts'
import { applications } from '../support/stack/settings.ts'
import { goToExample } from '../support/system/example.ts'
import { addPasskey } from '../support/system/passkeys.ts'
import { linkIn, logInFor, registerSender, runSystem } from '../support/system/running.ts'

/**
 * The first commands of people: the lines in README and those of `npm start`, in bash, zsh and fish; then the examples
 * of the reference.
 */

const root = join(import.meta.dirname, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
/** The application of `npm start`, and those of the tests. */
const listed = [fallbacks.OIDC_CLIENTS, applications].flatMap(list => JSON.parse(list))
const running = runSystem(
  { RATE_LIMITS: 'off', PASSKEY_RP_ID: 'localhost', OIDC_CLIENTS: JSON.stringify(listed) },
  { providerPort: 0 },
)

/** The README's blocks after the one that starts the system: an application with a login, and programs' calls. */
const [, application = '', lines = ''] = [...readme.matchAll(/^```sh\n(.+?)^```/gms)].map(([, block = '']) => block)
const readmeLines = (): string => lines.replaceAll('http://localhost:3000', running.system.baseUrl)

/** The lines to try that `npm start` prints. */
function printedLines(): string {
  const [, lines = ''] =
    /Try it:\n\n(.+?)\n\n/s.exec(
      welcome(running.system, { ACCOUNT_PAGE: 'on', APP_URL: '', OIDC_CLIENTS: [], SIGN_UP: 'open' }, 1, true),
    ) ?? []
  return `${lines.replace(/^ {2}/gm, '')}\n`
}

/** Shells without a user's settings. zsh, the shell of macOS, and fish may be missing. */
const shells: Record<string, string[]> = {
  bash: ['--norc', '--noprofile', '-i'],
  zsh: ['-f', '-i', '-s'],
  fish: ['--no-config'],
}
const isThere = (shell: string): boolean => {
  try {
    execFileSync(shell, ['-c', 'exit'])
    return true
  } catch {
    return false
  }
}

async function type(shell: string, lines: string): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', PS1: '', PS2: '' }
  // fish does not read commands from a socket, which Node gives it.
  const child = spawn(shell, [...(shells[shell] ?? []), ...(shell === 'fish' ? ['-c', lines] : [])], { env })
  child.stdin.end(lines)
  const [stdout] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return stdout
}

const cases = Object.keys(shells)
  .filter(isThere)
  .flatMap(shell => [
    [shell, 'the README’s lines', readmeLines] as const,
    [shell, 'what npm start prints', printedLines] as const,
  ])

test.each(cases)('in %s, %s register, log in and show the account', async (shell, _, lines) => {
  const email = `${crypto.randomUUID()}@example.com`
  const typed = lines().replaceAll('grace@example.com', email)
  const stdout = await type(shell, typed)
  const accounts = [...stdout.matchAll(/\{"id".+?\}/g)].map(([account]) => JSON.parse(account))
  expect(accounts).toMatchObject([
    { email, name: 'Grace', is_verified: false },
    { email, name: 'Grace', is_verified: false },
  ])
  expect(linkIn(await running.nextMail(email)).pathname).toBe('/verify-email')
})

test('the README’s command for it starts an application that people log in to here', async () => {
  const { baseUrl } = running.system
  const env = { PATH: process.env.PATH, ISSUER: `${baseUrl}/auth`, PORT: '0' }
  const child = spawn('bash', ['-c', `exec ${application}`], { env, cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [printed] = await once(child.stdout, 'data')
    const [home = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(String(printed)) ?? []
    const shown = await fetch(`${home}/login`, { headers: { accept: 'text/html' } })
    expect(shown.url).toMatch(`${baseUrl}/authorize?`)
    expect(await shown.text()).toContain('data-name="Sample app"')
  } finally {
    child.kill()
  }
})

/** Runs the guide's script for the tests of an application, beside the log of a run before. */
async function runScript(port: number) {
  const folder = mkdtempSync(join(tmpdir(), 'application-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const script = blocksOfGuides.find(({ text }) => text.includes('npm --prefix "$GATEHOUSE" start'))?.text ?? ''
  const tests = `curl -fs -o description "$(sed -n 's/^ *API *//p' gatehouse.log)/openapi.json" && exit 3`
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { test: tests } }))
  writeFileSync(join(folder, 'gatehouse.log'), 'is ready after\n')
  const { PATH = '', HOME = '/nonexistent', NODE_COMPILE_CACHE = '' } = process.env
  const env = { PATH, HOME, NODE_COMPILE_CACHE, TMPDIR: folder, GATEHOUSE: root, PORT: String(port) }
  const child = spawn('sh', ['-c', script], { cwd: folder, env })
  const [printed, [status]] = await Promise.all([text(child.stdout), once(child, 'close'), text(child.stderr)])
  return { printed, status, ran: existsSync(join(folder, 'description')), kept: globSync('tmp.*', { cwd: folder }) }
}

test('the guide’s script runs the tests of an application, and ends as they do', async () => {
  expect(await runScript(0)).toMatchObject({ status: 3, ran: true, kept: [] })
})

test('the guide’s script runs no test at a system that it did not start', async () => {
  const { port } = new URL(running.system.baseUrl)
  expect(await runScript(Number(port))).toMatchObject({
    printed: expect.stringContaining('in use'),
    status: 1,
    ran: false,
  })
})

test('the guide’s fixture starts a system for each of two workers, and ends both', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'workers-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  // The fixtures alone: Playwright's runner is no dependency of ours.
  const module = join(folder, 'node_modules/@playwright/test')
  mkdirSync(module, { recursive: true })
  writeFileSync(join(module, 'package.json'), '{"type":"module","exports":"./index.js"}')
  writeFileSync(join(module, 'index.js'), 'export const test = { extend: fixtures => fixtures }, expect = null')
  copyFileSync(join(root, 'docs/examples/programs/gatehouse.js'), join(folder, 'gatehouse.mjs'))
  // Ports that no other test has at the same time, below those of outgoing connections.
  const first = process.pid % 2800
  const program = `
    import { test } from './gatehouse.mjs'
    const [start, { scope }] = test.gatehouse
    const register = async ({ api, inbox }) => {
      const body = JSON.stringify({ email: 'ada@example.com', password: 'correct horse' })
      const { status } = await fetch(api + '/auth/register', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      console.log(scope, api, status, (await fetch(inbox + '/store')).status)
    }
    await Promise.all([${first}, ${first + 1}].map(parallelIndex => start({}, register, { parallelIndex })))`
  writeFileSync(join(folder, 'worker.mjs'), program)
  const { PATH = '', HOME = '/nonexistent', NODE_COMPILE_CACHE = '' } = process.env
  const env = { PATH, HOME, NODE_COMPILE_CACHE, TMPDIR: folder, GATEHOUSE: root }
  const { stdout } = await promisify(execFile)(process.execPath, ['worker.mjs'], { cwd: folder, env })
  expect(stdout.trim().split('\n').sort()).toEqual(
    [first, first + 1].map(index => `worker http://localhost:${4000 + 10 * index} 201 200`).sort(),
  )
  expect(globSync('gatehouse-*', { cwd: folder })).toEqual([])
})

/** The reference's examples, by operation, as copied. */
async function examplesIn(kind: 'in-curl' | 'in-fetch' | 'in-python'): Promise<Map<string, string>> {
  const page = await (await fetch(`${running.system.baseUrl}/reference`)).text()
  const articles = page.matchAll(/<article class="operation" id="([^"]+)".*?<\/article>/gs)
  const code = new RegExp(`"snippet ${kind}".*?<code>(.*?)</code>`, 's')
  const all = [...articles].map(([article, name = '']) => [name, unescapeHtml(code.exec(article)?.[1] ?? '')] as const)
  // Requests of own pages or authenticators have no example.
  return new Map(all.filter(([, example]) => example !== ''))
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#10': '\n' }
const unescapeHtml = (text: string) => text.replaceAll(/&([^;]+);/g, (entity, name) => entities[name] ?? entity)

interface Example {
  code: string
  accessToken: string
}

/** Runs examples, one after the other in one process. @returns the statuses of the answers */
const runners = {
  'in-curl': async (examples: readonly Example[]) => {
    const lines = examples.map(
      ({ code, accessToken }) => `ACCESS_TOKEN=${accessToken}\n${code} -s -o /dev/null -w '%{http_code} '\n`,
    )
    return numbersIn(await type('bash', lines.join('')))
  },
  'in-fetch': async (examples: readonly Example[]) => {
    const statuses: unknown[] = []
    for (const { code, accessToken } of examples)
      statuses.push(await new AsyncFunction('accessToken', `${code}\nreturn response.status`)(accessToken))
    return statuses
  },
  'in-python': async (examples: readonly Example[]) => {
    const lines = examples.map(
      ({ code, accessToken }) => `access_token = "${accessToken}"\n${code}\nprint(response.status_code)\n`,
    )
    // Not synchronously: the system under test runs in this process.
    return numbersIn((await run('python3', ['-c', lines.join('')])).stdout)
  },
} as const
const numbersIn = (printed: string): unknown[] => printed.trim().split(/\s+/).map(Number)
const run = promisify(execFile)
const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => (...values: string[]) => unknown

const hasRequests = (): boolean => {
  try {
    execFileSync('python3', ['-c', 'import requests'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const kinds = (Object.keys(runners) as (keyof typeof runners)[]).filter(kind => kind !== 'in-python' || hasRequests())

test.each(kinds)('every example of the reference succeeds as it is copied: %s', async kind => {
  const examples = await examplesIn(kind)
  expect(examples.size).toBeGreaterThan(30)
  const shown = operations.filter(({ name }) => examples.has(name))
  const own = async ({ name, rowName, row }: (typeof shown)[number]): Promise<Example> => {
    const code = examples.get(name) ?? ''
    if (!row.body && !row.form && row.access !== 'bearer') return { code, accessToken: '' }
    // Other people have other values, and tokens come by mail.
    const sender = await someone()
    if (isOfApplication(row)) return ofApplication(code, sender)
    if (name === 'provider-login') return ofProvider(code, sender)
    const { accessToken, code: own } =
      row.access === 'bearer' ? await logInFor(rowName as EndpointName, running, sender) : { accessToken: '' }
    const device = row.goal === 'passkeys' && accessToken ? await addPasskey(running, { ...sender, accessToken }) : null
    const good = await goodBody(rowName as EndpointName, {
      ...sender,
      ...(own && { code: own }),
      ...(device && { passkey: device.id }),
    })
    const body = Object.entries(good ?? {})
    const exampleOf = (member: string) => JSON.stringify(memberExamples[member as keyof typeof memberExamples])
    return {
      code: body.reduce((text, [member, value]) => text.replaceAll(exampleOf(member), JSON.stringify(value)), code),
      accessToken,
    }
  }
  for (let from = 0; from < shown.length; from += together) {
    const some = shown.slice(from, from + together)
    const statuses = await runners[kind](await Promise.all(some.map(own)))
    expect(some.map(({ name }, index) => [name, statuses[index]])).toEqual(
      some.map(({ name, status }) => [name, status]),
    )
  }
})

/** Examples prepared at once: fifty would take longer on a busy machine than an AWS call may, or a code lasts. */
const together = 4

const isOfApplication = ({ form, scopes }: Row): boolean => form !== undefined || Boolean(scopes?.includes('openid'))

/** An example of an application's request after a login to it. */
async function ofApplication(code: string, { email, password, token }: Sender): Promise<Example> {
  await running.send('POST', '/auth/verify-email', { token: await token('verification') })
  const { body } = await running.send('POST', '/auth/authorize', { request: memberExamples.request, email, password })
  const { TokenRequest: example } = formExamples
  const own = new URL(body.location).searchParams.get('code') ?? ''
  // A code works once.
  if (code.includes(String(example.code))) return { code: code.replace(String(example.code), own), accessToken: '' }
  const form = String(new URLSearchParams({ ...example, code: own } as Record<string, string>))
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await running.send('POST', '/auth/token', form, type)
  return { code, accessToken: answer.body.access_token }
}

/** An example of a page's request after a return from a provider. */
async function ofProvider(code: string, { newEmail }: Sender): Promise<Example> {
  const { body } = await running.send('GET', '/auth/providers')
  const { authorization_code: own } = await (await goToExample(body.providers[0])).proofOf(newEmail)
  return { code: code.replace(memberExamples.authorization_code as string, own), accessToken: '' }
}

const someone = () => registerSender(running, `${crypto.randomUUID()}@example.com`)

test.each(Object.keys(shells).filter(isThere))(
  'in %s, what logs in and keeps the token in the reference does so',
  async shell => {
    const { email } = await someone()
    const page = await (await fetch(`${running.system.baseUrl}/reference`)).text()
    const [, code = ''] = /"snippet in-curl".*?<code>(export ACCESS_TOKEN=.*?)<\/code>/s.exec(page) ?? []
    const lines = `${unescapeHtml(code).replace('ada@example.com', email)}\necho "$ACCESS_TOKEN"`
    expect((await type(shell, lines)).trim()).toMatch(/^ey[\w-]+\.[\w-]+\.[\w-]+$/)
  },
)

const documents = globSync('{*,docs/*}.md', { cwd: root })

test.each(documents)('no command in %s has a comment after it, which zsh takes for arguments', document => {
  const blocks = [...readFileSync(join(root, document), 'utf8').matchAll(/^ *```sh\n(.+?)^ *```/gms)]
  const commented = blocks.flatMap(([, lines = '']) => lines.split('\n').filter(line => /\S\s+#\s/.test(line)))
  expect(commented).toEqual([])
})
