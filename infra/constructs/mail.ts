import { ArnFormat, CfnOutput, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib'
import * as ses from 'aws-cdk-lib/aws-ses'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { functions } from '../../api/routes.ts'
import { senderAddress } from '../settings/sender.ts'
import type { Settings } from '../settings/settings.ts'
import { keepLogicalId } from './logical-id.ts'

/** Deliveries of a message before it becomes a dead letter: half an hour, which outlasts most outages. */
const tries = 10

/** Bytes: the lowest limit of SQS. The longest message, to an address of 254 characters, has about 400. */
const maxMessage = 1024

/** The sender of mails, for IAM. */
export interface Sender {
  address: string
  /** ARN, or a pattern of ARNs. */
  configurationSet: string
}

/** The queue between requests and the mail worker, its dead-letter queue, and the sender. */
export class Mail extends Construct {
  readonly queue: Queue
  readonly deadLetters: Queue
  /** Null when the service sends no mail. */
  readonly sender: Sender | null

  constructor(scope: Construct, id: string, { MAIL_FROM, SES_IDENTITY }: Pick<Settings, 'MAIL_FROM' | 'SES_IDENTITY'>) {
    super(scope, id)
    const shared = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true }
    // No RedriveAllowPolicy: it would name the mail queue, which names this one. Only a fixed name of the mail queue
    // could break the circle, because SQS refuses a missing dead-letter queue. That name would replace the mail queue
    // of an existing stack and lose its mails. So anyone allowed to create queues in the account can put messages here.
    this.deadLetters = new Queue(this, 'DeadLetters', { ...shared, retentionPeriod: Duration.days(4) })
    this.queue = new Queue(this, 'MailQueue', {
      ...shared,
      // Every link in a message expires within a day.
      retentionPeriod: Duration.days(1),
      // At least six times the consumer's time-out (AWS Lambda, "Configuring a queue to use with Lambda").
      visibilityTimeout: Duration.seconds(6 * functions['on-mail-queued'].timeout),
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
   * The identity may have a default configuration set, which SES also checks (aws/aws-cdk#34402). The permission for a
   * set is useless without one for an identity.
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

/**
 * The sender as an SES identity with a configuration set: no mail to addresses that bounced or complained, TLS only,
 * metrics. The set is the identity's default, so the sending function need not name it.
 */
class MailIdentity extends Construct {
  readonly configurationSet: ses.ConfigurationSet

  /** @param identity a domain or an address */
  constructor(scope: Construct, id: string, identity: string) {
    super(scope, id)
    this.configurationSet = new ses.ConfigurationSet(this, 'ConfigurationSet', {
      suppressionReasons: ses.SuppressionReasons.BOUNCES_AND_COMPLAINTS,
      // The alarms watch the account's rates, which are free, and SES pauses the account, not the set.
      reputationMetrics: false,
      // A reader of these mails in transit could take over the account.
      tlsPolicy: ses.ConfigurationSetTlsPolicy.REQUIRE,
    })
    const metrics = this.configurationSet.addEventDestination('Metrics', {
      destination: ses.EventDestination.cloudWatchDimensions([
        // SES puts this tag on each message ("Monitor email sending using event publishing").
        { source: ses.CloudWatchDimensionSource.MESSAGE_TAG, name: 'ses:configuration-set', defaultValue: 'none' },
      ]),
      events: [
        ses.EmailSendingEvent.SEND,
        ses.EmailSendingEvent.DELIVERY,
        ses.EmailSendingEvent.BOUNCE,
        ses.EmailSendingEvent.COMPLAINT,
        ses.EmailSendingEvent.REJECT,
      ],
    })
    const sender = new ses.EmailIdentity(this, 'Identity', {
      identity: identity.includes('@') ? ses.Identity.email(identity) : ses.Identity.domain(identity),
      configurationSet: this.configurationSet,
    })
    // A new identity of the same name gets new DKIM keys, and SES sends nothing until they are in DNS, nor while the
    // identity's default configuration set is missing. When a first deploy fails, all three are deleted: otherwise the
    // next deploy could not create them.
    for (const resource of [sender, this.configurationSet, metrics]) {
      resource.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE)
    }
    keepLogicalId(sender, 'SesIdentity')
    keepLogicalId(this.configurationSet, 'SesConfigurationSet')
    keepLogicalId(metrics, 'SesEventDestination')
    if (identity.includes('@')) return
    sender.dkimRecords.forEach(({ name, value }, i) => {
      new CfnOutput(this, `Dkim${i + 1}`, { value: `${name} CNAME ${value}`, description: 'A record to add to DNS' })
    })
  }
}
