import type { Cors, Key, Queue, Table } from './property-schemas.ts'
import type { JsonObject } from './template.ts'

/** The parts of a stack that run locally, as plain data without CloudFormation's syntax. */
export interface StackDefinition {
  tables: readonly TableDefinition[]
  queues: readonly QueueDefinition[]
  keys: readonly KeyDefinition[]
  functions: readonly FunctionDefinition[]
  mappings: readonly MappingDefinition[]
  routes: ReadonlyMap<string, FunctionDefinition>
  cors: CorsDefinition | null
  /** Resource policies by the ARN of their resource. */
  resourcePolicies: ReadonlyMap<string, JsonObject>
}

export interface TableDefinition extends Table {
  /** Logical id in the template. */
  id: string
  name: string
}

export interface QueueDefinition extends Queue {
  /** Logical id in the template. */
  id: string
  name: string
  url: string
  arn: string
}

/** The logical id is also the key id. */
export interface KeyDefinition extends Pick<Key, 'KeySpec'> {
  id: string
  arn: string
}

export interface FunctionDefinition {
  /** Name in the route table: `forgot-password`. */
  label: string
  name: string
  arn: string
  role: string
  policies: readonly { name: string; policy: JsonObject }[]
  handler: string
  /** A reload replaces it. */
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
