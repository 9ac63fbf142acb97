import { isDeepStrictEqual } from 'node:util'
import { Worker } from 'node:worker_threads'
import { StartError, unsupported } from '../start-error.ts'
import type { TableDefinition } from '../template/read-stack.ts'
import type { JsonObject } from '../template/template.ts'
import { AwsError, type AwsReply, type Service } from './service.ts'
import type { TablesReply, TablesRequest } from './tables-worker.ts'

/** The stack's tables, in dynalite. */
export class Tables {
  readonly #path: string | null
  readonly #waiting = new Map<number, PromiseWithResolvers<AwsReply>>()
  #worker: Worker
  #definitions: readonly TableDefinition[] = []
  #number = 0
  #isClosed = false

  /** @param path null keeps the tables in memory */
  constructor(path: string | null) {
    this.#path = path
    this.#worker = this.#start()
  }

  /** Creates missing tables. @throws {StartError} */
  async create(definitions: readonly TableDefinition[]): Promise<void> {
    this.#definitions = definitions
    try {
      if (this.#path !== null) await this.#refuseFormer(definitions)
      await Promise.all(definitions.map(definition => this.#createTable(definition)))
    } catch (error) {
      if (error instanceof StartError) throw error
      throw new StartError('the tables in DATA_DIR cannot be opened; set DATA_DIR to another directory')
    }
  }

  /** Refuses the tables of 0.4.0, which had accounts by their address. @throws {StartError} */
  async #refuseFormer(definitions: readonly TableDefinition[]): Promise<void> {
    const isThere = async (id: string) => {
      const definition = definitions.find(each => each.id === id)
      return definition !== undefined && (await this.#describe(definition)).status === 200
    }
    if ((await isThere('Accounts')) || !(await isThere('Users'))) return
    throw new StartError(
      'DATA_DIR is of version 0.4.0. Export its accounts with that version, copy its folder keys into a new directory, set DATA_DIR to \
that, and import the accounts: docs/upgrade/0.5.md says how',
    )
  }

  readonly service: Service = ({ headers, body }) => this.#send(headers, body)

  /**
   * Reads all items, to put them back later.
   *
   * @param most gives up beyond this number
   * @returns by table; null for more
   */
  async read(most = Number.MAX_SAFE_INTEGER - 1): Promise<Contents | null> {
    const contents: Contents = new Map()
    let count = 0
    for (const table of this.#definitions) {
      const items: Item[] = []
      for await (const page of this.#pages(table, { Limit: Math.min(most + 1 - count, largestPage) })) {
        items.push(...page)
        count += page.length
        if (count > most) return null
      }
      contents.set(table.id, items)
    }
    return contents
  }

  /** Makes the tables hold these items, and no others. */
  async restore(contents: Contents): Promise<void> {
    for (const table of this.#definitions) {
      const wanted = new Map((contents.get(table.id) ?? []).map(item => [keyIn(table, item), item]))
      const writes: JsonObject[] = []
      for await (const page of this.#pages(table)) {
        for (const item of page) {
          const key = keyIn(table, item)
          if (!wanted.has(key)) writes.push({ DeleteRequest: { Key: keyOf(table, item) } })
          else if (isDeepStrictEqual(wanted.get(key), item)) wanted.delete(key)
        }
      }
      for (const Item of wanted.values()) writes.push({ PutRequest: { Item } })
      await this.#write(table, writes)
    }
  }

  /** Deletes the items whose time is over. @param now seconds since the epoch */
  async expire(now: number): Promise<void> {
    for (const table of this.#definitions) {
      const { TimeToLiveSpecification: ttl } = table
      if (!ttl) continue
      const expired = {
        FilterExpression: '#ttl <= :now',
        ExpressionAttributeNames: { '#ttl': ttl.AttributeName },
        ExpressionAttributeValues: { ':now': { N: String(now) } },
      }
      const writes: JsonObject[] = []
      for await (const page of this.#pages(table, expired)) {
        writes.push(...page.map(item => ({ DeleteRequest: { Key: keyOf(table, item) } })))
      }
      await this.#write(table, writes)
    }
  }

  async *#pages({ name }: TableDefinition, input: JsonObject = {}): AsyncGenerator<Item[]> {
    let last: unknown
    do {
      const start = last === undefined ? {} : { ExclusiveStartKey: last }
      const { Items, LastEvaluatedKey } = await this.#ask('Scan', { TableName: name, ...input, ...start })
      yield Items as Item[]
      last = LastEvaluatedKey
    } while (last !== undefined)
  }

  async #write({ name }: TableDefinition, writes: JsonObject[]): Promise<void> {
    for (let i = 0; i < writes.length; i += largestBatch) {
      await this.#ask('BatchWriteItem', { RequestItems: { [name]: writes.slice(i, i + largestBatch) } })
    }
  }

  async #ask(action: string, input: object): Promise<JsonObject> {
    const { status, body } = await this.#call(action, input)
    if (status !== 200) throw new Error(`dynalite refuses ${action}: ${body}`)
    return JSON.parse(body)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#worker.terminate()
  }

