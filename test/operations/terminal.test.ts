import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as bodyOf } from 'node:stream/consumers'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AccountItem } from '../../accounts/account/attributes.ts'
import { listCommands } from '../../docs/write/commands.ts'
import { statementOf } from '../../infra/settings/provider-members.ts'
import { accountKind } from '../../operations/users/records.ts'
import { providers } from '../support/providers.ts'
import { operate } from '../support/system/operate.ts'
import { accountsTable, fullAccount, keyOf } from '../support/system/operator.ts'
import { runSystem } from '../support/system/running.ts'
import { configOf } from '../support/system/small-stack.ts'
import { serve, type WebServer } from '../support/web-server.ts'

/** Hostile text never steers an operator's terminal: commands read it everywhere, and print no byte of it unescaped. */

const steering = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu
const forged = 'verified           yes'
/** All steering characters, and a line of its own. */
const hostile = `${String.fromCharCode(...Array.from({ length: 0x10000 }, (_, code) => code))
  .match(steering)
  ?.join('')}\n${forged}`
/** No argument holds a NUL. */
const typed = hostile.replace('\0', '')

const dataDirectory = mkdtempSync(join(tmpdir(), 'gatehouse-terminal-'))
const list = JSON.stringify(providers.map(provider => statementOf({ ...provider, secret: null })))
const running = runSystem({ SIGN_IN_PROVIDERS: list, LANGUAGES: 'en,de' }, { dataDirectory })
const commands = await listCommands()

/** Runs a command, and checks every printed character. */
async function printed(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
  input = '',
): Promise<string> {
  const { stdout, stderr } = await operate(program, args, {
    env: { DATA_DIR: dataDirectory, INIT_CWD: dataDirectory, ...env },
    input,
  })
  const raw = `${stdout}${stderr}`
  const found = [...new Set(raw.match(steering))].filter(character => character !== '\n')
  expect({ program, args, found: found.map(character => character.charCodeAt(0).toString(16)) }).toMatchObject({
    found: [],
  })
  expect(raw.split('\n').filter(line => line.startsWith(forged))).toEqual([])
  return raw
}

/** The paths of a value's texts; except its address, by which commands find it. */
const textsIn = (value: unknown, path: readonly string[] = []): string[][] =>
  typeof value === 'string'
    ? [[...path]]
    : value instanceof Uint8Array || typeof value !== 'object' || value === null
      ? []
      : Object.entries(value instanceof Set ? [...value] : value).flatMap(([name, member]) =>
          textsIn(member, [...path, name]),
        )

/** A value with hostile texts at these paths. */
function filled<T>(value: T, isFilled: (path: string, text: string) => boolean, path: readonly string[] = []): T {
  if (typeof value === 'string') return (isFilled(path.join('.'), value) ? hostile : value) as T
  if (value instanceof Uint8Array || typeof value !== 'object' || value === null) return value
  const fill = (member: unknown, name: number | string) => filled(member, isFilled, [...path, String(name)])
  if (value instanceof Set) return new Set([...value].map(fill)) as T
  if (Array.isArray(value)) return value.map(fill) as T
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fill(member, name)])) as T
}

const paths = textsIn(fullAccount('a'))
  .map(path => path.join('.'))
  .filter(path => path !== 'email')

let db: DynamoDBDocumentClient
/** Puts an account where commands find it, with the entry of its address. */
async function put(id: string, account: AccountItem) {
  const entry = { key: keyOf('Addresses', account.email), id }
  for (const Item of [{ key: keyOf('Accounts', id), ...account }, entry])
    await db.send(new PutCommand({ TableName: accountsTable, Item }))
}
beforeAll(() => {
  db = DynamoDBDocumentClient.from(new DynamoDBClient(configOf(running.system, 'operator')))
})

/** An account with hostile texts, except those by which commands find or date it. */
const person = 'ada@example.com'
const isKept = (path: string, text: string) => /^(?:email|id)$/.test(path) || text === fullAccount('').created_at

