import { join } from 'node:path'
import type * as v from 'valibot'
import { StartError } from '../start-error.ts'
import type { Assembly } from './assembly.ts'
import type {
  FunctionDefinition,
  KeyDefinition,
  MappingDefinition,
  QueueDefinition,
  StackDefinition,
} from './definitions.ts'
import * as schemas from './property-schemas.ts'
import { Resolver } from './resolver.ts'
import type { Deployment } from './return-values.ts'
import type { JsonObject } from './template.ts'

/** Reads from a synthesised stack what runs locally. @throws {StartError} */
export function readStack(assembly: Assembly, deployment: Deployment): StackDefinition {
  const reader = new Reader(assembly, deployment)
  const queues = reader.queues()
  const functions = reader.functions()
  return {
    tables: reader.tables(),
    queues,
    keys: reader.keys(),
    functions,
    mappings: reader.mappings(queues, functions),
    routes: reader.routes(functions),
    cors: reader.all('AWS::ApiGatewayV2::Api', schemas.Api)[0]?.[1].CorsConfiguration ?? null,
    resourcePolicies: new Map([...reader.keyPolicies(), ...reader.queuePolicies(queues)]),
  }
}

class Reader {
  readonly #assembly: Assembly
  readonly #resolver: Resolver

  constructor(assembly: Assembly, deployment: Deployment) {
    this.#assembly = assembly
    this.#resolver = new Resolver(assembly.template, deployment)
  }

  all<S extends v.GenericSchema>(type: string, schema: S): [id: string, properties: v.InferOutput<S>][] {
    return Object.entries(this.#assembly.template.Resources)
      .filter(([, resource]) => resource.Type === type)
      .map(([id]) => [id, schemas.readProperties(id, schema, this.#resolver.properties(id))])
  }

  tables(): StackDefinition['tables'] {
    return this.all('AWS::DynamoDB::Table', schemas.Table).map(([id, table]) => ({ ...table, id, name: this.#ref(id) }))
  }

  queues(): QueueDefinition[] {
    return this.all('AWS::SQS::Queue', schemas.Queue).map(([id, queue]) => {
      const name = this.#resolver.attribute(id, 'QueueName')
      return { ...queue, id, name, url: this.#ref(id), arn: this.#arn(id) }
    })
  }

  keys(): KeyDefinition[] {
    return this.all('AWS::KMS::Key', schemas.Key).map(([id, { KeySpec }]) => ({ id, arn: this.#arn(id), KeySpec }))
  }

  keyPolicies(): [arn: string, policy: JsonObject][] {
    return this.all('AWS::KMS::Key', schemas.Key).map(([id, { KeyPolicy }]) => [this.#arn(id), KeyPolicy])
  }

  queuePolicies(queues: readonly QueueDefinition[]): [arn: string, policy: JsonObject][] {
    return this.all('AWS::SQS::QueuePolicy', schemas.QueuePolicy).flatMap(([, { Queues, PolicyDocument }]) =>
      queues.filter(({ url }) => Queues.includes(url)).map(({ arn }): [string, JsonObject] => [arn, PolicyDocument]),
    )
  }

  functions(): FunctionDefinition[] {
    const roles = this.#roles()
    return this.all('AWS::Lambda::Function', schemas.LambdaFunction).map(([id, properties]) => {
      const name = this.#ref(id)
      const { Handler, Timeout, MemorySize, Code, Environment, LoggingConfig } = properties
      return {
        label: labelOf(id),
        name,
        arn: this.#arn(id),
        ...(roles.get(properties.Role) ?? { role: '', policies: [] }),
        handler: Handler,
        codeDirectory: join(this.#assembly.directory, `asset.${Code.S3Key.replace(/\.zip$/, '')}`),
        environment: Environment.Variables,
        timeout: Timeout * 1000,
        memory: MemorySize,
        logGroup: LoggingConfig.LogGroup ?? `/aws/lambda/${name}`,
      }
    })
  }

  #roles(): Map<string, Pick<FunctionDefinition, 'role' | 'policies'>> {
    const attached = this.all('AWS::IAM::Policy', schemas.AttachedPolicy).map(([, policy]) => policy)
    return new Map(
      this.all('AWS::IAM::Role', schemas.Role).map(([id, { Policies }]) => {
        const role = this.#ref(id)
        const all = [...Policies, ...attached.filter(({ Roles }) => Roles.includes(role))]
        const policies = all.map(({ PolicyName, PolicyDocument }) => ({ name: PolicyName, policy: PolicyDocument }))
        return [this.#arn(id), { role, policies }]
      }),
    )
  }

  mappings(queues: readonly QueueDefinition[], functions: readonly FunctionDefinition[]): MappingDefinition[] {
    return this.all('AWS::Lambda::EventSourceMapping', schemas.EventSourceMapping).map(([id, mapping]) => ({
      queue: found(
        queues,
        ({ arn }) => arn === mapping.EventSourceArn,
        `${id}: its event source is not a queue in the template`,
      ),
      consumer: functionOf(id, functions, mapping.FunctionName),
      batchSize: mapping.BatchSize,
      reportsItemFailures: mapping.FunctionResponseTypes.includes('ReportBatchItemFailures'),
      concurrency: mapping.ScalingConfig.MaximumConcurrency,
    }))
  }

  routes(functions: readonly FunctionDefinition[]): StackDefinition['routes'] {
    const integrations = this.all('AWS::ApiGatewayV2::Integration', schemas.Integration)
    return new Map(
      this.all('AWS::ApiGatewayV2::Route', schemas.Route).map(([id, { RouteKey, Target }]) => {
        const isTarget = ([integration]: [string, unknown]) => Target === `integrations/${integration}`
        const [, { IntegrationUri }] = found(integrations, isTarget, `${id}: its integration is not in the template`)
        return [RouteKey, functionOf(id, functions, IntegrationUri)]
      }),
    )
  }

  #ref(id: string): string {
    return this.#resolver.ref(id)
  }

  #arn(id: string): string {
    return this.#resolver.attribute(id, 'Arn')
  }
}

const functionOf = (id: string, functions: readonly FunctionDefinition[], nameOrArn: string): FunctionDefinition =>
  found(
    functions,
    ({ name, arn }) => name === nameOrArn || arn === nameOrArn,
    `${id}: its function is not in the template`,
  )

function found<T>(all: readonly T[], matches: (candidate: T) => boolean, complaint: string): T {
  const match = all.find(matches)
  if (match === undefined) throw new StartError(complaint)
  return match
}

/** CDK's logical id `ForgotPasswordFunction2BF5D13A` becomes `forgot-password`. */
const labelOf = (id: string): string =>
  id
    .replace(/(?:Function)?[0-9A-F]{8}$/, '')
    .replace(/(?<=.)[A-Z]/g, '-$&')
    .toLowerCase()
