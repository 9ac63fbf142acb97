import { type Acknowledgment, Stack } from 'aws-cdk-lib'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import { Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Construct } from 'constructs'
import { guardedBy } from '../../accounts/account/attributes.ts'
import { passkeyHandle } from '../../accounts/passkey/passkey.ts'
import { tokenAttributes } from '../../accounts/token/token.ts'
import type { ResourceVariable } from '../../shared/base/config.ts'
import { type AccountKind, accountKinds, type Family, families } from '../../shared/base/families.ts'
import { type Grants, type Guard, guards, type ItemAction } from '../../shared/base/row.ts'
import type { Data } from './data.ts'
import type { FactorKey, ProviderKey } from './encryption-key.ts'
import type { Mail, Sender } from './mail.ts'
import type { Signing } from './signing.ts'

type Environment = Partial<Record<ResourceVariable, string>>

/** A resource of the route table: for IAM, and the variables that name it to functions. */
interface Resource {
  service: 'dynamodb' | 'sqs' | 'kms' | 'ses'
  arns: readonly string[]
  environment: Environment
  conditions?: Record<string, Record<string, string | string[]>>
  /** A second ARN that AWS checks as well, without the conditions. */
  unconditionalArn?: string
  /** Why each wildcard among the ARNs is safe, for cdk-nag. */
  acknowledgments?: readonly Acknowledgment[]
}

/** A resource of the route table that is no kind of items. */
type OwnResource = Exclude<keyof Grants, Family | AccountKind>

/**
 * Turns the grants of the route table into IAM statements: single actions on single resources and key prefixes.
 *
 * Calls of a key are not among a function's own statements: the key's policy names the function's role, so the role
 * must not refer to the key. They are policies of their own, one for each call, shared by all roles that need it.
 */
export class GrantResolver extends Construct {
  readonly #resources: Record<OwnResource, Resource | null>
  readonly #data: Data

  constructor(
    scope: Construct,
    id: string,
    data: Data,
    { queue, sender }: Mail,
    { keys }: Signing,
    factorKey: FactorKey,
    providerKey: ProviderKey | null,
  ) {
    super(scope, id)
    const index = (name: string): Resource => ({
      service: 'dynamodb',
      arns: [`${data.accounts.tableArn}/index/${name}`],
      environment: { ACCOUNTS_TABLE: data.accounts.tableName },
    })
    this.#data = data
    const mailQueue: Resource = {
      service: 'sqs',
      arns: [queue.queueArn],
      environment: { MAIL_QUEUE_URL: queue.queueUrl },
    }
    // For signing too: a deploy that rotates the key changes policies before functions. The key's own policy denies all other roles.
    const signingKeys = (environment: Environment): Resource => ({
      service: 'kms',
      arns: keys.map(key => key.keyArn),
      environment,
    })
    this.#resources = {
      AccountsByVerificationToken: index(tokenAttributes.verification.index),
      AccountsByResetToken: index(tokenAttributes.reset.index),
      AccountsByPasskeyHandle: index(passkeyHandle.index),
      MailQueue: mailQueue,
      QueuedMail: mailQueue,
      MailIdentity: sender && mailIdentity(scope, sender),
      SigningKey: signingKeys({ SIGNING_KEY_ID: keys[0]?.keyId ?? '' }),
      SigningKeys: signingKeys({ SIGNING_KEY_IDS: keys.map(key => key.keyId).join(',') }),
      FactorKey: encryptionKey(factorKey, 'FACTOR_KEY_ID'),
      ProviderKey: providerKey && encryptionKey(providerKey, 'PROVIDER_KEY_ID'),
    }
  }

  /** @param writes the guards of accounts that updates may write */
  resolve(grants: Grants, writes: readonly Guard[]) {
    const statements: PolicyStatement[] = []
    const policies: Policy[] = []
    const environment: Environment = {}
    const acknowledgments: Acknowledgment[] = []
    const { accounts, rateLimits } = this.#data
    const reached = { accounts: [] as ItemGrant[], rateLimits: [] as ItemGrant[] }
    for (const [name, actions] of Object.entries(grants) as [keyof Grants, readonly never[]][]) {
      if (name in accountKinds) {
        reached.accounts.push([accountKinds[name as AccountKind], actions])
        environment.ACCOUNTS_TABLE = accounts.tableName
        continue
      }
      if (name in families) {
        reached.rateLimits.push([families[name as Family], actions])
        environment.RATE_LIMITS_TABLE = rateLimits.tableName
        continue
      }
      const resource = this.#resources[name as OwnResource]
      if (resource === null) continue
      const { service, arns, conditions, unconditionalArn } = resource
      const statement = (...calls: string[]) =>
        new PolicyStatement({
          actions: calls.map(call => `${service}:${call}`),
          resources: [...arns],
          ...(conditions && { conditions }),
        })
      if (service === 'kms') policies.push(...actions.map(action => this.#shared(name + action, statement(action))))
      else statements.push(statement(...actions))
      if (unconditionalArn) {
        const calls = actions.map(action => `${service}:${action}`)
        statements.push(new PolicyStatement({ actions: calls, resources: [unconditionalArn] }))
      }
      Object.assign(environment, resource.environment)
      acknowledgments.push(...(resource.acknowledgments ?? []))
    }
    return {
      statements: [
        ...statements,
        ...allowItems(accounts, reached.accounts, guarding(writes)),
        ...allowItems(rateLimits, reached.rateLimits),
      ],
      policies,
      environment,
      acknowledgments,
    }
  }

  #shared(id: string, statement: PolicyStatement): Policy {
    return (this.node.tryFindChild(id) as Policy | undefined) ?? new Policy(this, id, { statements: [statement] })
  }
}

