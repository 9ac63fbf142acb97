import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { join } from 'node:path'
import { DeleteCommand, type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb'
import type { JSONWebKeySet } from 'jose'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { AccountTable } from '../../operations/accounts/table.ts'
import { commonPasswordsFile, openCommonPasswords } from '../../shared/accounts/common-passwords.ts'
import type { Letter } from '../../shared/accounts/letter-layout.ts'
import type { MailMessage } from '../../shared/accounts/mail-queue.ts'
import { publishedKey } from '../../shared/accounts/public-key.ts'
import type { Config } from '../../shared/config.ts'
import type { Deps } from '../../shared/deps.ts'
import { DomainError } from '../../shared/errors.ts'
import { accountStore } from '../../shared/store/accounts.ts'
import { counterStore } from '../../shared/store/counters.ts'
import type { AuthEvent, Failure } from '../../shared/system.ts'
import { uuidv7 } from '../../shared/uuid.ts'
import { startTables } from './tables.ts'

/** Whole seconds, since tokens know no finer ones, and far from any window's end. */
const start = Date.parse('2026-03-01T12:00:00.000Z')

/** As KMS forms them. */
const keyId = '01234567-89ab-cdef-0123-456789abcdef'

const defaults: Config = {
  accessTokenMinutes: 60,
  adminEmail: 'admin@example.com',
  appUrl: null,
  // bcrypt's least: what it costs is not what these tests are about.
  bcryptCost: 4,
  issuer: 'https://api.example.com/auth',
  mailFrom: 'Gatehouse <no-reply@example.com>',
  passwordBlocklist: false,
  productName: 'Gatehouse',
  rateLimits: new Map(),
  requireEmailVerification: false,
  siteUrl: 'https://example.com',
  supportEmail: null,
  tokenAudience: 'gatehouse',
}

/** An outside world that can be steered: DynamoDB's embedded twin, a clock that stands still, lists for what goes out. */
export interface World {
  deps: Deps
  /** Changed by tests. */
  config: Config
  queue: { message: MailMessage; delaySeconds: number }[]
  postponed: { receiptHandle: string; seconds: number }[]
  mails: (Letter & { to: string })[]
  events: AuthEvent[]
  /** Bugs, and parts of AWS that did not answer, as they are logged. */
  failures: Failure[]
  /** The world's time, in milliseconds. */
  advance(milliseconds: number): void
  /** What fails from now on; null: nothing. */
  broken: 'Users' | 'RateLimits' | 'queue' | 'SES' | 'KMS' | null
  /** Runs before every call to DynamoDB with its command's name and table. */
  beforeCall: (command: string, table: string) => Promise<void> | void
  /** Whether each write of an account is sent twice, as the SDK does when the first answer is lost. */
  retriesWrites: boolean
  /** The users table as operators' commands change it: these calls are neither broken nor recorded. */
  readonly operator: AccountTable
  /** Every call to AWS so far, as `GetItem Users`. */
  calls: string[]
  /** Empties the tables. */
  clear(): Promise<void>
  items(table: 'Users' | 'RateLimits'): Promise<Record<string, unknown>[]>
}

/** A world for all tests of a file, as it was at first before each. */
export function createWorld(): World {
  let db: DynamoDBDocumentClient
  let close: () => void
  let stores: Pick<Deps, 'accounts' | 'counters'>
  let operator: AccountTable
  let now = start
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const keys: JSONWebKeySet = { keys: [publishedKey(keyId, publicKey.export({ format: 'der', type: 'spki' }))] }

  const guard = async (part: World['broken'], call: string): Promise<void> => {
    world.calls.push(call)
    if (world.broken === part) throw new DomainError('unavailable', { cause: new Error(`${part} is broken`) })
  }
  const world: World = {
    config: { ...defaults },
    queue: [],
    postponed: [],
    mails: [],
    events: [],
    failures: [],
    calls: [],
    broken: null,
    beforeCall: () => {},
    retriesWrites: false,
    advance(milliseconds) {
      now += milliseconds
    },
    get operator() {
      return operator
    },
    async clear() {
      await empty('Users', 'email')
      await empty('RateLimits', 'key')
    },
    async items(table) {
      const { Items = [] } = await db.send(new ScanCommand({ TableName: table, ConsistentRead: true }))
      return Items
    },
    deps: {
      now: () => new Date(now),
      newId: () => uuidv7(now, randomBytes(10)),
      randomBytes,
      get config() {
        return world.config
      },
      log: entry => void ('error' in entry ? world.failures.push(entry) : world.events.push(entry)),
      async queueMail(message, delaySeconds) {
        await guard('queue', 'SendMessage')
        world.queue.push({ message, delaySeconds })
      },
      async postponeMail(receiptHandle, seconds) {
        await guard('queue', 'ChangeMessageVisibility')
        world.postponed.push({ receiptHandle, seconds })
      },
      async sendMail(to, letter) {
        await guard('SES', 'SendEmail')
        world.mails.push({ to, ...letter })
      },
      signer: {
        keyId,
        async sign(data) {
          await guard('KMS', 'Sign')
          return sign('sha256', data, createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' })))
        },
      },
      async publicKeys() {
        await guard('KMS', 'GetPublicKey')
        return keys
      },
      isCommonPassword: openCommonPasswords(
        join(import.meta.dirname, '../../dist/functions/register', commonPasswordsFile),
      ),
      get accounts() {
        return stores.accounts
      },
      get counters() {
        return stores.counters
      },
    },
  }

  async function empty(table: 'Users' | 'RateLimits', key: string): Promise<void> {
    for (const item of await world.items(table)) {
      await db.send(new DeleteCommand({ TableName: table, Key: { [key]: item[key] } }))
    }
  }

  beforeAll(async () => {
    const started = await startTables()
    db = started.db
    close = started.close
    operator = new AccountTable({ client: started.config, outputs: { UsersTable: 'Users' } })
    db.middlewareStack.add(
      (next, context) => async args => {
        const command = String(context.commandName).replace('Command', '')
        const table = String((args.input as { TableName?: string }).TableName)
        world.calls.push(`${command} ${table}`)
        await world.beforeCall(command, table)
        if (world.broken === table) throw new Error(`${table} is broken`)
        if (world.retriesWrites && /Put|Update|Delete/.test(command)) await next(args)
        return next(args)
      },
      { step: 'initialize' },
    )
  })
  beforeEach(async () => {
    now = start
    Object.assign(world, { broken: null, retriesWrites: false, beforeCall: () => {} })
    for (const list of [world.queue, world.postponed, world.mails, world.events, world.failures]) list.length = 0
    Object.assign(world.config, defaults)
    stores = { accounts: accountStore(db, 'Users'), counters: counterStore(db, 'RateLimits') }
    await world.clear()
    world.calls.length = 0
  })
  afterAll(() => close?.())
  return world
}
