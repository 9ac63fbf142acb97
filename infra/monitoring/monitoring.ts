import type { ITopic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import { AlarmTopic } from './alarm-topic.ts'
import { Alarms, type Watched } from './alarms.ts'
import { Dashboard } from './dashboard.ts'

/** Alarms, the topic they publish to, and a dashboard. */
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
