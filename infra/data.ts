import { type CfnResource, RemovalPolicy } from 'aws-cdk-lib'
import { AttributeType, BillingMode, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb'
import { Construct } from 'constructs'
import { tokenAttributes, ttlAttribute } from '../shared/store/tables.ts'

/** The two tables: accounts, which outlive the stack, and counters, which nobody misses. */
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
    keepLogicalId(this.users, 'Users')
    keepLogicalId(this.rateLimits, 'RateLimits')
  }
}

/** What holds data keeps its logical id wherever its construct moves: another one would replace it. */
export function keepLogicalId(construct: Construct, logicalId: string): void {
  const resource = construct.node.defaultChild as CfnResource
  resource.overrideLogicalId(logicalId)
}
