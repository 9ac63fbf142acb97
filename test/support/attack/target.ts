import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { AccountItem } from '../../../accounts/account/attributes.ts'
import { functionNames } from '../../../api/route-keys.ts'
import type { LogLine } from '../../../local/observer.ts'
import type { Options } from '../../../local/options.ts'
import { type Running, runStack } from '../../../local/system.ts'
import { AccountTable } from '../../../operations/users/table.ts'
import { byName, expectDescribedOnWire } from '../api/openapi.ts'
import { applications, settingsToRun } from '../stack/settings.ts'
import { assembled, environments } from '../system/assembled.ts'
import { accountsTable, openUsers, rateLimitsTable, type Users } from '../system/operator.ts'
import { configOf } from '../system/small-stack.ts'
import { type Answer, type RawRequest, sendRaw } from './raw-request.ts'
import { expectSafe } from './safe-answer.ts'

export interface Person {
  email: string
  password: string
}

/**
 * A running system under attack. Every answer is checked against the rules for all answers and against the OpenAPI
 * document; logs and stored accounts can be inspected afterwards.
 */
export interface Target {
  readonly system: Running
  /** The folder of the system's data. */
  readonly dataDirectory: string
  /** Every line that a function logged. */
  readonly logs: LogLine[]
  /** Texts that must not be logged. */
  readonly secrets: Set<string>
  send(request: RawRequest): Promise<Answer>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  /** A new person. Their address and password count as secrets. */
  person(): Person
  register(person?: Person): Promise<Person>
  /** @returns the access token */
  logIn(person: Person): Promise<string>
  /** Waits for `count` mails to an address. @returns the tokens in their links, the oldest first */
  mailed(email: string, count?: number): Promise<string[]>
  /** The users table, read and written directly. */
  readonly users: Users
  /** The users table, through operators' commands. */
  readonly operator: AccountTable
  /** The stored account of a person. */
  stored(person: Pick<Person, 'email'>): Promise<AccountItem>
}

/** Nothing answers there, and its secret is not encrypted. */
const silent = 'http://127.0.0.1:9'
const provider = {
  id: 'silent',
  name: 'Silent',
  issuer: silent,
  authorization_endpoint: `${silent}/authorize`,
  token_endpoint: `${silent}/token`,
  jwks_uri: `${silent}/keys`,
  client_id: 'gatehouse',
  secret: Buffer.alloc(120, 'ciphertext').toString('base64'),
}

/** With applications and a provider, so that every endpoint exists. */
const defaults = {
  RATE_LIMITS: 'off',
  MAIL_FROM: 'Gatehouse <no-reply@localhost>',
  OIDC_CLIENTS: applications,
  SIGN_IN_PROVIDERS: JSON.stringify([provider]),
}

/**
 * Starts a system to attack, for all tests of a file.
 *
 * @param env settings on top of the defaults, possibly depending on the data directory
 * @param options `concurrency`: parallel requests of a function; more make races likelier
 */
export function startTarget(
  env: Record<string, string> | ((dataDirectory: string) => Promise<Record<string, string>>) = {},
  options: Pick<Options, 'concurrency'> = {},
): Target {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-target-'))
  let system: Running
  let users: Users
  let operator: AccountTable

  beforeAll(async () => {
    const settings = settingsToRun({
      ...defaults,
      ...(typeof env === 'function' ? await env(target.dataDirectory) : env),
    })
    system = await runStack({
      settings,
      assembly: await assembled(settings),
      port: 0,
      inboxPort: 0,
      host: '127.0.0.1',
      dataDirectory: target.dataDirectory,
      environments,
      ...options,
      observer: { logged: line => target.logs.push(line) },
    })
    for (const name of functionNames) {
      const { secretAccessKey, sessionToken } = system.credential(name)
      target.secrets.add(secretAccessKey).add(sessionToken)
    }
    users = openUsers(system)
    const client = configOf(system, 'operator')
    operator = new AccountTable({ client, outputs: { AccountsTable: accountsTable, RateLimitsTable: rateLimitsTable } })
  })
  afterAll(() => system?.stop())

  const target: Target = {
    get system() {
      return system
    },
    dataDirectory: join(directory, 'data'),
    logs: [],
    secrets: new Set(),

    async send(request) {
      const answer = await sendRaw(system.baseUrl, request)
      expectSafe(answer, request)
      const { status, headers, text } = answer
      expectDescribedOnWire(request.method ?? 'GET', request.path, {
        status,
        header: byName(headers),
        body: text,
      })
      return answer
    },

    post(path, body, headers) {
      return target.send({ method: 'POST', path, body, ...(headers && { headers }) })
    },

    person() {
      const person = { email: `p${unique()}@example.com`, password: `pw ${unique()}` }
      target.secrets.add(person.email).add(person.password)
      return person
    },

    async register(person = target.person()) {
      const { status, text } = await target.post('/auth/register', person)
      if (status !== 201) throw new Error(`not registered: ${text}`)
      return person
    },

    async logIn(person) {
      const { body } = await target.post('/auth/login', person)
      target.secrets.add(body.access_token)
      return body.access_token
    },

    async mailed(email, count = 1) {
      for (;;) {
        const links = system.inbox.list().filter(({ destination }) => destination.to.includes(email))
        const tokens = links.map(({ body }) => /token=([\w-]+)/.exec(body.text ?? '')?.[1] ?? '')
        for (const token of tokens) target.secrets.add(token)
        if (tokens.length >= count) return tokens
        await arrival(system)
      }
    },

    get users() {
      return users
    },

    get operator() {
      return operator
    },

    async stored({ email }) {
      const found = await operator.find(email)
      if (found === null) throw new Error('there is no such account')
      return found
    },
  }
  return target
}

const unique = (): string => randomBytes(12).toString('hex')

function arrival({ inbox }: Running): Promise<void> {
  return new Promise(resolve => {
    const stop = inbox.onArrival(() => {
      stop()
      resolve()
    })
  })
}