describe('an attribute that a stranger filled', () => {
  // The pattern of addresses in IAM's conditions is read by line here.
  const oddEmail = `@${hostile.replace(/[\n\r\u2028\u2029]/g, '')}`
  const emailOf = (path: string) => `${paths.indexOf(path)}@example.com`

  beforeAll(async () => {
    for (const path of paths)
      await put(
        emailOf(path),
        filled(fullAccount(emailOf(path)), each => each === path),
      )
    await put('x', { ...fullAccount('x'), email: oddEmail })
  })

  test.each(paths)('%s is escaped by show', async path => {
    await printed('users', ['show', emailOf(path), '--local'])
    await printed('users', ['show', emailOf(path), '--local', '--json'])
  })

  test('is escaped where people see it, and equal where programs parse it', async () => {
    expect(await printed('users', ['show', emailOf('identities.a.subject'), '--local'])).toContain('\\u001b')
    const json = await printed('users', ['show', emailOf('identities.a.subject'), '--local', '--json'])
    expect(JSON.parse(json).identities[0].subject).toBe(hostile)
  })

  test.each([['list'], ['list', '--invited'], ['list', '--json'], ['export']])(
    'is escaped by %j %j',
    async (...args) => {
      const lines = (await printed('users', [...args, '--local'])).trim().split('\n')
      expect(lines.length).toBeGreaterThan(paths.length)
      expect(lines.filter(line => line.includes('\\u202e')).length).toBeGreaterThan(1)
      if (!lines[0]?.startsWith('{')) return
      const records = lines.filter(line => line.startsWith('{')).map(line => JSON.parse(line))
      expect(records.find(({ email }) => email === emailOf('name')).name).toBe(hostile)
      expect(records.map(({ email }) => email)).toContain(oddEmail)
    },
  )
})

describe('every command', () => {
  /** Answers of a provider, an API and AWS. */
  let server: WebServer
  let members: Record<string, unknown> = {}
  beforeAll(async () => {
    server = await serve((request, response) => {
      const document = { '/.well-known/openid-configuration': members, '/jwks': { keys: [{}] } }[request.url ?? '']
      const answer = document ? JSON.stringify(document) : hostile
      response.writeHead(200, { 'x-cache': 'a\x9bb', allow: 'a\x9bb', 'content-type': 'a\x9bb' }).end(answer)
    })
    return () => server.close()
  })
  const whole = () => ({
    ...{ issuer: server.url, authorization_endpoint: `${server.url}/authorize`, token_endpoint: `${server.url}/token` },
    ...{
      jwks_uri: `${server.url}/jwks`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    },
    ...{
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      id_token_signing_alg_values_supported: ['RS256'],
    },
    claims_supported: ['email'],
  })
  const entries = () => {
    const { issuer, authorization_endpoint, token_endpoint, jwks_uri } = whole()
    return JSON.stringify([
      { id: 'google', name: 'Google', client_id: 'a', issuer, authorization_endpoint, token_endpoint, jwks_uri },
    ])
  }

  const file = join(dataDirectory, 'people.ndjson')
  const records = accountKind.members.map(member =>
    JSON.stringify({ email: `${member}@example.org`, [member]: hostile }),
  )
  beforeEach(async () => {
    members = whole()
    writeFileSync(
      file,
      [hostile, ...records, JSON.stringify({ email: 'a@example.org', [hostile]: hostile })].join('\n'),
    )
    await put(
      person,
      filled(fullAccount(person), (path, text) => !isKept(path, text)),
    )
  })

  /** Valid operands, by their name in the help. */
  const good = (operand: string): string => {
    const known: Record<string, string> = {
      email: person,
      'email or id': person,
      'new-email': 'new@example.com',
      issuer: server.url,
      id: 'google',
      url: server.url,
      file,
      address: `https://api.example/authorize?client_id=${encodeURIComponent(hostile)}`,
      'a,b|none': 'none',
      'tag>|none': 'none',
    }
    const name = operand.replace(/^\[?<|>\]?$/g, '')
    const value = operand.startsWith('<') || operand.startsWith('[') ? known[name] : operand.split('|')[0]
    if (value === undefined) throw new Error(`the test knows no value of ${operand}`)
    return value
  }

  /** The options of a command in its help, and whether each takes a text. */
  async function optionsOf(program: string, name: string): Promise<Map<string, boolean>> {
    const { stdout } = await operate(program, [...(name === '' ? [] : [name]), '--help'])
    return new Map(
      [...stdout.matchAll(/^ {2}--([\w-]+)(?: ([A-Z]+))?/gm)].map(([, option = '', value]) => [
        option,
        value !== undefined,
      ]),
    )
  }

  const titled = commands.map(command => ({ ...command, title: `${command.program} ${command.name}` }))
  test('is in the table of commands', () => expect(titled.length).toBeGreaterThan(25))

  test.each(titled)('$title escapes what it finds, and what it is called with', async ({ program, name, operands }) => {
    const env = { SIGN_IN_PROVIDERS: entries() }
    const options = await optionsOf(program, name)
    const flags = ['local', 'yes'].filter(option => options.has(option)).map(option => `--${option}`)
    const call = (given: readonly string[]) =>
      printed(program, [...(name === '' ? [] : [name]), ...given, ...flags], env, hostile)
    const words = operands.map(good)
    await call(words)
    if (options.has('json')) await call([...words, '--json'])
    for (const at of words.keys()) await call(words.with(at, typed))
    await call([...words, typed])
    expect(await call([...words, `--${typed}`])).toContain('\\u001b')
    for (const [option, takesText] of options) if (takesText) await call([...words, `--${option}`, typed])
    await printed(program, [typed], env)
  })

  test.each([
    'issuer',
    'authorization_endpoint',
    'token_endpoint',
    'jwks_uri',
    'response_types_supported',
    'token_endpoint_auth_methods_supported',
    'id_token_signing_alg_values_supported',
    'claims_supported',
  ])('of providers escapes what a provider says of its %s', async member => {
    for (const value of [hostile, [hostile], { [hostile]: hostile }]) {
      members = { ...whole(), [member]: value }
      await printed('providers', ['new', server.url, '--id', 'new', '--client-id', 'a'])
      await printed('providers', ['check'], { SIGN_IN_PROVIDERS: entries() })
    }
  })
})