  #start(): Worker {
    const worker = new Worker(new URL('./tables-worker.ts', import.meta.url), {
      workerData: { path: this.#path },
      env: {},
      // Node's warnings are about how dynalite's modules load each other, and would mix with the system's lines.
      execArgv: ['--no-warnings'],
    })
    worker.on('message', ({ number, ...reply }: TablesReply) => {
      this.#waiting.get(number)?.resolve(reply)
      this.#waiting.delete(number)
    })
    worker.on('error', () => {})
    worker.once('exit', () => {
      this.#failAll()
      if (this.#isClosed) return
      this.#worker = this.#start()
      // Tables in a directory still exist; those in memory are lost.
      if (this.#path === null) this.create(this.#definitions).catch(() => {})
    })
    return worker
  }

  #failAll(): void {
    for (const { reject } of this.#waiting.values()) {
      reject(new AwsError(500, 'InternalServerError', 'Internal server error'))
    }
    this.#waiting.clear()
  }

  #send(headers: Record<string, string>, body: string): Promise<AwsReply> {
    const number = ++this.#number
    const reply = Promise.withResolvers<AwsReply>()
    this.#waiting.set(number, reply)
    this.#worker.postMessage({ number, headers, body } satisfies TablesRequest)
    return reply.promise
  }

  #call(action: string, input: object): Promise<AwsReply> {
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${action}`,
      'x-amz-date': 'now',
      authorization: 'AWS4-HMAC-SHA256 Credential=stack, SignedHeaders=host, Signature=none',
    }
    return this.#send(headers, JSON.stringify(input))
  }

  #describe({ name }: Pick<TableDefinition, 'name'>): Promise<AwsReply> {
    return this.#call('DescribeTable', { TableName: name })
  }

  async #createTable({ id, name, TimeToLiveSpecification, ...properties }: TableDefinition): Promise<void> {
    const found = await this.#describe({ name })
    if (found.status === 200) {
      if (hasShape(JSON.parse(found.body).Table, properties)) return
      throw new StartError(
        `the table ${id} in DATA_DIR has other keys or indexes than the stack's; set DATA_DIR to a new directory`,
      )
    }
    const definition = { ...properties, TableName: name, BillingMode: 'PAY_PER_REQUEST' }
    const created = await this.#call('CreateTable', definition)
    if (created.status !== 200) throw unsupported(`the table ${id} cannot be created: ${created.body}`)
    // The table is CREATING for a moment, and unusable until ACTIVE.
    while ((await this.#describe({ name })).body.includes('"CREATING"')) {}
  }
}

/** Items that a batch may write (Amazon DynamoDB, "BatchWriteItem"). */
const largestBatch = 25

/** Items of a page: a scan ends it at a megabyte anyway. */
const largestPage = 1000

type Item = Record<string, JsonObject>

/** Items in DynamoDB's JSON, by the logical id of their table. */
type Contents = Map<string, Item[]>

const keyOf = ({ KeySchema }: TableDefinition, item: Item): Item =>
  Object.fromEntries(KeySchema.map(({ AttributeName: name }) => [name, item[name] ?? {}]))

const keyIn = (table: TableDefinition, item: Item): string => JSON.stringify(keyOf(table, item))

type Shape = Omit<TableDefinition, 'id' | 'name' | 'TimeToLiveSpecification'>

/** Whether an existing table has the keys and indexes of the template. */
function hasShape(kept: Shape, wanted: Shape): boolean {
  const shape = ({ KeySchema, GlobalSecondaryIndexes = [] }: Shape) => ({
    KeySchema,
    indexes: GlobalSecondaryIndexes.map(({ IndexName, KeySchema }) => ({ IndexName, KeySchema })).sort((a, b) =>
      a.IndexName < b.IndexName ? -1 : 1,
    ),
  })
  return isDeepStrictEqual(shape(kept), shape(wanted))
}
