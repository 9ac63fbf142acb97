import { RemovalPolicy } from 'aws-cdk-lib'
import { AnyPrincipal, Effect, type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms'
import { Construct } from 'constructs'
import { keepLogicalId } from './logical-id.ts'

/** The keys that sign access tokens: one per name in `SIGNING_KEYS`, retained when the name is removed. */
export class Signing extends Construct {
  /** In the setting's order: the first signs. */
  readonly keys: readonly Key[]

  constructor(scope: Construct, id: string, names: readonly string[]) {
    super(scope, id)
    this.keys = names.map(name => {
      const key = new Key(this, name, {
        description: `Signs access tokens (${name})`,
        // API Gateway's JWT authorizer only supports RSA; RFC 7518 §3.3 requires 2,048 bits or more.
        keySpec: KeySpec.RSA_2048,
        keyUsage: KeyUsage.SIGN_VERIFY,
        removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      })
      keepLogicalId(key, `SigningKey${name[0]?.toUpperCase()}${name.slice(1)}`)
      return key
    })
  }

  /**
   * Denies signing to all principals except these roles. The default key policy lets IAM policies of the account allow
   * it, so anyone with such a policy could log in as any user.
   */
  signOnlyBy(roles: readonly IRole[]): void {
    for (const key of this.keys) {
      key.addToResourcePolicy(
        new PolicyStatement({
          effect: Effect.DENY,
          principals: [new AnyPrincipal()],
          actions: ['kms:Sign'],
          resources: ['*'],
          // In a session this is the ARN of the assumed role (AWS IAM, "Global condition keys").
          conditions: { ArnNotEquals: { 'aws:PrincipalArn': roles.map(({ roleArn }) => roleArn) } },
        }),
      )
    }
  }
}
