import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../support/system/small-stack.ts'

/** Changes of the sources while `npm start` runs: in a copy of them, with a system of its own. */

const root = join(import.meta.dirname, '../..')
const copied = [
  'dist',
  'accounts',
  'api',
  'catalogue',
  'functions',
  'infra',
  'local',
  'reference',
  'shared',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]

/** An application, as a list states it. */
const client = (id: string) => ({ id, name: 'Sample app', redirects: ['http://127.0.0.1/callback'], api: true })

let checkout: string
let system: ChildProcess
let printed = ''
let baseUrl: string

beforeAll(async () => {
  checkout = mkdtempSync(join(tmpdir(), 'reload-'))
  for (const name of copied) cpSync(join(root, name), join(checkout, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'))
  // A link, as a list in a repository beside this one is.
  mkdirSync(join(checkout, 'lists'))
  writeFileSync(join(checkout, 'lists/clients.json'), `[\n  ${JSON.stringify(client('sample'))}\n]\n`)
  symlinkSync('lists/clients.json', join(checkout, 'clients.json'))
  system = spawn(process.execPath, ['local/start.ts', '--watch', '--logs'], {
    cwd: checkout,
    env: { PATH: process.env.PATH, PORT: '0', RATE_LIMITS: 'off', OIDC_CLIENTS: '@clients.json' },
  })
  for (const stream of [system.stdout, system.stderr]) {
    stream?.on('data', chunk => {
      printed += chunk
    })
  }
  baseUrl = (await print(/API +(\S+)/))[1] ?? ''
  await print(/Ctrl-C/)
})
afterAll(async () => {
  system.kill('SIGKILL')
  await once(system, 'exit')
})

/** Waits until it has printed something. */
const print = (what: RegExp): Promise<RegExpExecArray> => until(() => what.exec(printed))

const originals = new Map<string, string>()

/** Saves a changed file, and waits for the line about the result. */
async function save(file: string, from: string, to: string, line: RegExp): Promise<RegExpExecArray> {
  const path = join(checkout, file)
  const text = readFileSync(path, 'utf8')
  expect(text).toContain(from)
  originals.set(path, originals.get(path) ?? text)
  printed = ''
  writeFileSync(path, text.replace(from, to))
  return print(line)
}

afterEach(async () => {
  printed = ''
  for (const [path, text] of originals) writeFileSync(path, text)
  if (originals.size > 0) await print(/^(?:reload|restart) .+\n/m)
  originals.clear()
})

const get = async (path: string) => {
  const response = await fetch(`${baseUrl}${path}`)
  return { status: response.status, text: await response.text() }
}

/** The status of a request that the application `id` alone may send. */
async function revokeAs(id: string): Promise<number> {
  const body = new URLSearchParams({ client_id: id, token: 'x' })
  return (await fetch(`${baseUrl}/auth/revoke`, { method: 'POST', body })).status
}

const handler = 'async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {'

describe('a saved change', () => {
  test('of a function is in its next request, and prints with its name', async () => {
    const path = '/nowhere'
    expect((await get(path)).status).toBe(404)
    await save(
      'functions/not-found.ts',
      handler,
      `${handler}\n    console.log('asked for %s', event.rawPath)`,
      /reload .*/,
    )
    await get(path)
    await print(/^not-found: asked for \/nowhere$/m)
    expect(printed).toMatch(/^reload +not-found \(\d+\.\d s\)$/m)
  })

  test('of shared code is in every function that has it', async () => {
    const broken = `export function problem(...args: unknown[]): never {\n  throw new RangeError(String(args.length))\n}\nexport function former(`
    await save('shared/base/answer.ts', 'export function problem(', broken, /reload +\d+ functions/)
    expect((await get('/nowhere')).status).toBe(500)
    await print(
      /^not-found: RangeError: 1\n +at problem \(shared\/base\/answer\.ts:\d+:\d+\)\n +at functions\/not-found\.ts:\d+:\d+\n/m,
    )
  })

  test('leaves a function the applications that it has', async () => {
    const revoke = () => revokeAs('sample')
    expect(await revoke()).toBe(200)
    await save('functions/revoke.ts', 'return {}', "console.log('revoked')\n    return {}", /reload +revoke \(/)
    expect(await revoke()).toBe(200)
    await print(/^revoke: revoked$/m)
  })

  test('of the catalogue is in its answers', async () => {
    await save('catalogue/data/catalogue.json', '"statements": [', '"statements": ["Changed.",', /reload +catalogue/)
    expect((await get('/catalogue')).text).toContain('Changed.')
  })

  test('that cannot be built is reported by file and line; the functions keep their code', async () => {
    await save(
      'functions/not-found.ts',
      handler,
      `${handler} iff (`,
      /reload +failed(?:.|\n)*functions\/not-found\.ts:\d+:\d+/,
    )
    expect((await get('/nowhere')).status).toBe(404)
  })

  test('that removes a file is noticed', async () => {
    const path = join(checkout, 'functions/not-found.ts')
    originals.set(path, readFileSync(path, 'utf8'))
    rmSync(path)
    await print(/reload +failed(?:.|\n)*functions\/not-found\.ts/)
    expect((await get('/nowhere')).status).toBe(404)
  })

  test('that cannot be read as JSON is reported with its file and line as well', async () => {
    await save('catalogue/data/catalogue.json', '{', '{,', /reload +failed(?:.|\n)*catalogue\.json: .*line 1 column 2/)
  })

  test('of the system itself takes a restart', async () => {
    await save('local/console.ts', 'export', 'export ', /^restart local\/console\.ts has changed: /m)
  })

  test('of the stack takes a restart: of a permission in the table, say', async () => {
    await save(
      'accounts/password/routes.ts',
      "['SendMessage']",
      "['SendMessage', 'GetQueueUrl']",
      /^restart the stack has changed: /m,
    )
  })
})

describe('a saved list in a file', () => {
  const more = (...ids: string[]) => ids.map(id => `,\n  ${JSON.stringify(client(id))}`).join('')

  test('is in the next request, printed with its file; a wrong one changes nothing', async () => {
    expect(await revokeAs('second')).toBe(400)
    await save('clients.json', '\n]', `${more('second')}\n]`, /^reload +clients\.json \(\d+ functions, \d+\.\d s\)$/m)
    expect(await Promise.all(['sample', 'second'].map(revokeAs))).toEqual([200, 200])

    await save(
      'clients.json',
      '\n]',
      ',\n]',
      /reload +failed.+\n.*clients\.json, line 3, column \d+: JSON does not .+\n/,
    )
    expect(await Promise.all(['sample', 'second'].map(revokeAs))).toEqual([200, 200])
    await save('clients.json', ',\n]', `${more('second')}\n]`, /reload +failed.+\n.*clients\.json: .*second.+\n/)
    expect(await revokeAs('second')).toBe(200)
  })

  test('stays after a saved source', async () => {
    await save('clients.json', '\n]', `${more('third')}\n]`, /^reload +clients\.json /m)
    await save('functions/revoke.ts', 'return {}', "console.log('revoked')\n    return {}", /^reload +revoke \(/m)
    expect(await revokeAs('third')).toBe(200)
  })

  test('that leaves no application takes a restart', async () => {
    const path = join(checkout, 'clients.json')
    await save('clients.json', readFileSync(path, 'utf8'), '[]', /^restart clients\.json has changed: /m)
    expect(await revokeAs('sample')).toBe(200)
  })
})
