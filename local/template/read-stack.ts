import { join } from 'node:path'
import type * as v from 'valibot'
import { unsupported } from '../start-error.ts'
import type { Assembly } from './assembly.ts'
import * as schemas from './property-schemas.ts'
import { resolverOf } from './resolver.ts'
import { apiId, type Deployment } from './return-values.ts'
import type { JsonObject } from './template.ts'

/**
 * Reads the local resources of a synthesised stack as plain data, without CloudFormation's syntax. Ids are the
 * template's logical ids, except for keys.
 *
 * @throws {StartError}
 */
export function readStack({ template, directory }: Assembly, deployment: Deployment) {
  const resolver = resolverOf(template, deployment)
  const arnOf = (id: string): string => resolver.attribute(id, 'Arn')
  const all = <S extends v.GenericSchema>(type: string, schema: S): [id: string, properties: v.InferOutput<S>][] =>
    Object.entries(template.Resources)
      .filter(([, resource]) => resource.Type === type)
      .map(([id]) => [id, schemas.readProperties(id, schema, resolver.properties(id))])

  const tables = all('AWS::DynamoDB::Table', schemas.Table).map(([id, table]) => ({
    ...table,
    id,
    name: resolver.ref(id),
  }))
  const queues = all('AWS::SQS::Queue', schemas.Queue).map(([id, queue]) => {
    const name = resolver.attribute(id, 'QueueName')
    return { ...queue, id, name, url: resolver.ref(id), arn: arnOf(id) }
  })
  const queuePolicies = all('AWS::SQS::QueuePolicy', schemas.QueuePolicy).flatMap(([, { Queues, PolicyDocument }]) =>
    queues.filter(({ url }) => Queues.includes(url)).map(({ arn }) => [arn, PolicyDocument] as const),
  )
  const keys = all('AWS::KMS::Key', schemas.Key).map(([id, key]) => ({ ...key, id: resolver.ref(id), arn: arnOf(id) }))

  const attached = all('AWS::IAM::Policy', schemas.AttachedPolicy).map(([, policy]) => policy)
  const roles = new Map(
    all('AWS::IAM::Role', schemas.Role).map(([id, { Policies, AssumeRolePolicyDocument }]) => {
      const role = resolver.ref(id)
      const own = [...Policies, ...attached.filter(({ Roles }) => Roles.includes(role))]
      const policies = own.map(({ PolicyName, PolicyDocument }) => ({ name: PolicyName, policy: PolicyDocument }))
      return [arnOf(id), { role, policies, trust: AssumeRolePolicyDocument }]
    }),
  )
  const functions = all('AWS::Lambda::Function', schemas.LambdaFunction).map(([id, properties]) => {
    const name = resolver.ref(id)
    const { Handler, Timeout, MemorySize, Code, Environment, LoggingConfig } = properties
    const { role = '', policies = [] } = roles.get(properties.Role) ?? {}
    return {
      /** Name in the route table: `forgot-password`. */
      label: labelOf(id),
      name,
      arn: arnOf(id),
      role,
      policies,
      handler: Handler,
      /** Replaced by a reload. */
      codeDirectory: join(directory, `asset.${Code.S3Key.replace(/\.zip$/, '')}`),
      environment: Environment.Variables,
      /** Milliseconds. */
      timeout: Timeout * 1000,
      /** Megabytes. */
      memory: MemorySize,
      logGroup: LoggingConfig.LogGroup ?? `/aws/lambda/${name}`,
    }
  })
  const functionOf = (id: string, nameOrArn: string) =>
    requireOne(
      functions,
      ({ name, arn }) => [name, arn].includes(nameOrArn),
      `${id}: its function is not in the template`,
    )

  const mappings = all('AWS::Lambda::EventSourceMapping', schemas.EventSourceMapping).map(([id, mapping]) => ({
    queue: requireOne(
      queues,
      ({ arn }) => arn === mapping.EventSourceArn,
      `${id}: its event source is not a queue in the template`,
    ),
    consumer: functionOf(id, mapping.FunctionName),
    batchSize: mapping.BatchSize,
    reportsItemFailures: mapping.FunctionResponseTypes.includes('ReportBatchItemFailures'),
    concurrency: mapping.ScalingConfig.MaximumConcurrency,
  }))
  const integrations = all('AWS::ApiGatewayV2::Integration', schemas.Integration)
  /** The roles that API Gateway assumes to invoke functions. */
  const invokers = [...roles].flatMap(([arn, { role, policies }]) =>
    integrations.some(([, { CredentialsArn }]) => CredentialsArn === arn)
      ? [{ label: gatewayLabel, name: gatewayLabel, role, policies, arn }]
      : [],
  )
  const routes = all('AWS::ApiGatewayV2::Route', schemas.Route).map(([id, { RouteKey, Target }]) => {
    const isTarget = ([integration]: [string, unknown]) => Target === `integrations/${integration}`
    const [, { IntegrationUri, CredentialsArn }] = requireOne(
      integrations,
      isTarget,
      `${id}: its integration is not in the template`,
    )
    const invoker = requireOne(invokers, ({ arn }) => arn === CredentialsArn, `${id}: its role is not in the template`)
    const target = {
      definition: functionOf(id, IntegrationUri),
      invoker,
      /** The `aws:SourceArn` of a request. */
      source: deployment.arn('execute-api', `${apiId}/$default/${RouteKey.replace(' ', '')}`),
    }
    return [RouteKey, target] as const
  })
  return {
    tables,
    queues,
    keys,
    functions,
    mappings,
    routes: new Map(routes),
    cors: all('AWS::ApiGatewayV2::Api', schemas.Api)[0]?.[1].CorsConfiguration ?? null,
    /** By the ARN of their resource. */
    resourcePolicies: new Map<string, JsonObject>([
      ...keys.map(({ arn, KeyPolicy }) => [arn, KeyPolicy] as const),
      ...queuePolicies,
    ]),
    /** The trust policies of roles, by ARN. */
    trustPolicies: new Map([...roles].map(([arn, { trust }]) => [arn, trust])),
    invokers,
  }
}

export type StackDefinition = ReturnType<typeof readStack>
export type TableDefinition = StackDefinition['tables'][number]
export type QueueDefinition = StackDefinition['queues'][number]
/** Its `id` is the key's, not the template's. */
export type KeyDefinition = StackDefinition['keys'][number]
export type FunctionDefinition = StackDefinition['functions'][number]
/** The target of a route. */
export type RouteTarget = StackDefinition['routes'] extends Map<string, infer Target> ? Target : never
export type MappingDefinition = StackDefinition['mappings'][number]

/** API Gateway's name in the console. */
export const gatewayLabel = 'api-gateway'

function requireOne<T>(all: readonly T[], matches: (candidate: T) => boolean, complaint: string): T {
  const match = all.find(matches)
  if (match === undefined) throw unsupported(complaint)
  return match
}

/** CDK's logical id `ForgotPasswordFunction2BF5D13A` becomes `forgot-password`. */
const labelOf = (id: string): string =>
  id
    .replace(/(?:Function)?[0-9A-F]{8}$/, '')
    .replace(/(?<=.)[A-Z]/g, '-$&')
    .toLowerCase()
