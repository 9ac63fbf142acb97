import { Aws, RemovalPolicy } from 'aws-cdk-lib'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Key } from 'aws-cdk-lib/aws-kms'
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import { keepLogicalId } from '../constructs/logical-id.ts'
import { Alarms, type Watched } from './alarms.ts'
import { Dashboard } from './dashboard.ts'

/**
 * The topic of the alarms. People on call subscribe to it.
 *
 * It has a key of its own: alarms cannot publish to a topic encrypted with `alias/aws/sns`, and only their history
 * would show the failure (Amazon SNS, "Enable compatibility between event sources from AWS services and encrypted
 * topics").
 */
function alarmTopic(parent: Construct): Topic {
  const scope = new Construct(parent, 'AlarmTopic')
  const key = new Key(scope, 'Key', {
    description: 'Encrypts the messages of alarms',
    enableKeyRotation: true,
    // It encrypts messages only until their delivery, within seconds.
    removalPolicy: RemovalPolicy.DESTROY,
  })
  const topic = new Topic(scope, 'Topic', { displayName: 'Gatehouse alarms', masterKey: key, enforceSSL: true })
  keepLogicalId(topic, 'AlarmTopic')

  const alarms = {
    principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
    conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
  }
  key.addToResourcePolicy(
    // In a key's policy, `*` means the key itself.
    new PolicyStatement({ ...alarms, actions: ['kms:Decrypt', 'kms:GenerateDataKey*'], resources: ['*'] }),
  )
  // enforceSSL adds a policy, which replaces the default policy that lets the account publish.
  topic.addToResourcePolicy(new PolicyStatement({ ...alarms, actions: ['sns:Publish'], resources: [topic.topicArn] }))
  return topic
}

/** Adds alarms and a dashboard. @returns the topic of the alarms */
export function monitor(parent: Construct, watched: Watched): ITopic {
  const scope = new Construct(parent, 'Monitoring')
  const topic = alarmTopic(scope)
  new Dashboard(scope, 'Overview', watched, new Alarms(scope, 'Alarms', watched, topic))
  return topic
}
