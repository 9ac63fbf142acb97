import { CfnOutput, Validations } from 'aws-cdk-lib'
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import { accountKinds, families } from '../../shared/base/families.ts'
import type { Settings } from '../settings/settings.ts'
import type { Data } from './data.ts'
import type { FactorKey, ProviderKey } from './encryption-key.ts'
import { allowItems } from './grants.ts'
import type { Mail } from './mail.ts'
import type { Signing } from './signing.ts'

type Named = Pick<
  Settings,
  | 'API_CERTIFICATE_ARN'
  | 'CATALOGUE_CERTIFICATE_ARN'
  | 'LANGUAGES'
  | 'SIGNING_KEYS'
  | 'ADMIN_EMAIL'
  | 'MAIL_FROM'
  | 'PASSKEY_RP_ID'
  | 'SIGN_IN_PROVIDERS'
>

/**
 * What the commands in `operations/` need: for each program a policy with exactly its calls, to attach to its users;
 * and outputs that name the resources.
 *
 * The policy for mail is separate: a sender to the queue can store a reset token of their choice on any account.
 */
export class Operator extends Construct {
  constructor(
    scope: Construct,
    id: string,
    data: Data,
    { queue, deadLetters }: Mail,
    signing: Signing,
    factorKey: FactorKey,
    providerKey: ProviderKey | null,
    topic: ITopic,
    settings: Named,
  ) {
    super(scope, id)
    this.#policy('Users', 'users', [
      // A scan names no keys. That of 0.4.0's accounts is their export.
      allow([data.accounts.tableArn, data.users.tableArn], 'dynamodb:Scan'),
      ...allowItems(data.accounts, [
        [accountKinds.Accounts, ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem']],
        [accountKinds.Addresses, ['GetItem', 'PutItem', 'DeleteItem']],
        [accountKinds.Identities, ['GetItem', 'PutItem', 'DeleteItem']],
      ]),
      // Write access to the counters would lift the limit on guesses.
      ...allowItems(data.rateLimits, [[families.DeletionMarks, ['GetItem', 'UpdateItem']]]),
    ])
    this.#policy('Mail', 'mail', [
      allow([deadLetters.queueArn], 'sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'),
      allow([queue.queueArn], 'sqs:SendMessage'),
      allow(['*'], 'ses:GetSuppressedDestination', 'ses:DeleteSuppressedDestination'),
    ])
    Validations.of(this).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
      reason:
        'The suppression list, the quotas and the metrics of the account are no resources in IAM (Service Authorization Reference).',
    })
    this.#policy('Keys', 'keys', [
      allow(
        signing.keys.map(key => key.keyArn),
        'kms:DescribeKey',
      ),
      ...(providerKey ? [encryptBy(providerKey)] : []),
    ])
    const certificates = [settings.API_CERTIFICATE_ARN, settings.CATALOGUE_CERTIFICATE_ARN].filter(arn => arn !== '')
    const encrypting = [factorKey, ...(providerKey ? [providerKey] : [])].map(({ key }) => key)
    this.#policy('Stack', 'stack', [
      allow([topic.topicArn], 'sns:ListSubscriptionsByTopic'),
      allow(
        [data.accounts, data.rateLimits].map(({ tableArn }) => tableArn),
        'dynamodb:DescribeContinuousBackups',
        'dynamodb:DescribeTable',
      ),
      allow(
        [...signing.keys, ...encrypting].map(({ keyArn }) => keyArn),
        'kms:DescribeKey',
      ),
      ...(certificates.length > 0 ? [allow(certificates, 'acm:DescribeCertificate')] : []),
      // On the account as a whole, or without resources in IAM.
      allow(
        ['*'],
        'cloudwatch:DescribeAlarms',
        'cloudwatch:GetMetricStatistics',
        'lambda:GetAccountSettings',
        'ses:GetAccount',
      ),
    ])
    if (settings.API_CERTIFICATE_ARN !== '')
      this.#output('ApiCertificate', settings.API_CERTIFICATE_ARN, 'The certificate of API_DOMAIN')
    if (settings.CATALOGUE_CERTIFICATE_ARN !== '')
      this.#output('CatalogueCertificate', settings.CATALOGUE_CERTIFICATE_ARN, 'The certificate of CATALOGUE_DOMAIN')
    this.#output('MailQueue', queue.queueUrl, 'The queue of mails to send')
    const keys = signing.keys.map((key, i) => `${settings.SIGNING_KEYS[i]}=${key.keyId}`)
    this.#output('SigningKeys', keys.join(','), 'Names and ids (kid) of the signing keys; the first signs')
    this.#output('FactorKey', factorKey.key.keyArn, 'The key of second factors: exports name it')
    if (providerKey) {
      this.#output('ProviderKey', providerKey.key.keyArn, 'The key of the secrets at providers: npm run providers')
      const ids = settings.SIGN_IN_PROVIDERS.map(({ id }) => id)
      this.#output('Providers', ids.join(','), 'The providers that people log in with')
    }
    if (settings.PASSKEY_RP_ID !== '')
      this.#output('PasskeyRpId', settings.PASSKEY_RP_ID, 'The domain of passkeys: imports take those of this one')
    if (settings.MAIL_FROM !== '') this.#output('MailFrom', settings.MAIL_FROM, 'The sender of mails')
    if (settings.LANGUAGES.length > 0)
      this.#output(
        'Languages',
        settings.LANGUAGES.join(','),
        'The languages of pages and mails; the first is the default',
      )
    if (settings.ADMIN_EMAIL !== '')
      this.#output('AdminEmail', settings.ADMIN_EMAIL, 'Whoever registers this address becomes an administrator')
  }

  #policy(id: string, program: string, statements: PolicyStatement[]): void {
    const policy = new ManagedPolicy(this, `${id}Policy`, {
      // Do not change it: CloudFormation would replace the policy, and its holders would lose it.
      description: `What the commands of Gatehouse by hand (${program}) do`,
      statements,
    })
    const description = `The policy for people who run npm run ${program}`
    this.#output(`Operator${id}Policy`, policy.managedPolicyArn, description)
  }

  #output(name: string, value: string, description: string): void {
    new CfnOutput(this, name, { value, description }).overrideLogicalId(name)
  }
}

const encryptBy = ({ key, ofOneOwner }: ProviderKey): PolicyStatement =>
  new PolicyStatement({ actions: ['kms:Encrypt'], resources: [key.keyArn], conditions: ofOneOwner })

const allow = (resources: string[], ...actions: string[]): PolicyStatement =>
  new PolicyStatement({ actions, resources })
