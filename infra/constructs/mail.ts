import { ArnFormat, Duration, Stack, Validations } from 'aws-cdk-lib'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { consumers } from '../../shared/routes.ts'
import { senderAddress } from '../settings/sender.ts'
import type { Settings } from '../settings/settings.ts'
import { keepLogicalId } from './logical-id.ts'
import { MailIdentity } from './mail-identity.ts'

/** How often a message is delivered before it becomes a dead letter: for half an hour, which outlasts most outages. */
const tries = 10

/** Bytes, the least that SQS offers as a limit. The longest message, to an address of 254 characters, has about 400. */
const maxMessage = 1024

/** Who mails come from, as IAM sees it. */
export interface Sender {
  address: string
  /** ARN, or a pattern of ARNs. */
  configurationSet: string
}

/** The queue between the requests and the worker that mails, where its dead letters go, and the sender. */
export class Mail extends Construct {
  readonly queue: Queue
  readonly deadLetters: Queue
  /** Null when nothing is mailed. */
  readonly sender: Sender | null

  constructor(scope: Construct, id: string, { MAIL_FROM, SES_IDENTITY }: Pick<Settings, 'MAIL_FROM' | 'SES_IDENTITY'>) {
    super(scope, id)
    const shared = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true }
    this.deadLetters = new Queue(this, 'DeadLetters', { ...shared, retentionPeriod: Duration.days(4) })
    this.queue = new Queue(this, 'MailQueue', {
      ...shared,
      // No link in it works for longer than a day.
      retentionPeriod: Duration.days(1),
      // At least six times the consumer's time-out (AWS Lambda, "Configuring a queue to use with Lambda").
      visibilityTimeout: Duration.seconds(6 * consumers['on-mail-queued'].timeout),
      maxMessageSizeBytes: maxMessage,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: tries },
    })
    Validations.of(this.deadLetters).acknowledge({
      id: 'Serverless::Serverless-SQSRedrivePolicy',
      reason: 'It is the dead-letter queue itself.',
    })
    keepLogicalId(this.deadLetters, 'DeadLetters')
    keepLogicalId(this.queue, 'MailQueue')

    const address = senderAddress(MAIL_FROM)
    const identity = SES_IDENTITY === '' ? null : new MailIdentity(this, 'Identity', SES_IDENTITY)
    this.sender = address === null ? null : { address, configurationSet: this.#arnOfSet(identity) }
  }

  /**
   * A sender's identity may have a default configuration set, and SES asks about that one too (aws/aws-cdk#34402). It
   * opens nothing by itself: who sends needs the identity besides.
   */
  #arnOfSet(identity: MailIdentity | null): string {
    return Stack.of(this).formatArn({
      service: 'ses',
      resource: 'configuration-set',
      resourceName: identity?.configurationSet.configurationSetName ?? '*',
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    })
  }
}
