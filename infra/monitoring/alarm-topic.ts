import { Aws, RemovalPolicy } from 'aws-cdk-lib'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Key } from 'aws-cdk-lib/aws-kms'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import { keepLogicalId } from '../constructs/logical-id.ts'

/**
 * Where alarms are told: whoever is on call subscribes to it.
 *
 * It has a key of its own. Alarms cannot use `alias/aws/sns`, and nothing would be said of it but in their history
 * (Amazon SNS, "Enable compatibility between event sources from AWS services and encrypted topics").
 */
export class AlarmTopic extends Construct {
  readonly topic: Topic

  constructor(scope: Construct, id: string) {
    super(scope, id)
    const key = new Key(this, 'Key', {
      description: 'Encrypts what alarms tell',
      enableKeyRotation: true,
      // It protects messages that are delivered within seconds.
      removalPolicy: RemovalPolicy.DESTROY,
    })
    this.topic = new Topic(this, 'Topic', { displayName: 'Gatehouse alarms', masterKey: key, enforceSSL: true })
    keepLogicalId(this.topic, 'AlarmTopic')

    const alarms = {
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }
    key.addToResourcePolicy(
      // In a key's policy `*` is the key itself.
      new PolicyStatement({ ...alarms, actions: ['kms:Decrypt', 'kms:GenerateDataKey*'], resources: ['*'] }),
    )
    // A topic with a policy, which TLS needs, has lost the default one that lets its account publish.
    this.topic.addToResourcePolicy(
      new PolicyStatement({ ...alarms, actions: ['sns:Publish'], resources: [this.topic.topicArn] }),
    )
  }
}
