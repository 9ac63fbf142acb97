import { CfnOutput, RemovalPolicy } from 'aws-cdk-lib'
import {
  CloudWatchDimensionSource,
  ConfigurationSet,
  ConfigurationSetTlsPolicy,
  EmailIdentity,
  EmailSendingEvent,
  EventDestination,
  Identity,
  SuppressionReasons,
} from 'aws-cdk-lib/aws-ses'
import { Construct } from 'constructs'
import { keepLogicalId } from './logical-id.ts'

/**
 * The sender as an identity of SES, and how its mails are sent: never to addresses that bounced or complained, only by
 * TLS, and counted. The set is the identity's default, so that the function which sends need not name it.
 */
export class MailIdentity extends Construct {
  readonly configurationSet: ConfigurationSet

  /** @param identity a domain or an address */
  constructor(scope: Construct, id: string, identity: string) {
    super(scope, id)
    this.configurationSet = new ConfigurationSet(this, 'ConfigurationSet', {
      suppressionReasons: SuppressionReasons.BOUNCES_AND_COMPLAINTS,
      reputationMetrics: true,
      // Who reads one of these mails on its way takes over the account.
      tlsPolicy: ConfigurationSetTlsPolicy.REQUIRE,
    })
    const metrics = this.configurationSet.addEventDestination('Metrics', {
      destination: EventDestination.cloudWatchDimensions([
        // A tag that SES itself puts on each message ("Monitor email sending using event publishing").
        { source: CloudWatchDimensionSource.MESSAGE_TAG, name: 'ses:configuration-set', defaultValue: 'none' },
      ]),
      events: [
        EmailSendingEvent.SEND,
        EmailSendingEvent.DELIVERY,
        EmailSendingEvent.BOUNCE,
        EmailSendingEvent.COMPLAINT,
        EmailSendingEvent.REJECT,
      ],
    })
    const sender = new EmailIdentity(this, 'Identity', {
      identity: identity.includes('@') ? Identity.email(identity) : Identity.domain(identity),
      configurationSet: this.configurationSet,
    })
    // Another identity of the same name would have other DKIM keys: SES mails nothing until DNS has them. An identity
    // whose default configuration set is gone mails nothing either. A first deploy that fails leaves none of them, so
    // that the next one does not find the identity in its way.
    for (const kept of [sender, this.configurationSet, metrics]) {
      kept.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE)
    }
    keepLogicalId(sender, 'SesIdentity')
    keepLogicalId(this.configurationSet, 'SesConfigurationSet')
    keepLogicalId(metrics, 'SesEventDestination')
    if (identity.includes('@')) return
    sender.dkimRecords.forEach(({ name, value }, i) => {
      new CfnOutput(this, `Dkim${i + 1}`, {
        value: `${name} CNAME ${value}`,
        description: 'A record that DNS must hold',
      })
    })
  }
}
