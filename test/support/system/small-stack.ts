import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { readSettings } from '../../../infra/settings/settings.ts'
import type { Denial, InvalidCall } from '../../../local/aws/front.ts'
import type { Served } from '../../../local/gateway/gateway.ts'
import type { LogLine } from '../../../local/observer.ts'
import type { Options } from '../../../local/options.ts'
import { type Running, runStack } from '../../../local/system.ts'
import type { Assembly } from '../../../local/template/assembly.ts'
import type { JsonObject, Resource } from '../../../local/template/template.ts'

/** A function of a small stack: its source, and its differences from the defaults. */
interface SmallFunction {
  /** CommonJS that sets `exports.handler`. */
  source: string
  /** Route keys. */
  on?: readonly string[]
  /** Seconds. */
  timeout?: number
  may?: readonly JsonObject[]
  environment?: JsonObject
}

/** Writes a small stack: functions by label, and other resources of its template. */
export function smallStack(functions: Record<string, SmallFunction>, others: Record<string, Resource> = {}): Assembly {
  const directory = mkdtempSync(join(tmpdir(), 'small-stack-'))
  const resources: Record<string, Resource> = { ...others }
  const api = others.Api ?? { Type: 'AWS::ApiGatewayV2::Api', Properties: { ProtocolType: 'HTTP' } }
  resources.Api = api
  resources.Invoker ??= {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: trusting('apigateway.amazonaws.com'),
      Policies: [
        { PolicyName: 'Grants', PolicyDocument: allowing({ Action: 'lambda:InvokeFunction', Resource: '*' }) },
      ],
    },
  }
  for (const [label, { source, on = [], timeout = 5, may = [], environment = {} }] of Object.entries(functions)) {
    mkdirSync(join(directory, `asset.${label}`))
    writeFileSync(join(directory, `asset.${label}`, 'index.cjs'), source)
    const id = idOf(label)
    resources[`${label}Role`] = {
      Type: 'AWS::IAM::Role',
      Properties: { AssumeRolePolicyDocument: trusting('lambda.amazonaws.com') },
    }
    resources[`${label}Policy`] = {
      Type: 'AWS::IAM::Policy',
      Properties: {
        PolicyName: `${label}Policy`,
        Roles: [{ Ref: `${label}Role` }],
        PolicyDocument: allowing({ Action: ['logs:CreateLogStream', 'logs:PutLogEvents'], Resource: '*' }, ...may),
      },
    }
    resources[id] = {
      Type: 'AWS::Lambda::Function',
      Properties: {
        Runtime: 'nodejs24.x',
        Handler: 'index.handler',
        Code: { S3Key: `${label}.zip` },
        Timeout: timeout,
        MemorySize: 256,
        Role: { 'Fn::GetAtt': [`${label}Role`, 'Arn'] },
        Environment: { Variables: environment },
      },
    }
    for (const [i, RouteKey] of on.entries()) {
      const integration = `${label}Integration${i}`
      resources[integration] = {
        Type: 'AWS::ApiGatewayV2::Integration',
        Properties: {
          IntegrationUri: { 'Fn::GetAtt': [id, 'Arn'] },
          PayloadFormatVersion: '2.0',
          CredentialsArn: { 'Fn::GetAtt': ['Invoker', 'Arn'] },
        },
      }
      resources[`${label}Route${i}`] = {
        Type: 'AWS::ApiGatewayV2::Route',
        Properties: { RouteKey, Target: { 'Fn::Join': ['/', ['integrations', { Ref: integration }]] } },
      }
    }
  }
  return { template: { Resources: resources }, directory }
}

const allowing = (...statements: readonly JsonObject[]): JsonObject => ({
  Version: '2012-10-17',
  Statement: statements.map(statement => ({ Effect: 'Allow', ...statement })),
})

/** The trust policy of a role that a service assumes. */
export const trusting = (Service: string, others: JsonObject = {}): JsonObject =>
  allowing({ Principal: { Service }, Action: 'sts:AssumeRole', ...others })

/** The logical id of a small stack's function, in CDK's form. */
export const idOf = (label: string): string =>
  `${label.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Function00000000`

/** A table with one key, for `smallStack`. */
export const tableOf = (AttributeName: string, others: JsonObject = {}): Resource => ({
  Type: 'AWS::DynamoDB::Table',
  Properties: {
    AttributeDefinitions: [{ AttributeName, AttributeType: 'S' }],
    KeySchema: [{ AttributeName, KeyType: 'HASH' }],
    ...others,
  },
})

/** A key that policies of the account's roles allow, for `smallStack`. @param spec of a signing key */
export const keyOf = (spec?: string): Resource => ({
  Type: 'AWS::KMS::Key',
  Properties: {
    ...(spec !== undefined && { KeySpec: spec }),
    KeyPolicy: {
      Version: '2012-10-17',
      Statement: [
        { Effect: 'Allow', Principal: { AWS: 'arn:aws:iam::000000000000:root' }, Action: 'kms:*', Resource: '*' },
      ],
    },
  },
})

/** The SDK's configuration to call a running stack as one of its callers, without retries. */
export const configOf = (system: Running, caller: string) => ({
  region: 'us-east-1',
  endpoint: system.awsUrl,
  credentials: system.credential(caller),
  maxAttempts: 1,
})

/** A running stack, and everything that its observer received. */
export interface Observed extends Running {
  served: Served[]
  lines: LogLine[]
  denials: Denial[]
  invalid: InvalidCall[]
  [Symbol.asyncDispose](): Promise<void>
}

/** Runs a stack on free ports, by default in memory, until the end of the test. */
export async function observe(assembly: Assembly, options: Partial<Options> = {}): Promise<Observed> {
  const served: Served[] = []
  const lines: LogLine[] = []
  const denials: Denial[] = []
  const invalid: InvalidCall[] = []
  const running = await runStack({
    settings: readSettings({}),
    port: 0,
    inboxPort: 0,
    host: '127.0.0.1',
    dataDirectory: null,
    assembly,
    observer: {
      served: answer => served.push(answer),
      logged: line => lines.push(line),
      denied: denial => denials.push(denial),
      invalid: call => invalid.push(call),
    },
    ...options,
  })
  return Object.defineProperties({} as Observed, {
    ...Object.getOwnPropertyDescriptors(running),
    ...Object.getOwnPropertyDescriptors({
      served,
      lines,
      denials,
      invalid,
      [Symbol.asyncDispose]: () => running.stop(),
    }),
  })
}

/** The same, for one test. */
export async function observeOnce(assembly: Assembly, options: Partial<Options> = {}): Promise<Observed> {
  const observed = await observe(assembly, options)
  onTestFinished(() => observed.stop())
  return observed
}

/** Waits for a condition, checked at every turn of the event loop's timers. */
export async function until<T>(look: () => T | undefined | null | false): Promise<T> {
  for (;;) {
    const seen = look()
    if (seen) return seen
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}
