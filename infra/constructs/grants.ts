import { type Acknowledgment, Stack } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'
import type { ResourceVariable } from '../../shared/config.ts'
import type { Grants } from '../../shared/routes.ts'
import { tokenAttributes } from '../../shared/store/tables.ts'
import type { Data } from './data.ts'
import type { Mail, Sender } from './mail.ts'
import type { Signing } from './signing.ts'

/** How functions learn of resources. */
type Environment = Partial<Record<ResourceVariable, string>>

/** A resource of the route table: what it is in IAM, and how functions learn of it. */
interface Resource {
  service: 'dynamodb' | 'sqs' | 'kms' | 'ses'
  arns: readonly string[]
  environment: Environment
  conditions?: Record<string, Record<string, string>>
  /** What the service asks about besides, without conditions. */
  besides?: string
  /** Patterns among the ARNs, and why they are none to worry about. */
  patterns?: readonly Acknowledgment[]
}

/** What a row's grants come to. */
export interface Opened {
  statements: readonly PolicyStatement[]
  environment: Environment
  patterns: readonly Acknowledgment[]
}

/** Turns the grants of the route table into IAM statements of single actions on single resources. */
export class Grantor {
  readonly #resources: Record<keyof Grants, Resource | null>

  constructor(scope: Construct, { users, rateLimits }: Data, { queue, sender }: Mail, { keys }: Signing) {
    const usersTable = { USERS_TABLE: users.tableName }
    const index = (kind: keyof typeof tokenAttributes): Resource => ({
      service: 'dynamodb',
      arns: [`${users.tableArn}/index/${tokenAttributes[kind].index}`],
      environment: usersTable,
    })
    const queueEnd: Resource = {
      service: 'sqs',
      arns: [queue.queueArn],
      environment: { MAIL_QUEUE_URL: queue.queueUrl },
    }
    const keysOf = (some: typeof keys, variable: 'SIGNING_KEY_ID' | 'SIGNING_KEY_IDS'): Resource => ({
      service: 'kms',
      arns: some.map(key => key.keyArn),
      environment: { [variable]: some.map(key => key.keyId).join(',') },
    })
    this.#resources = {
      Users: { service: 'dynamodb', arns: [users.tableArn], environment: usersTable },
      UsersByVerificationToken: index('verification'),
      UsersByResetToken: index('reset'),
      RateLimits: {
        service: 'dynamodb',
        arns: [rateLimits.tableArn],
        environment: { RATE_LIMITS_TABLE: rateLimits.tableName },
      },
      MailQueue: queueEnd,
      QueuedMail: queueEnd,
      MailIdentity: sender && mailIdentity(scope, sender),
      SigningKey: keysOf(keys.slice(0, 1), 'SIGNING_KEY_ID'),
      SigningKeys: keysOf(keys, 'SIGNING_KEY_IDS'),
    }
  }

  open(grants: Grants): Opened {
    const statements: PolicyStatement[] = []
    const environment: Environment = {}
    const patterns: Acknowledgment[] = []
    for (const [name, actions] of Object.entries(grants) as [keyof Grants, readonly string[]][]) {
      const resource = this.#resources[name]
      if (resource === null) continue
      const { service, arns, conditions, besides } = resource
      const calls = actions.map(action => `${service}:${action}`)
      statements.push(new PolicyStatement({ actions: calls, resources: [...arns], ...(conditions && { conditions }) }))
      if (besides !== undefined) statements.push(new PolicyStatement({ actions: calls, resources: [besides] }))
      Object.assign(environment, resource.environment)
      patterns.push(...(resource.patterns ?? []))
    }
    return { statements, environment, patterns }
  }
}

/**
 * SES asks about the address's identity too where it is verified beside its domain's, and about a recipient's that lies
 * in the same account: what is bound is the sender.
 */
function mailIdentity(scope: Construct, { address, configurationSet }: Sender): Resource {
  const patterns = [pattern('identity/*', 'SES asks about identities that only it chooses; the sender is bound.')]
  if (configurationSet.endsWith('/*')) {
    patterns.push(
      pattern('configuration-set/*', 'It opens nothing without an identity, and only SES knows which it is.'),
    )
  }
  return {
    service: 'ses',
    arns: [Stack.of(scope).formatArn({ service: 'ses', resource: 'identity', resourceName: '*' })],
    conditions: { StringEquals: { 'ses:FromAddress': address } },
    besides: configurationSet,
    environment: {},
    patterns,
  }
}

const pattern = (resource: string, reason: string): Acknowledgment => ({
  id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:${resource}]`,
  reason,
})
