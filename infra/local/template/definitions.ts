import type { Cors, Key, Queue, Table } from './property-schemas.ts'
import type { JsonObject } from './template.ts'

/** What of a stack is run, in plain data: the template without CloudFormation. */
export interface StackDefinition {
  tables: readonly TableDefinition[]
  queues: readonly QueueDefinition[]
  keys: readonly KeyDefinition[]
  functions: readonly FunctionDefinition[]
  mappings: readonly MappingDefinition[]
  /** Functions by route key. */
  routes: ReadonlyMap<string, FunctionDefinition>
  cors: CorsDefinition | null
  /** The policies that resources themselves carry, by ARN. */
  resourcePolicies: ReadonlyMap<string, JsonObject>
}

export interface TableDefinition extends Table {
  /** Logical, as in the template. */
  id: string
  name: string
}

export interface QueueDefinition extends Queue {
  /** Logical, as in the template. */
  id: string
  name: string
  url: string
  arn: string
}

/** Its logical id is its key id too. */
export interface KeyDefinition extends Pick<Key, 'KeySpec'> {
  id: string
  arn: string
}

export interface FunctionDefinition {
  /** As in the route table: `forgot-password`. */
  label: string
  name: string
  arn: string
  /** The name of its role. */
  role: string
  policies: readonly { name: string; policy: JsonObject }[]
  /** `index.handler` */
  handler: string
  codeDirectory: string
  environment: Record<string, string>
  /** Milliseconds. */
  timeout: number
  /** Megabytes. */
  memory: number
  logGroup: string
}

export interface MappingDefinition {
  queue: QueueDefinition
  consumer: FunctionDefinition
  batchSize: number
  reportsItemFailures: boolean
  concurrency: number
}

export type CorsDefinition = Cors
