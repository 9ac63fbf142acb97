import { createCipheriv, generateKeyPairSync, hash, hkdfSync, randomBytes, randomUUID, sign } from 'node:crypto'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { type DynamoDBDocumentClient, PutCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Write } from 'dynalite/db/index.js'
import type { JSONWebKeySet } from 'jose'
import * as v from 'valibot'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { AccountItem } from '../../../accounts/account/attributes.ts'
import { type Writes, writesOf } from '../../../accounts/account/writes.ts'
import { type DeletionMark, deletionMarks } from '../../../accounts/address/deletion-marks.ts'
import { grantStore } from '../../../accounts/application/writes.ts'
import { setupLinkStore } from '../../../accounts/factor/writes.ts'
import type { Provider } from '../../../accounts/identity/provider.ts'
import type { Letter } from '../../../accounts/mail/layout.ts'
import { MailMessage } from '../../../accounts/mail/queue.ts'
import { challengeStore } from '../../../accounts/passkey/writes.ts'
import { commonPasswordsFile, openCommonPasswords } from '../../../accounts/password/common-passwords.ts'
import type { Deps } from '../../../api/deps.ts'
import { attributesOf } from '../../../local/aws/protocols.ts'
import type { JsonObject } from '../../../local/template/template.ts'
import { AccountTable } from '../../../operations/users/table.ts'
import { counterStore } from '../../../shared/aws/counters.ts'
import { publishedKey } from '../../../shared/aws/keys.ts'
import { type Config, readConfig } from '../../../shared/base/config.ts'
import { DomainError } from '../../../shared/base/errors.ts'
import { accountKinds } from '../../../shared/base/families.ts'
import { type Network, network, textNetwork } from '../../../shared/base/network.ts'
import type { AuthEvent, Failure } from '../../../shared/base/system.ts'
import { uuidv7 } from '../../../shared/base/uuid.ts'
import { clients } from '../clients.ts'
import { letterWords } from '../letter-words.ts'
import { makeEachOnce, once } from '../once.ts'
import { variables } from '../stack/variables.ts'
import { leaksOf } from './log-law.ts'
import { listedNetwork, providerSecrets } from './lying-provider.ts'
import { startTables } from './tables.ts'

/** A whole second, the resolution of tokens, and far from the end of any rate limit's window. */
const start = Date.parse('2026-03-01T12:00:00.000Z')

/** In the form of KMS key ids. */
const keyId = '01234567-89ab-cdef-0123-456789abcdef'

/** One for all harnesses: making it takes a quarter of a second. */
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const keys: JSONWebKeySet = { keys: [publishedKey(keyId, publicKey.export({ format: 'der', type: 'spki' }))] }

/** RS256 gives a text one signature, and most tests begin with the same tokens. */
const signatureOf = once((text: string) => sign('sha256', Buffer.from(text, 'latin1'), privateKey))

const factorSecret = randomBytes(32)

/** The seed of all tests of a run, each from its beginning: a password set first by many is hashed once. */
const seed = randomBytes(32).toString('hex')

/** Stands in for KMS: a ciphertext of one account is garbage for any other. */
function cipher(accountId: string, input: Uint8Array): Uint8Array {
  const key = Buffer.from(hkdfSync('sha256', factorSecret, '', accountId, 32))
  // In this mode one call both encrypts and decrypts.
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(input)
}

/** Settings that are not listed have their defaults. */
const defaults: Config = {
  ...readConfig(variables),
  adminEmail: 'admin@example.com',
  // bcrypt's minimum: these tests do not depend on the cost.
  bcryptCost: 4,
  hasClients: true,
  hasProviders: true,
  mailFrom: 'Gatehouse <no-reply@example.com>',
}

