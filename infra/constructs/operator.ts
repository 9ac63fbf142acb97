import { CfnOutput, Validations } from 'aws-cdk-lib'
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Construct } from 'constructs'
import type { Data } from './data.ts'
import type { Mail } from './mail.ts'
import type { Signing } from './signing.ts'

interface OperatorProps {
  data: Data
  mail: Mail
  signing: Signing
  /** Of the signing keys, in their order. */
  keyNames: readonly string[]
  /** The setting. */
  adminEmail: string
}

/**
 * What the commands in `operations/` need: for each program a policy that says exactly what it does, to be attached to
 * whoever runs it, and the names of what they work on as outputs.
 *
 * The policy for mail stands apart: anyone who can send to the queue can have a reset link of any account stored whose
 * token they chose.
 */
export class Operator extends Construct {
  constructor(scope: Construct, id: string, { data, mail, signing, keyNames, adminEmail }: OperatorProps) {
    super(scope, id)
    const { queue, deadLetters } = mail
    this.#policy('Users', 'users', [
      allow(
        [data.users.tableArn],
        'dynamodb:GetItem',
        'dynamodb:PutItem',
        'dynamodb:UpdateItem',
        'dynamodb:DeleteItem',
        'dynamodb:Scan',
      ),
    ])
    this.#policy('Mail', 'mail', [
      allow([deadLetters.queueArn], 'sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'),
      allow([queue.queueArn], 'sqs:SendMessage'),
      allow(['*'], 'ses:GetSuppressedDestination', 'ses:DeleteSuppressedDestination'),
    ])
    Validations.of(this).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
      reason:
        'SES has one suppression list for the account, of which IAM knows no resource (Service Authorization Reference).',
    })
    this.#policy('Keys', 'keys', [
      allow(
        signing.keys.map(key => key.keyArn),
        'kms:DescribeKey',
      ),
    ])
    this.#output('MailQueue', queue.queueUrl, 'The queue of mails to be sent')
    const keys = signing.keys.map((key, i) => `${keyNames[i]}=${key.keyId}`)
    this.#output('SigningKeys', keys.join(','), 'Names and ids (kid) of the signing keys; the first signs')
    if (adminEmail !== '') this.#output('AdminEmail', adminEmail, 'Whoever registers this address is an administrator')
  }

  /** A policy for whoever runs a program, and its output. */
  #policy(id: string, program: string, statements: PolicyStatement[]): void {
    const policy = new ManagedPolicy(this, `${id}Policy`, {
      description: `What the commands of Gatehouse by hand (${program}) do`,
      statements,
    })
    const forWhom = `The policy for whoever runs npm run ${program} by hand`
    this.#output(`Operator${id}Policy`, policy.managedPolicyArn, forWhom)
  }

  #output(name: string, value: string, description: string): void {
    new CfnOutput(this, name, { value, description }).overrideLogicalId(name)
  }
}

const allow = (resources: string[], ...actions: string[]): PolicyStatement =>
  new PolicyStatement({ actions, resources })
