import { Duration } from 'aws-cdk-lib'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { consumers } from '../shared/routes.ts'
import { keepLogicalId } from './data.ts'

/** How often a message is delivered before it becomes a dead letter. */
const tries = 10

/** The queue between the requests and the worker that mails, and where its dead letters go. */
export class Mail extends Construct {
  readonly queue: Queue
  readonly deadLetters: Queue

  constructor(scope: Construct, id: string) {
    super(scope, id)
    const shared = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true }
    this.deadLetters = new Queue(this, 'DeadLetters', { ...shared, retentionPeriod: Duration.days(4) })
    this.queue = new Queue(this, 'MailQueue', {
      ...shared,
      // No link in it works for longer than a day.
      retentionPeriod: Duration.days(1),
      // At least six times the consumer's time-out (AWS Lambda, "Configuring a queue to use with Lambda").
      visibilityTimeout: Duration.seconds(6 * consumers['on-mail-queued'].timeout),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: tries },
    })
    keepLogicalId(this.deadLetters, 'DeadLetters')
    keepLogicalId(this.queue, 'MailQueue')
  }
}