/** The service's dependencies in tests, and their controls: dynalite for DynamoDB, a clock that stands still, lists of sent messages. */
export interface Harness {
  deps: Deps
  /** Tests may change it. */
  config: Config
  queue: { message: MailMessage; delaySeconds: number }[]
  postponed: { receiptHandle: string; seconds: number }[]
  mails: (Letter & { to: string })[]
  events: AuthEvent<string>[]
  /** Logged bugs and failed calls to AWS. */
  failures: Failure[]
  /** Only their addresses can be called. */
  providers: readonly Provider[]
  /** Moves the clock on. */
  advance(milliseconds: number): void
  /** The part of AWS that fails from now on; null: none. */
  broken: 'Accounts' | 'RateLimits' | 'queue' | 'SES' | 'KMS' | null
  /** Runs before every call to DynamoDB. @param input of the call, which a test may change */
  beforeCall: (command: string, table: string, input: object) => Promise<void> | void
  /** Acts right before the next call of a kind, once. @param call as in `calls`; `TransactWriteItems Accounts` */
  before(call: string, act: () => Promise<unknown>): void
  /** Whether each write is sent twice, like the SDK's retry after a lost answer. */
  retriesWrites: boolean
  /** The table of accounts, through operators' commands. These calls are not recorded. */
  readonly operator: AccountTable
  /** The same before every operator's call. */
  beforeOperatorCall: () => Promise<void> | void
  /** Puts an account directly into its table, in place of the one of its id, with the entries that lead to it. */
  put(item: AccountItem): Promise<void>
  /** Puts an item directly into a table. */
  putItem(table: TableName, item: object): Promise<void>
  /** Sets attributes of an account directly. */
  setAttributes(id: string, attributes: Partial<AccountItem>): Promise<void>
  /** The accounts in their table. */
  accountItems(): Promise<AccountItem[]>
  /** The mark that deletions of an id or an address have left, or a move from the address. */
  findDeletion(by: 'id' | 'email', text: string): Promise<DeletionMark | null>
  /** Every call to AWS so far, as `GetItem Accounts`. */
  calls: string[]
  /** The attributes that updates of accounts named, in conditions too. */
  written: string[]
  /** The text of every expression sent to DynamoDB. */
  expressions: string[]
  /**
   * Prepares a world that many tests begin with, once: later tests get its result. Not after anything has happened
   * since the tables were empty, or with other options.
   *
   * @param deps for the preparation
   * @param what its name; the settings and the time are added
   */
  prepared<T>(deps: Deps, what: string, make: () => Promise<T>): Promise<T>
  /** Empties the tables and starts over, at the first second and with the first random numbers. Nothing from before may be left. */
  clear(): Promise<void>
  items(table: TableName): Promise<Record<string, unknown>[]>
}

type TableName = 'Accounts' | 'RateLimits'

/** The result of a preparation, with its returned value. */
interface World {
  tables: Write[]
  now: number
  drawn: number
  config: Config
  providers: readonly Provider[]
  /** Its additions to each list. */
  added: unknown[][]
  calls: readonly string[]
  returned: unknown
}
const worlds = new Map<string, World>()

/** Has no part in a call. */
const nothing = (): void => {}

/** The parts of the dependencies that each test gets anew. */
type Stores = Writes & Pick<Deps, 'counters' | 'grants' | 'challenges'>

const isWrite = (command: string): boolean => /Put|Update|Delete|Transact/.test(command)

