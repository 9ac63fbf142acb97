import { join } from 'node:path'
import * as v from 'valibot'
import type { Assembly } from './assembly.ts'
import type { Place } from './resources.ts'
import { StartError } from './start-error.ts'
import { type JsonObject, Resolver } from './template.ts'

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

const Table = v.object({
  AttributeDefinitions: v.array(v.object({ AttributeName: v.string(), AttributeType: v.string() })),
  KeySchema: v.array(v.object({ AttributeName: v.string(), KeyType: v.string() })),
  GlobalSecondaryIndexes: v.optional(
    v.array(
      v.object({
        IndexName: v.string(),
        KeySchema: v.array(v.object({ AttributeName: v.string(), KeyType: v.string() })),
        Projection: v.object({ ProjectionType: v.string(), NonKeyAttributes: v.optional(v.array(v.string())) }),
      }),
    ),
  ),
})
export type TablePlan = v.InferOutput<typeof Table> & { id: string; name: string }

const Queue = v.object({
  DelaySeconds: v.optional(v.number()),
  FifoQueue: v.optional(v.literal(false)),
  MessageRetentionPeriod: v.optional(v.number()),
  ReceiveMessageWaitTimeSeconds: v.optional(v.number()),
  RedrivePolicy: v.optional(v.object({ deadLetterTargetArn: v.string(), maxReceiveCount: v.number() })),
  VisibilityTimeout: v.optional(v.number()),
})
export type QueuePlan = v.InferOutput<typeof Queue> & { id: string; name: string; url: string; arn: string }

const Key = v.object({
  KeySpec: v.optional(v.picklist(['SYMMETRIC_DEFAULT', 'RSA_2048', 'RSA_3072', 'RSA_4096']), 'SYMMETRIC_DEFAULT'),
  KeyPolicy: v.custom<JsonObject>(value => typeof value === 'object' && value !== null),
})
export type KeyPlan = Pick<v.InferOutput<typeof Key>, 'KeySpec'> & { id: string; arn: string }

const Lambda = v.object({
  Runtime: v.pipe(v.string(), v.startsWith('nodejs')),
  Handler: v.string(),
  Timeout: v.optional(v.number(), 3),
  MemorySize: v.optional(v.number(), 128),
  Code: v.object({ S3Key: v.string() }),
  Role: v.string(),
  Environment: v.optional(v.object({ Variables: v.record(v.string(), v.string()) }), { Variables: {} }),
  LoggingConfig: v.optional(v.object({ LogGroup: v.optional(v.string()) }), {}),
})
export interface FunctionPlan {
  /** As in the route table: `forgot-password`. */
  label: string
  name: string
  arn: string
  role: string
  handler: string
  /** Milliseconds. */
  timeout: number
  /** Megabytes. */
  memory: number
  codeDirectory: string
  environment: Record<string, string>
  logGroup: string
  policies: readonly { name: string; policy: JsonObject }[]
}

const Mapping = v.object({
  EventSourceArn: v.string(),
  FunctionName: v.string(),
  BatchSize: v.optional(v.number(), 10),
  FunctionResponseTypes: v.optional(v.array(v.string()), []),
  // Without a bound, Lambda starts with five pollers (AWS Lambda, "Using Lambda with Amazon SQS").
  ScalingConfig: v.optional(v.object({ MaximumConcurrency: v.number() }), { MaximumConcurrency: 5 }),
})
export interface MappingPlan {
  queue: QueuePlan
  consumer: FunctionPlan
  batchSize: number
  reportsItemFailures: boolean
  concurrency: number
}

const Cors = v.object({
  AllowCredentials: v.optional(v.boolean(), false),
  AllowHeaders: v.optional(v.array(v.string()), []),
  AllowMethods: v.optional(v.array(v.string()), []),
  AllowOrigins: v.optional(v.array(v.string()), []),
  ExposeHeaders: v.optional(v.array(v.string()), []),
  MaxAge: v.optional(v.number()),
})
export type CorsPlan = v.InferOutput<typeof Cors>

const Policy = v.object({
  PolicyName: v.string(),
  PolicyDocument: v.custom<JsonObject>(value => typeof value === 'object' && value !== null),
})

