import { Aws, RemovalPolicy } from 'aws-cdk-lib'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Key } from 'aws-cdk-lib/aws-kms'
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import { keepLogicalId } from '../constructs/logical-id.ts'
import { Alarms, type Watched } from './alarms.ts'
import { Dashboard } from './dashboard.ts'

/**
 * The topic that alarms publish to. People on call subscribe to it.
 *
 * It has its own key: alarms cannot publish to a topic that is encrypted with `alias/aws/sns`, and only their history
 * would show the failure (Amazon SNS, "Enable compatibility between event sources from AWS services and encrypted
 * topics").
 */
class AlarmTopic extends Construct {
  readonly topic: Topic

  constructor(scope: Construct, id: string) {
    super(scope, id)
    const key = new Key(this, 'Key', {
      description: 'Encrypts the messages of alarms',
      enableKeyRotation: true,
      // It encrypts messages that are delivered within seconds.
      removalPolicy: RemovalPolicy.DESTROY,
    })
    this.topic = new Topic(this, 'Topic', { displayName: 'Gatehouse alarms', masterKey: key, enforceSSL: true })
    keepLogicalId(this.topic, 'AlarmTopic')

    const alarms = {
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }
    key.addToResourcePolicy(
      // In a key's policy, `*` means the key itself.
      new PolicyStatement({ ...alarms, actions: ['kms:Decrypt', 'kms:GenerateDataKey*'], resources: ['*'] }),
    )
    // enforceSSL adds a policy, which replaces the default policy that lets the account publish.
    this.topic.addToResourcePolicy(
      new PolicyStatement({ ...alarms, actions: ['sns:Publish'], resources: [this.topic.topicArn] }),
    )
  }
}

export class Monitoring extends Construct {
  readonly topic: ITopic

  constructor(scope: Construct, id: string, watched: Watched) {
    super(scope, id)
    const { topic } = new AlarmTopic(this, 'AlarmTopic')
    this.topic = topic
    const alarms = new Alarms(this, 'Alarms', watched, topic)
    new Dashboard(this, 'Overview', watched, alarms)
  }
}
