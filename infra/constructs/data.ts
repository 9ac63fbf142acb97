import { RemovalPolicy, Validations } from 'aws-cdk-lib'
import { AttributeType, BillingMode, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb'
import { Construct } from 'constructs'
import { tokenAttributes, ttlAttribute } from '../../shared/store/tables.ts'
import { keepLogicalId } from './logical-id.ts'

/**
 * The two tables: accounts, which outlive the stack, and counters, which nobody misses. Both are encrypted by DynamoDB's
 * own key: another would have to be granted to each function beside the table, and would keep nobody out who may read.
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
      // Not RETAIN_ON_UPDATE_OR_DELETE: CloudFormation could not delete the table when a first deploy fails, for its
      // deletion protection, and the rollback would fail too.
      removalPolicy: RemovalPolicy.RETAIN,
    })
    for (const { index, hash } of Object.values(tokenAttributes)) {
      this.users.addGlobalSecondaryIndex({
        indexName: index,
        partitionKey: { name: hash, type: AttributeType.STRING },
        projectionType: ProjectionType.KEYS_ONLY,
      })
    }
    this.rateLimits = new Table(this, 'RateLimits', {
      partitionKey: { name: 'key', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: ttlAttribute,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    Validations.of(this.rateLimits).acknowledge({
      id: 'AwsSolutions::AwsSolutions-DDB3',
      reason: 'Counters count for two days at most: there is nothing in them to go back to.',
    })
    keepLogicalId(this.users, 'Users')
    keepLogicalId(this.rateLimits, 'RateLimits')
  }
}
