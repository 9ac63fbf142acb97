import { RemovalPolicy } from 'aws-cdk-lib'
import { AnyPrincipal, Effect, type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms'
import { Construct } from 'constructs'
import { keepLogicalId } from './logical-id.ts'

/** The keys that sign access tokens: one per name in `SIGNING_KEYS`, kept when the name is dropped. */
export class Signing extends Construct {
  /** In the setting's order: the first signs. */
  readonly keys: readonly Key[]

  constructor(scope: Construct, id: string, names: readonly string[]) {
    super(scope, id)
    this.keys = names.map(name => {
      const key = new Key(this, name, {
        description: `Signs access tokens (${name})`,
        // API Gateway's own JWT authorizer takes RSA alone; 2,048 bits are what RFC 7518 §3.3 asks for.
        keySpec: KeySpec.RSA_2048,
        keyUsage: KeyUsage.SIGN_VERIFY,
        removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      })
      keepLogicalId(key, `SigningKey${name[0]?.toUpperCase()}${name.slice(1)}`)
      return key
    })
  }

  /**
   * Denies a signature to everybody but these roles. The account administers its keys and delegates their use by IAM:
   * without this, whoever may use keys in the account could log in as anybody.
   */
  signOnlyBy(roles: readonly IRole[]): void {
    for (const key of this.keys) {
      key.addToResourcePolicy(
        new PolicyStatement({
          effect: Effect.DENY,
          principals: [new AnyPrincipal()],
          actions: ['kms:Sign'],
          resources: ['*'],
          // A session's principal is the role that it assumed (AWS IAM, "Global condition keys").
          conditions: { ArnNotEquals: { 'aws:PrincipalArn': roles.map(({ roleArn }) => roleArn) } },
        }),
      )
    }
  }
}
