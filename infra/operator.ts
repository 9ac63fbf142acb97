import { CfnOutput } from 'aws-cdk-lib'
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
}

/**
 * What the commands in `operations/` need: a policy that says exactly what they do, to be attached to whoever runs
 * them, and the names of what they work on as outputs.
 */
export class Operator extends Construct {
  constructor(scope: Construct, id: string, { data, mail, signing, keyNames }: OperatorProps) {
    super(scope, id)
    const { users } = data
    const { queue, deadLetters } = mail
    const allow = (resources: string[], ...actions: string[]) => new PolicyStatement({ actions, resources })
    const policy = new ManagedPolicy(this, 'Policy', {
      description: 'What the commands of Gatehouse by hand (users, mail, keys) do',
      statements: [
        allow(
          [users.tableArn],
          'dynamodb:GetItem',
          'dynamodb:PutItem',
          'dynamodb:UpdateItem',
          'dynamodb:DeleteItem',
          'dynamodb:Scan',
        ),
        allow([deadLetters.queueArn], 'sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'),
        allow([queue.queueArn], 'sqs:SendMessage'),
        allow(
          signing.keys.map(key => key.keyArn),
          'kms:DescribeKey',
        ),
      ],
    })
    const output = (name: string, value: string, description: string) =>
      new CfnOutput(this, name, { value, description }).overrideLogicalId(name)
    output('OperatorPolicy', policy.managedPolicyArn, 'The policy for whoever runs the commands by hand')
    output('MailQueue', queue.queueUrl, 'The queue of mails to be sent')
    const keys = signing.keys.map((key, i) => `${keyNames[i]}=${key.keyId}`)
    output('SigningKeys', keys.join(','), 'Names and ids (kid) of the signing keys; the first signs')
  }
}
