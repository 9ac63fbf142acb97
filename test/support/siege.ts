import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, vi } from 'vitest'
import { type LogLine, type Options, type Running, runStack } from '../../infra/local/system.ts'
import { assemble } from '../../infra/local/template/assembly.ts'
import { readSettings } from '../../infra/settings/settings.ts'
import { AccountTable } from '../../operations/accounts/table.ts'
import { functionNames } from '../../shared/needs.ts'
import type { AccountItem } from '../../shared/store/account-item.ts'
import { type Answer, type Attack, attack } from './attack.ts'
import { expectCivil } from './civility.ts'
import { byName, expectDescribedOnWire } from './openapi.ts'
import { allowOperator, openUsers, type Users, usersTable } from './operator.ts'

export interface Person {
  email: string
  password: string
}

/**
 * The whole system, running, under attack. Whatever is sent through it is held against the laws that every answer
 * keeps; what it has logged and stored is there to be looked at afterwards.
 */
export interface Siege {
  readonly system: Running
  /** Where the system keeps its data. */
  readonly dataDirectory: string
  /** Every line that a function has written. */
  readonly logs: LogLine[]
  /** What must be in no log. */
  readonly secrets: Set<string>
  send(request: Attack): Promise<Answer>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Somebody new, whose address and password nobody may log. */
  person(): Person
  register(person?: Person): Promise<Person>
  /** @returns the access token */
  logIn(person: Person): Promise<string>
  /** Waits for the mails to an address, so many of them, the oldest first. @returns the tokens in their links */
  mailed(email: string, count?: number): Promise<string[]>
  /** The users table, past the service. */
  readonly users: Users
  /** The same as operators' commands change it. */
  readonly operator: AccountTable
  /** The stored account of a person. */
  stored(person: Pick<Person, 'email'>): Promise<AccountItem>
}

/** bcrypt's least that the settings allow: what a hash costs is not what an attack is about. */
const defaults = { RATE_LIMITS: 'off', BCRYPT_COST: '10', MAIL_FROM: 'Gatehouse <no-reply@localhost>' }

/**
 * Lays siege to a system for all tests of a file.
 *
 * @param env settings besides the usual
 * @param options `concurrency`: how many requests a function may have in hand at once, which makes races sharper
 */
export function laySiege(env: Record<string, string> = {}, options: Pick<Options, 'concurrency'> = {}): Siege {
  // Hundreds of requests in one test, on a machine that may have others to run beside it.
  vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-siege-'))
  let system: Running
  let users: Users
  let operator: AccountTable

  beforeAll(async () => {
    const settings = readSettings({ ...defaults, ...env })
    const assembly = await assemble(settings, join(directory, 'cdk.out'))
    allowOperator(assembly.template)
    system = await runStack({
      settings,
      assembly,
      port: 0,
      inboxPort: 0,
      host: '127.0.0.1',
      dataDirectory: siege.dataDirectory,
      ...options,
      observer: { logged: line => siege.logs.push(line) },
    })
    for (const name of functionNames) {
      const { secretAccessKey, sessionToken } = system.credential(name)
      siege.secrets.add(secretAccessKey).add(sessionToken)
    }
    users = openUsers(system)
    const credentials = system.credential('operator')
    const client = { endpoint: system.awsUrl, region: 'us-east-1', credentials, maxAttempts: 1 }
    operator = new AccountTable({ client, outputs: { UsersTable: usersTable } })
  })
  afterAll(async () => {
    await system?.stop()
    rmSync(directory, { recursive: true, force: true })
  })

  const siege: Siege = {
    get system() {
      return system
    },
    dataDirectory: join(directory, 'data'),
    logs: [],
    secrets: new Set(),

    async send(request) {
      const answer = await attack(system.baseUrl, request)
      expectCivil(answer, request)
      const { status, headers, text } = answer
      expectDescribedOnWire(request.method ?? 'GET', request.path, {
        status,
        header: byName(headers),
        body: text,
      })
      return answer
    },

    post(path, body, headers) {
      return siege.send({ method: 'POST', path, body, ...(headers && { headers }) })
    },

    person() {
      const person = { email: `p${unique()}@example.com`, password: `pw ${unique()}` }
      siege.secrets.add(person.email).add(person.password)
      return person
    },

    async register(person = siege.person()) {
      const { status, text } = await siege.post('/auth/register', person)
      if (status !== 201) throw new Error(`not registered: ${text}`)
      return person
    },

    async logIn(person) {
      const { body } = await siege.post('/auth/login', person)
      siege.secrets.add(body.access_token)
      return body.access_token
    },

    async mailed(email, count = 1) {
      for (;;) {
        const links = system.inbox.list().filter(({ destination }) => destination.to.includes(email))
        const tokens = links.map(({ body }) => /token=([\w-]{43})/.exec(body.text ?? '')?.[1] ?? '')
        for (const token of tokens) siege.secrets.add(token)
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
  return siege
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
