import * as v from 'valibot'
import { unsupported } from '../start-error.ts'
import type { JsonObject } from './template.ts'

/**
 * Resolved properties of the resources that run locally. Properties without local effect are left out; `v.never()`
 * refuses those with an unsupported effect.
 */

const Document = v.custom<JsonObject>(value => typeof value === 'object' && value !== null)
const KeySchema = v.array(v.object({ AttributeName: v.string(), KeyType: v.string() }))

export const Table = v.object({
  AttributeDefinitions: v.array(v.object({ AttributeName: v.string(), AttributeType: v.string() })),
  KeySchema,
  GlobalSecondaryIndexes: v.optional(
    v.array(
      v.object({
        IndexName: v.string(),
        KeySchema,
        Projection: v.object({ ProjectionType: v.string(), NonKeyAttributes: v.optional(v.array(v.string())) }),
      }),
    ),
  ),
  LocalSecondaryIndexes: v.optional(v.never()),
  TimeToLiveSpecification: v.optional(v.object({ AttributeName: v.string() })),
})

export const Queue = v.object({
  DelaySeconds: v.optional(v.number()),
  FifoQueue: v.optional(v.literal(false)),
  MessageRetentionPeriod: v.optional(v.number()),
  ReceiveMessageWaitTimeSeconds: v.optional(v.number()),
  RedrivePolicy: v.optional(v.object({ deadLetterTargetArn: v.string(), maxReceiveCount: v.number() })),
  VisibilityTimeout: v.optional(v.number()),
})

export const QueuePolicy = v.object({ PolicyDocument: Document, Queues: v.array(v.string()) })

export const Key = v.object({
  KeySpec: v.optional(v.picklist(['SYMMETRIC_DEFAULT', 'RSA_2048', 'RSA_3072', 'RSA_4096']), 'SYMMETRIC_DEFAULT'),
  KeyPolicy: Document,
})

const Policy = v.object({ PolicyName: v.string(), PolicyDocument: Document })

export const AttachedPolicy = v.object({ ...Policy.entries, Roles: v.array(v.string()) })

export const Role = v.object({
  AssumeRolePolicyDocument: Document,
  Policies: v.optional(v.array(Policy), []),
  // Only AWS knows their contents.
  ManagedPolicyArns: v.optional(v.never()),
  PermissionsBoundary: v.optional(v.never()),
})

export const LambdaFunction = v.object({
  Runtime: v.pipe(v.string(), v.startsWith('nodejs')),
  Handler: v.string(),
  Timeout: v.optional(v.number(), 3),
  MemorySize: v.optional(v.number(), 128),
  Code: v.object({ S3Key: v.string() }),
  Role: v.string(),
  Environment: v.optional(v.object({ Variables: v.record(v.string(), v.string()) }), { Variables: {} }),
  Layers: v.optional(v.never()),
  LoggingConfig: v.optional(v.object({ LogGroup: v.optional(v.string()) }), {}),
})

export const EventSourceMapping = v.object({
  EventSourceArn: v.string(),
  FunctionName: v.string(),
  BatchSize: v.optional(v.number(), 10),
  FilterCriteria: v.optional(v.never()),
  FunctionResponseTypes: v.optional(v.array(v.string()), []),
  // Without a maximum, Lambda starts with five (AWS Lambda, "Using Lambda with Amazon SQS").
  ScalingConfig: v.optional(v.object({ MaximumConcurrency: v.number() }), { MaximumConcurrency: 5 }),
})

export const Cors = v.object({
  AllowCredentials: v.optional(v.boolean(), false),
  AllowHeaders: v.optional(v.array(v.string()), []),
  AllowMethods: v.optional(v.array(v.string()), []),
  AllowOrigins: v.optional(v.array(v.string()), []),
  ExposeHeaders: v.optional(v.array(v.string()), []),
  MaxAge: v.optional(v.number()),
})
export type Cors = v.InferOutput<typeof Cors>

export const Api = v.object({ ProtocolType: v.literal('HTTP'), CorsConfiguration: v.optional(Cors) })

export const Integration = v.object({
  IntegrationUri: v.string(),
  PayloadFormatVersion: v.literal('2.0'),
  // Without it, API Gateway would use the function's policy.
  CredentialsArn: v.string(),
})

export const Route = v.object({
  RouteKey: v.string(),
  Target: v.string(),
  AuthorizationType: v.optional(v.literal('NONE')),
})

/** @param id of the resource @throws {StartError} */
export function readProperties<S extends v.GenericSchema>(
  id: string,
  schema: S,
  properties: JsonObject,
): v.InferOutput<S> {
  const result = v.safeParse(schema, properties)
  if (result.success) return result.output
  const [issue] = result.issues
  throw unsupported(`npm start does not support ${id}: ${v.getDotPath(issue) ?? 'its properties'}: ${issue.message}`)
}
