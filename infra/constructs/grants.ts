import { type Acknowledgment, Stack } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'
import type { Grants } from '../../shared/api/routes.ts'
import type { ResourceVariable } from '../../shared/base/config.ts'
import { tokenAttributes } from '../../shared/store/attributes.ts'
import type { Data } from './data.ts'
import { type FactorKey, ofAnAccount } from './factor-key.ts'
import type { Mail, Sender } from './mail.ts'
import type { Signing } from './signing.ts'

type Environment = Partial<Record<ResourceVariable, string>>

/** A resource of the route table: what it is to IAM, and the variables that name it to functions. */
interface Resource {
  service: 'dynamodb' | 'sqs' | 'kms' | 'ses'
  arns: readonly string[]
  environment: Environment
  conditions?: Record<string, Record<string, string | string[]>>
  /** An ARN that the service checks as well, without the conditions. */
  unconditionalArn?: string
  /** Why each wildcard among the ARNs is safe, for cdk-nag. */
  acknowledgments?: readonly Acknowledgment[]
}

/** Turns the grants of the route table into IAM statements: single actions on single resources. */
export class GrantResolver {
  readonly #resources: Record<keyof Grants, Resource | null>

  constructor(
    scope: Construct,
    { users, rateLimits }: Data,
    { queue, sender }: Mail,
    { keys }: Signing,
    { key }: FactorKey,
  ) {
    const usersTable = { USERS_TABLE: users.tableName }
    const index = (kind: keyof typeof tokenAttributes): Resource => ({
      service: 'dynamodb',
      arns: [`${users.tableArn}/index/${tokenAttributes[kind].index}`],
      environment: usersTable,
    })
    const rateLimitsTable: Resource = {
      service: 'dynamodb',
      arns: [rateLimits.tableArn],
      environment: { RATE_LIMITS_TABLE: rateLimits.tableName },
    }
    const mailQueue: Resource = {
      service: 'sqs',
      arns: [queue.queueArn],
      environment: { MAIL_QUEUE_URL: queue.queueUrl },
    }
    const signingKeys = (granted: typeof keys, variable: 'SIGNING_KEY_ID' | 'SIGNING_KEY_IDS'): Resource => ({
      service: 'kms',
      arns: granted.map(key => key.keyArn),
      environment: { [variable]: granted.map(key => key.keyId).join(',') },
    })
    this.#resources = {
      Users: { service: 'dynamodb', arns: [users.tableArn], environment: usersTable },
      UsersByVerificationToken: index('verification'),
      UsersByResetToken: index('reset'),
      RateLimits: rateLimitsTable,
      EmailChanges: rateLimitsTable,
      MailQueue: mailQueue,
      QueuedMail: mailQueue,
      MailIdentity: sender && mailIdentity(scope, sender),
      SigningKey: signingKeys(keys.slice(0, 1), 'SIGNING_KEY_ID'),
      SigningKeys: signingKeys(keys, 'SIGNING_KEY_IDS'),
      FactorKey: {
        service: 'kms',
        arns: [key.keyArn],
        environment: { FACTOR_KEY_ID: key.keyId },
        conditions: ofAnAccount,
      },
    }
  }

  resolve(grants: Grants) {
    const statements: PolicyStatement[] = []
    const environment: Environment = {}
    const acknowledgments: Acknowledgment[] = []
    for (const [name, actions] of Object.entries(grants) as [keyof Grants, readonly string[]][]) {
      const resource = this.#resources[name]
      if (resource === null) continue
      const { service, arns, conditions, unconditionalArn } = resource
      const calls = actions.map(action => `${service}:${action}`)
      statements.push(new PolicyStatement({ actions: calls, resources: [...arns], ...(conditions && { conditions }) }))
      if (unconditionalArn) statements.push(new PolicyStatement({ actions: calls, resources: [unconditionalArn] }))
      Object.assign(environment, resource.environment)
      acknowledgments.push(...(resource.acknowledgments ?? []))
    }
    return { statements, environment, acknowledgments }
  }
}

export type ResolvedGrants = ReturnType<GrantResolver['resolve']>

/**
 * SES also checks the identity of the address, where that is verified in addition to its domain, and the identity of a
 * recipient in the same account. So any identity is allowed, and the condition fixes the sender.
 */
function mailIdentity(scope: Construct, { address, configurationSet }: Sender): Resource {
  const acknowledgments = [
    wildcard('identity/*', 'SES chooses which identities it checks; a condition fixes the sender.'),
  ]
  if (configurationSet.endsWith('/*')) {
    acknowledgments.push(
      wildcard(
        'configuration-set/*',
        'Only SES knows which set the identity has, and without an identity a set is of no use.',
      ),
    )
  }
  return {
    service: 'ses',
    arns: [Stack.of(scope).formatArn({ service: 'ses', resource: 'identity', resourceName: '*' })],
    conditions: { StringEquals: { 'ses:FromAddress': address } },
    unconditionalArn: configurationSet,
    environment: {},
    acknowledgments,
  }
}

const wildcard = (resource: string, reason: string): Acknowledgment => ({
  id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:${resource}]`,
  reason,
})