/** Reads what is to be run from a synthesised stack. @throws {StartError} */
export function readPlan({ template, directory }: Assembly, place: Place): Plan {
  const resolver = new Resolver(template, place)
  const all = <S extends v.GenericSchema>(type: string, schema: S): [id: string, properties: v.InferOutput<S>][] =>
    Object.entries(template.Resources)
      .filter(([, resource]) => resource.Type === type)
      .map(([id]) => [id, read(id, schema, resolver.properties(id))])

  const tables = all('AWS::DynamoDB::Table', Table).map(([id, table]) => ({ ...table, id, name: resolver.ref(id) }))
  const queues = all('AWS::SQS::Queue', Queue).map(([id, queue]) => ({
    ...queue,
    id,
    name: resolver.attribute(id, 'QueueName'),
    url: resolver.ref(id),
    arn: resolver.attribute(id, 'Arn'),
  }))
  const keyProperties = all('AWS::KMS::Key', Key)
  const arnOfKey = (id: string) => resolver.attribute(id, 'Arn')

  const attached = all('AWS::IAM::Policy', v.object({ ...Policy.entries, Roles: v.array(v.string()) }))
  const roles = new Map(
    all(
      'AWS::IAM::Role',
      v.object({ Policies: v.optional(v.array(Policy), []), ManagedPolicyArns: v.optional(v.never()) }),
    ).map(([id, { Policies }]) => {
      const name = resolver.ref(id)
      const others = attached.filter(([, { Roles }]) => Roles.includes(name)).map(([, policy]) => policy)
      const policies = [...Policies, ...others].map(one => ({ name: one.PolicyName, policy: one.PolicyDocument }))
      return [resolver.attribute(id, 'Arn'), { name, policies }] as const
    }),
  )

  const functions = all('AWS::Lambda::Function', Lambda).map(([id, properties]): FunctionPlan => {
    const name = resolver.ref(id)
    const role = roles.get(properties.Role)
    return {
      label: labelOf(id),
      name,
      arn: resolver.attribute(id, 'Arn'),
      role: role?.name ?? '',
      handler: properties.Handler,
      timeout: properties.Timeout * 1000,
      memory: properties.MemorySize,
      codeDirectory: join(directory, `asset.${properties.Code.S3Key.replace(/\.zip$/, '')}`),
      environment: properties.Environment.Variables,
      logGroup: properties.LoggingConfig.LogGroup ?? `/aws/lambda/${name}`,
      policies: role?.policies ?? [],
    }
  })
  const functionOf = (id: string, matches: (one: FunctionPlan) => boolean): FunctionPlan => {
    const found = functions.find(matches)
    if (!found) throw new StartError(`${id}: the template does not hold its function`)
    return found
  }

  const mappings = all('AWS::Lambda::EventSourceMapping', Mapping).map(([id, mapping]): MappingPlan => {
    const queue = queues.find(({ arn }) => arn === mapping.EventSourceArn)
    if (!queue) throw new StartError(`${id}: its event source is no queue of this stack`)
    return {
      queue,
      consumer: functionOf(id, one => one.name === mapping.FunctionName || one.arn === mapping.FunctionName),
      batchSize: mapping.BatchSize,
      reportsItemFailures: mapping.FunctionResponseTypes.includes('ReportBatchItemFailures'),
      concurrency: mapping.ScalingConfig.MaximumConcurrency,
    }
  })

  const integrations = new Map(
    all(
      'AWS::ApiGatewayV2::Integration',
      v.object({ IntegrationUri: v.string(), PayloadFormatVersion: v.literal('2.0') }),
    ).map(([id, { IntegrationUri }]) => [`integrations/${id}`, functionOf(id, one => one.arn === IntegrationUri)]),
  )
  const routes = new Map(
    all('AWS::ApiGatewayV2::Route', v.object({ RouteKey: v.string(), Target: v.string() })).map(
      ([id, { RouteKey, Target }]) => {
        const target = integrations.get(Target)
        if (!target) throw new StartError(`${id}: the template does not hold its integration`)
        return [RouteKey, target] as const
      },
    ),
  )
  const [api] = all('AWS::ApiGatewayV2::Api', v.object({ CorsConfiguration: v.optional(Cors) }))

  const queuePolicies = all('AWS::SQS::QueuePolicy', v.object({ Queues: v.array(v.string()), ...Document.entries }))
  return {
    tables,
    queues,
    keys: keyProperties.map(([id, { KeySpec }]) => ({ id, arn: arnOfKey(id), KeySpec })),
    functions,
    mappings,
    routes,
    cors: api?.[1].CorsConfiguration ?? null,
    resourcePolicies: new Map([
      ...keyProperties.map(([id, { KeyPolicy }]) => [arnOfKey(id), KeyPolicy] as const),
      ...queuePolicies.flatMap(([, { Queues, PolicyDocument }]) =>
        queues.filter(({ url }) => Queues.includes(url)).map(({ arn }) => [arn, PolicyDocument] as const),
      ),
    ]),
  }
}

const Document = v.pick(Policy, ['PolicyDocument'])

function read<S extends v.GenericSchema>(id: string, schema: S, properties: JsonObject): v.InferOutput<S> {
  const result = v.safeParse(schema, properties)
  if (result.success) return result.output
  const [issue] = result.issues
  throw new StartError(`${id}: ${v.getDotPath(issue) ?? 'it'} cannot be run here: ${issue.message}`)
}

/** `ForgotPasswordFunction2BF5D13A`, as CDK makes it of its path, is `forgot-password`. */
const labelOf = (id: string): string =>
  id
    .replace(/(?:Function)?[0-9A-F]{8}$/, '')
    .replace(/(?<=.)[A-Z]/g, '-$&')
    .toLowerCase()
