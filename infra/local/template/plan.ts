import type { Cors, Key, Queue, Table } from './properties.ts'
import type { JsonObject } from './template.ts'

/** What of a stack is run, in plain data: the template without CloudFormation. */
export interface Plan {
  tables: readonly TablePlan[]
  queues: readonly QueuePlan[]
  keys: readonly KeyPlan[]
  functions: readonly FunctionPlan[]
  mappings: readonly MappingPlan[]
  /** Functions by route key. */
  routes: ReadonlyMap<string, FunctionPlan>
  cors: CorsPlan | null
  /** The policies that resources themselves carry, by ARN. */
  resourcePolicies: ReadonlyMap<string, JsonObject>
}

export interface TablePlan extends Table {
  /** Logical, as in the template. */
  id: string
  name: string
}

export interface QueuePlan extends Queue {
  /** Logical, as in the template. */
  id: string
  name: string
  url: string
  arn: string
}

/** Its logical id is its key id too. */
export interface KeyPlan extends Pick<Key, 'KeySpec'> {
  id: string
  arn: string
}

export interface FunctionPlan {
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

export interface MappingPlan {
  queue: QueuePlan
  consumer: FunctionPlan
  batchSize: number
  reportsItemFailures: boolean
  concurrency: number
}

export type CorsPlan = Cors
