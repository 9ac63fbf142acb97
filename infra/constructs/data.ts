import { RemovalPolicy } from 'aws-cdk-lib'
import { AttributeType, BillingMode, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb'
import { Construct } from 'constructs'
import { accountIndexes } from '../../accounts/account/attributes.ts'
import { ttlAttribute } from '../../shared/base/families.ts'
import { keepLogicalId } from './logical-id.ts'

/**
 * Two tables: accounts, which outlive the stack, and counters with the marks of deletions, which do not. A third one holds the
 * accounts of 0.4.0: no function may touch it, operators read it. DynamoDB encrypts all with a key that AWS owns. With a key of ours each function would need a grant for it too, and every
 * reader of the table could still read it.
 */
export class Data extends Construct {
  readonly accounts: Table
  /** Of 0.4.0. */
  readonly users: Table
  readonly rateLimits: Table

  constructor(scope: Construct, id: string) {
    super(scope, id)
    this.accounts = this.#accountTable('Accounts', 'key')
    this.users = this.#accountTable('Users', 'email')
    this.rateLimits = new Table(this, 'RateLimits', {
      partitionKey: { name: 'key', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: ttlAttribute,
      // Marks of deletions live for 400 days: a restore of accounts without them would bring back deleted ones.
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      removalPolicy: RemovalPolicy.DESTROY,
    })
    keepLogicalId(this.rateLimits, 'RateLimits')
  }

  #accountTable(id: 'Accounts' | 'Users', key: string): Table {
    const table = new Table(this, id, {
      partitionKey: { name: key, type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      // Not RETAIN_ON_UPDATE_OR_DELETE: when a first deploy fails, CloudFormation would try to delete the table, and
      // deletion protection would make the rollback fail too.
      removalPolicy: RemovalPolicy.RETAIN,
    })
    for (const { index, attribute } of accountIndexes) {
      table.addGlobalSecondaryIndex({
        indexName: index,
        partitionKey: { name: attribute, type: AttributeType.STRING },
        projectionType: ProjectionType.KEYS_ONLY,
      })
    }
    keepLogicalId(table, id)
    return table
  }
}
