import { Stack } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'
import type { Grants } from '../shared/routes.ts'
import { tokenAttributes } from '../shared/store/tables.ts'
import type { Data } from './data.ts'
import type { Mail } from './mail.ts'
import type { Signing } from './signing.ts'

/** A resource of the route table: what it is in IAM, and how functions learn of it. */
interface Resource {
  service: 'dynamodb' | 'sqs' | 'kms' | 'ses'
  arns: readonly string[]
  environment: Record<string, string>
  conditions?: Record<string, Record<string, string>>
}

/** What a row's grants come to. */
export interface Opened {
  statements: readonly PolicyStatement[]
  environment: Record<string, string>
}

/** Turns the grants of the route table into IAM statements of single actions on single resources. */
export class Grantor {
  readonly #resources: Record<keyof Grants, Resource | null>

  /** @param sender the bare address that mails come from, or null when none are sent */
  constructor(
    scope: Construct,
    { users, rateLimits }: Data,
    { queue }: Mail,
    { keys }: Signing,
    sender: string | null,
  ) {
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
    const keysOf = (some: typeof keys): Resource => ({
      service: 'kms',
      arns: some.map(key => key.keyArn),
      environment: { SIGNING_KEY_IDS: some.map(key => key.keyId).join(',') },
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
      // SES asks about the address's identity too where it is verified beside its domain's, and about a recipient's
      // that lies in the same account: what is bound is the sender.
      MailIdentity:
        sender === null
          ? null
          : {
              service: 'ses',
              arns: [Stack.of(scope).formatArn({ service: 'ses', resource: 'identity', resourceName: '*' })],
              environment: {},
              conditions: { StringEquals: { 'ses:FromAddress': sender } },
            },
      SigningKey: keysOf(keys.slice(0, 1)),
      SigningKeys: keysOf(keys),
    }
  }

  open(grants: Grants): Opened {
    const statements: PolicyStatement[] = []
    const environment: Record<string, string> = {}
    for (const [name, actions] of Object.entries(grants) as [keyof Grants, readonly string[]][]) {
      const resource = this.#resources[name]
      if (resource === null) continue
      const { service, arns, conditions } = resource
      statements.push(
        new PolicyStatement({
          actions: actions.map(action => `${service}:${action}`),
          resources: [...arns],
          ...(conditions && { conditions }),
        }),
      )
      Object.assign(environment, resource.environment)
    }
    return { statements, environment }
  }
}