/** A harness for all tests of a file. It is reset before each test. */
export function createHarness(): Harness {
  let db: DynamoDBDocumentClient
  let tables: Awaited<ReturnType<typeof startTables>>
  let operator: AccountTable
  let listed: Network
  let now = start
  let drawn = 0
  /** Whether a table was called since they were empty. */
  let isTouched = false
  let undo: () => void
  const invalid: Error[] = []
  const leaks: string[] = []

  const draw = (size: number): Uint8Array =>
    hash('shake256', `${seed} ${drawn++}`, { outputEncoding: 'buffer', outputLength: size })
  const reported = (): unknown[][] => [
    harness.queue,
    harness.postponed,
    harness.mails,
    harness.events,
    harness.failures,
  ]
  const guard = async (part: Harness['broken'], call: string): Promise<void> => {
    harness.calls.push(call)
    if (harness.broken === part) throw new DomainError('unavailable', { cause: new Error(`${part} is broken`) })
  }
  const outside: Omit<Deps, keyof Stores> = {
    now: () => new Date(now),
    newId: () => uuidv7(now, draw(10)),
    randomBytes: draw,
    async pause(milliseconds) {
      now += milliseconds
    },
    get config() {
      return harness.config
    },
    log(entry) {
      leaks.push(...leaksOf(entry))
      if ('error' in entry) harness.failures.push(entry)
      else harness.events.push(entry)
    },
    async queueMail(message, delaySeconds) {
      await guard('queue', 'SendMessage')
      // As the worker reads it: what its schema does not name is lost on the way.
      harness.queue.push({ message: v.parse(MailMessage, JSON.parse(JSON.stringify(message))), delaySeconds })
    },
    async postponeMail(receiptHandle, seconds) {
      await guard('queue', 'ChangeMessageVisibility')
      harness.postponed.push({ receiptHandle, seconds })
    },
    async sendMail(to, letter) {
      await guard('SES', 'SendEmail')
      harness.mails.push({ to, ...letter })
    },
    signer: {
      keyId,
      async sign(data) {
        await guard('KMS', 'Sign')
        return signatureOf(Buffer.from(data).toString('latin1'))
      },
    },
    publicKeys: {
      async findById(id) {
        if (id !== keyId) return { keys: [] }
        await guard('KMS', 'GetPublicKey')
        return keys
      },
      async listUsable() {
        await guard('KMS', 'GetPublicKey')
        return keys
      },
    },
    factorKey: {
      async encrypt(accountId, secret) {
        await guard('KMS', 'Encrypt')
        return cipher(accountId, secret)
      },
      async decrypt(accountId, encrypted) {
        await guard('KMS', 'Decrypt')
        return cipher(accountId, encrypted)
      },
    },
    letterWords,
    blocklistNetwork: textNetwork,
    isCommonPassword: openCommonPasswords(
      join(import.meta.dirname, '../../../dist/functions/register', commonPasswordsFile),
    ),
    clients,
    get providers() {
      return harness.providers
    },
    get providerNetwork() {
      return listed
    },
    providerSecrets: {
      async decrypt(id, ciphertext) {
        await guard('KMS', 'Decrypt')
        return providerSecrets.decrypt(id, ciphertext)
      },
    },
  }
  const harness: Harness = {
    config: { ...defaults },
    queue: [],
    postponed: [],
    mails: [],
    events: [],
    failures: [],
    providers: [],
    calls: [],
    written: [],
    expressions: [],
    broken: null,
    beforeCall: nothing,
    beforeOperatorCall: nothing,
    before(call, act) {
      harness.beforeCall = async (command, table) => {
        if (`${command} ${table}` !== call) return
        harness.beforeCall = nothing
        await act()
      }
    },
    retriesWrites: false,
    advance(milliseconds) {
      now += milliseconds
    },
    get operator() {
      return operator
    },
    async prepared(deps, what, make) {
      const { broken, retriesWrites, beforeCall, beforeOperatorCall, providers, config } = harness
      const isUsual = !broken && !retriesWrites && beforeCall === nothing && beforeOperatorCall === nothing
      if (deps !== harness.deps || isTouched || drawn > 0 || providers.length > 0 || !isUsual) return make()
      const name = inspect([what, now, config], { depth: null })
      const lists: unknown[][] = [...reported(), harness.expressions]
      const known = worlds.get(name)
      if (known) {
        await tables.fill(known.tables)
        isTouched = true
        ;({ now, drawn } = known)
        Object.assign(config, known.config)
        harness.providers = known.providers
        for (const [i, list] of lists.entries()) list.push(...(known.added[i] ?? []))
        harness.calls.splice(0, Infinity, ...known.calls)
        return structuredClone(known.returned) as Awaited<ReturnType<typeof make>>
      }
      const before = lists.map(({ length }) => length)
      const returned = await make()
      worlds.set(name, {
        ...{ tables: await tables.kept(), now, drawn, config: { ...config }, providers: harness.providers },
        added: lists.map((list, i) => list.slice(before[i])),
        calls: [...harness.calls],
        returned: structuredClone(returned),
      })
      return returned
    },
    async clear() {
      isTouched = false
      drawn = 0
      now = start
      await tables.clear()
    },
    async put(item) {
      const { id, email, identities } = item
      await harness.putItem('Accounts', { key: `${accountKinds.Accounts}${id}`, ...item })
      await harness.putItem('Accounts', { key: `${accountKinds.Addresses}${email}`, id })
      for (const key of Object.keys(identities)) {
        await harness.putItem('Accounts', { key: `${accountKinds.Identities}${key}`, id })
      }
    },
    async putItem(TableName, item) {
      await db.send(new PutCommand({ TableName, Item: { ...item } }))
    },
    async setAttributes(id, attributes) {
      const names = Object.keys(attributes)
      const input = {
        UpdateExpression: `SET ${names.map((_, i) => `#n${i} = :v${i}`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(names.map((name, i) => [`#n${i}`, name])),
        ExpressionAttributeValues: Object.fromEntries(Object.values(attributes).map((value, i) => [`:v${i}`, value])),
      }
      await db.send(
        new UpdateCommand({ TableName: 'Accounts', Key: { key: `${accountKinds.Accounts}${id}` }, ...input }),
      )
    },
    async accountItems() {
      const items = await harness.items('Accounts')
      return items.filter(({ key }) => String(key).startsWith(accountKinds.Accounts)) as unknown as AccountItem[]
    },
    findDeletion: (by, text) => deletionMarks(db, () => 'RateLimits').find(by, text, new Date(now)),
    async items(table) {
      const { Items = [] } = await db.send(new ScanCommand({ TableName: table, ConsistentRead: true }))
      return Items
    },
    // Its stores are added before each test.
    deps: outside as Deps,
  }

  beforeAll(async () => {
    undo = makeEachOnce()
    const started = await startTables()
    db = started.db
    tables = started
    const handle: typeof started.send = async request => {
      isTouched = true
      await harness.beforeOperatorCall()
      if (harness.retriesWrites && isWrite(String(request.headers['x-amz-target']))) await started.send(request)
      return started.send(request)
    }
    const client = { ...started.config, requestHandler: { handle } }
    operator = new AccountTable({
      client,
      outputs: { AccountsTable: 'Accounts', RateLimitsTable: 'RateLimits' },
    })
    db.middlewareStack.add(
      (next, context) => async args => {
        isTouched = true
        const command = String(context.commandName).replace('Command', '')
        const { TableName, TransactItems } = args.input as {
          TableName?: string
          TransactItems?: Record<string, { TableName: string }>[]
        }
        const writes = (TransactItems ?? []).flatMap(write => Object.entries(write))
        // A transaction needs the permissions of its writes.
        for (const [kind, { TableName }] of writes) harness.calls.push(`${kind}Item ${TableName}`)
        for (const sent of [args.input, ...writes.map(([, write]) => write)]) {
          for (const [member, text] of Object.entries(sent))
            if (member.endsWith('Expression')) harness.expressions.push(text)
        }
        const updates =
          command === 'Update' ? [args.input] : writes.flatMap(([kind, write]) => (kind === 'Update' ? [write] : []))
        for (const update of updates as { TableName?: string }[])
          if (update.TableName === 'Accounts') harness.written.push(...attributesOf(update as JsonObject))
        const table = String(TableName ?? 'Accounts')
        if (!TransactItems) harness.calls.push(`${command} ${table}`)
        await harness.beforeCall(command, table, args.input)
        if (harness.broken === table) throw new Error(`${table} is broken`)
        // The SDK draws a request token for a transaction, and sends it again with each retry.
        if (TransactItems) Object.assign(args.input, { ClientRequestToken: randomUUID() })
        if (harness.retriesWrites && isWrite(command)) await next(args)
        return next(args).catch(error => {
          if (error.name === 'ValidationException') invalid.push(error)
          throw error
        })
      },
      { step: 'initialize' },
    )
  })
  beforeEach(async () => {
    // A new one for each test, so that no cached keys remain.
    listed = listedNetwork(() => harness.providers, network)
    Object.assign(harness, { providers: [], broken: null, retriesWrites: false })
    Object.assign(harness, { beforeCall: nothing, beforeOperatorCall: nothing })
    for (const list of reported()) list.length = 0
    Object.assign(harness.config, defaults)
    Object.assign(harness.deps, {
      ...writesOf(db, { accounts: 'Accounts', rateLimits: 'RateLimits' }, harness.deps),
      counters: { ...counterStore(db, 'RateLimits'), ...setupLinkStore(db, 'RateLimits') },
      challenges: challengeStore(db, 'RateLimits'),
      grants: grantStore(db, 'RateLimits'),
    } satisfies Stores)
    await harness.clear()
    harness.calls.length = 0
    harness.expressions.length = 0
    harness.written.length = 0
  })
  // A call that DynamoDB refused, whatever its items are. The test itself may only say that something is unavailable.
  afterEach(() => {
    const [error] = invalid.splice(0)
    if (error) throw error
  })
  afterEach(() => {
    expect(leaks.splice(0), 'what was logged').toEqual([])
  })
  afterAll(() => {
    tables?.close()
    undo?.()
  })
  return harness
}
