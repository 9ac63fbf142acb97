import { CfnOutput, RemovalPolicy } from 'aws-cdk-lib'
import * as ses from 'aws-cdk-lib/aws-ses'
import { Construct } from 'constructs'
import { keepLogicalId } from './logical-id.ts'

/**
 * The sender as an SES identity, with a configuration set: no mails to addresses that bounced or complained, TLS only,
 * metrics. The set is the identity's default, so the function that sends does not have to name it.
 */
export class MailIdentity extends Construct {
  readonly configurationSet: ses.ConfigurationSet

  /** @param identity a domain or an address */
  constructor(scope: Construct, id: string, identity: string) {
    super(scope, id)
    this.configurationSet = new ses.ConfigurationSet(this, 'ConfigurationSet', {
      suppressionReasons: ses.SuppressionReasons.BOUNCES_AND_COMPLAINTS,
      reputationMetrics: true,
      // Anyone who reads one of these mails in transit can take over the account.
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
    // A new identity of the same name gets new DKIM keys, and SES sends nothing until they are in DNS. Nor does it send
    // when the identity's default configuration set is gone. When a first deploy fails, all three are deleted: the next
    // deploy could not create an identity that exists.
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