export type ResolvedGrants = ReturnType<GrantResolver['resolve']>

const encryptionKey = (
  { key, ofOneOwner }: FactorKey | ProviderKey,
  variable: 'FACTOR_KEY_ID' | 'PROVIDER_KEY_ID',
): Resource => ({
  service: 'kms',
  arns: [key.keyArn],
  environment: { [variable]: key.keyId },
  conditions: ofOneOwner,
})

/** Actions on the items of a table whose key has a prefix. */
type ItemGrant = readonly [prefix: string, actions: readonly ItemAction[]]

/**
 * Allows actions on items with some key prefixes alone: one statement for each action with all its prefixes, because a transaction
 * may tell IAM all keys of an action together.
 *
 * @param guarding a further condition of updates
 */
export function allowItems(
  { tableArn }: Pick<ITable, 'tableArn'>,
  granted: readonly ItemGrant[],
  guarding: Conditions = {},
): PolicyStatement[] {
  return [...new Set(granted.flatMap(([, actions]) => actions))].map(action => {
    const reached = granted.filter(([, actions]) => actions.includes(action)).map(([prefix]) => `${prefix}*`)
    return new PolicyStatement({
      actions: [`dynamodb:${action}`],
      resources: [tableArn],
      conditions: action === 'UpdateItem' ? both(ofKeys(...reached), guarding) : ofKeys(...reached),
    })
  })
}

type Conditions = Record<string, Record<string, string | string[]>>

const both = (one: Conditions, more: Conditions): Conditions => ({
  ...one,
  ...Object.fromEntries(Object.entries(more).map(([operator, keys]) => [operator, { ...one[operator], ...keys }])),
})

/** The condition that a call names no attribute of an account whose guard is another. @param writes the guards that it may write */
function guarding(writes: readonly Guard[]): Conditions {
  const others = guardedBy(guards.filter(guard => !writes.includes(guard)))
  if (others.length === 0) return {}
  return {
    'ForAllValues:StringNotEquals': { 'dynamodb:Attributes': others },
    Null: { 'dynamodb:Attributes': 'false' },
  }
}

/** The condition that a call names only items with these keys. @param patterns of IAM, with `*` */
const ofKeys = (...patterns: string[]) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns },
  // `ForAllValues` also holds where the key is absent (AWS IAM, "Set operators for multivalued context keys").
  Null: { 'dynamodb:LeadingKeys': 'false' },
})

/**
 * SES also checks the identity of the address, if verified in addition to its domain, and that of a recipient in the
 * same account. So any identity is allowed, and the condition fixes the sender.
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