describe('AWS', () => {
  const md5 = createHash('md5').update(hostile).digest('hex')
  /** Answers of each service, with hostile texts wherever possible. */
  const answers: Record<string, object> = {
    ReceiveMessage: { Messages: [{ MessageId: hostile, ReceiptHandle: hostile, Body: hostile, MD5OfBody: md5 }] },
    GetQueueAttributes: {
      Attributes: { ApproximateNumberOfMessages: hostile, ApproximateNumberOfMessagesNotVisible: '1' },
    },
    DescribeKey: { KeyMetadata: { KeyId: hostile, KeyState: hostile } },
    Encrypt: { CiphertextBlob: 'AAAA' },
    Scan: { Items: [], Count: 0 },
  }
  const suppressed = { SuppressedDestination: { EmailAddress: hostile, Reason: hostile, LastUpdateTime: 1 } }
  let aws: WebServer
  let fails = false
  let received = 0
  beforeAll(async () => {
    aws = await serve(async (request, response) => {
      await bodyOf(request)
      const [, action = ''] = String(request.headers['x-amz-target'] ?? '').split('.')
      const isMore = action !== 'ReceiveMessage' || received++ === 0
      const answer = action === '' ? suppressed : isMore ? (answers[action] ?? {}) : {}
      const error = { __type: 'ValidationException', message: hostile, Message: hostile }
      response.writeHead(fails ? 400 : 200, {
        'content-type': 'application/x-amz-json-1.0',
        'x-amzn-errortype': 'ValidationException',
      })
      response.end(JSON.stringify(fails ? error : answer))
    })
    return () => aws.close()
  })

  const outputs = join(dataDirectory, 'outputs.json')
  const write = (content: object) => writeFileSync(outputs, JSON.stringify(content))
  const deployed = () => ({
    ...(Object.values(JSON.parse(readFileSync(join(dataDirectory, 'operator.json'), 'utf8')).outputs)[0] as object),
    MailQueue: `${aws.url}/mail`,
    DeadLetters: `${aws.url}/dead`,
  })

  const calls: string[][] = [
    ['users', 'show', person],
    ['users', 'list'],
    ['keys', 'list'],
    ['mail', 'redrive'],
    ['mail', 'suppressed', person],
    ['mail', 'suppressed', person, '--json'],
    ['providers', 'secret', 'google'],
    ['stack', 'check'],
  ]
  const call = ([program = '', ...args]: readonly string[]) => {
    const key = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'a', AWS_REGION: 'us-east-1' }
    received = 0
    return printed(program, [...args, '--outputs', outputs], { ...key, AWS_ENDPOINT_URL: aws.url }, 'secret')
  }

  test.each(calls.map(words => [words.join(' '), words] as const))(
    '%s escapes what it answers and refuses',
    async (_, command) => {
      for (fails of [false, true]) {
        write({ [hostile]: deployed() })
        const shown = await call(command)
        if (fails) expect(shown).toContain('\\u001b')
        write({ [hostile]: {} })
        await call(command)
        write({ [hostile]: deployed(), other: {} })
        await call(command)
      }
      fails = false
      for (const name of Object.keys(deployed())) {
        write({ Gatehouse: { ...deployed(), [name]: hostile } })
        await call(command)
      }
      writeFileSync(outputs, hostile)
      await call(command)
    },
  )
})
