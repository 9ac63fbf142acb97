import { RemovalPolicy } from 'aws-cdk-lib'
import { AttributeType, BillingMode, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb'
import { Construct } from 'constructs'
import { usersIndexes } from '../../accounts/account/attributes.ts'
import { ttlAttribute } from '../../shared/base/families.ts'
import { keepLogicalId } from './logical-id.ts'

/**
 * Two tables: accounts, which outlive the stack, and counters with the marks of deletions, which do not. DynamoDB
 * encrypts both with a key that AWS owns. With a key of ours each function would need a grant for it too, and every
 * reader of the table could still read it.
 */
export class Data extends Construct {
  readonly users: Table
  readonly rateLimits: Table

  constructor(scope: Construct, id: string) {
    super(scope, id)
    this.users = new Table(this, 'Users', {
      partitionKey: { name: 'email', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      // Not RETAIN_ON_UPDATE_OR_DELETE: when a first deploy fails, CloudFormation would try to delete the table, and
      // deletion protection would make the rollback fail too.
      removalPolicy: RemovalPolicy.RETAIN,
    })
    for (const { index, attribute } of usersIndexes) {
      this.users.addGlobalSecondaryIndex({
        indexName: index,
        partitionKey: { name: attribute, type: AttributeType.STRING },
        projectionType: ProjectionType.KEYS_ONLY,
      })
    }
    this.rateLimits = new Table(this, 'RateLimits', {
      partitionKey: { name: 'key', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: ttlAttribute,
      // Marks of deletions live for 400 days: a restore of accounts without them would bring back deleted ones.
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      removalPolicy: RemovalPolicy.DESTROY,
    })
    keepLogicalId(this.users, 'Users')
    keepLogicalId(this.rateLimits, 'RateLimits')
  }
}
